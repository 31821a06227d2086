"""Where tokens meet: what a border between two pieces of text costs."""
