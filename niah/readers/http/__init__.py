"""Readers over HTTP, and how they bear what endpoints do."""
