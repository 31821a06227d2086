"""Scores of chunks for a query, nothing else."""
