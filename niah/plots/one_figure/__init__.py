"""One figure as a file of its own: what is asked of it, what it needs, how it is written."""
