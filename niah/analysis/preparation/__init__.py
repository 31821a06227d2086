"""What preparation took: in words, and beside what it won."""
