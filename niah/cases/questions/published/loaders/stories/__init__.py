"""Datasets that ask about stories, books and films."""
