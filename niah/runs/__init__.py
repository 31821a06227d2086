"""Runs: plan, schedule, execute, store."""
