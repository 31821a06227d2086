"""Contexts from tables: lines (hashes, edges, entries, turns), and sentences whose joints cost nothing."""
