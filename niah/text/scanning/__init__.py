"""Compiled loops over the bytes of a text."""
