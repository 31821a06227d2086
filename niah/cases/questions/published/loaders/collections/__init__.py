"""Benchmarks that collect several datasets in one form."""
