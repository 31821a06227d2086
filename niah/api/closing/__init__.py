"""The last words of a run: how it went, and what it found."""
