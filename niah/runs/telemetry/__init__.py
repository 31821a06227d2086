"""What is told of a run to who watches it from outside."""
