"""Chunks that are small where they are compared, and larger where they are read."""
