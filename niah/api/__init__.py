"""What the command line does, for Python: plain arguments in, results out, nothing printed."""
