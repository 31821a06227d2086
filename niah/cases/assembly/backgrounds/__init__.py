"""The haystack as one seed sees it: where it comes from, and the short runs that make counts come out."""
