"""Answers that give values to keys, by reading order."""
