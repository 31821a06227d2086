"""Families: needle sets of any size, drawn by a seed."""
