"""``niah view``: pages of runs as they are now, for this machine alone."""
