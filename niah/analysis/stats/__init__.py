"""Resampling, tests, corrections: pure functions over arrays."""
