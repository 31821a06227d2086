"""Models asked before the reader is: summaries, gists, choices."""
