"""How far the search for exact counts goes, with measured joints and from tables alike."""

from __future__ import annotations

EXTRAS = (0, -1, 1, -2, 2, -3, 3, -4, 4)
"""Tokens that joints may cost together, in the order in which they are tried."""

MOST_EXTRA = 8
MOST_RUNS = 6
MOST_TRIES = 1500
FAR_ENOUGH = 60
"""Tokens that two runs may have together where one does not do."""
