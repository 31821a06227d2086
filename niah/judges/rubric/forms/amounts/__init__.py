"""Amounts in a text: numbers with their units, shares, sums of money, times of day."""
