"""Retrieval by words."""
