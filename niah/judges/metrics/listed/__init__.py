"""Metrics for answers that list: sets of answers, and rankings."""
