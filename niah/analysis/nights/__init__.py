"""Nights in a row: verdicts, trends, drift, contamination."""
