"""One of each thing that a package can add to niah; and some that fail, each in its own way."""
