"""Figures of equal panels in rows and columns, with title, key and note around them."""
