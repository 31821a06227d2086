"""Needle sets: what is hidden, and how it is asked for."""
