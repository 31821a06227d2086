"""Nightly comparisons that stop as soon as their verdict is clear, and go on where it is not."""
