"""Contexts that are nothing but lines: hashes, edges, entries, turns."""
