"""Reading an answer before anything is counted: what it states in the end, what it only shows on the way."""
