"""What the commands call, and Python users too: plain arguments in, results out."""
