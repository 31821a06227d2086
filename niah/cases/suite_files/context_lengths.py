"""Context lengths as people write them: 4k are 4,096 tokens."""

from __future__ import annotations

import re

LEAST_LENGTH = 16
"""Tokens of the shortest context."""

LENGTH_PATTERN = r"^(\d{1,9})([kKmM]?)$"
_TIMES = {"": 1, "k": 1024, "m": 1024**2}


def length_of(text: str) -> int | None:
    """Tokens that "4096", "4k" or "1M" mean; None of what is no context length."""
    found = re.fullmatch(LENGTH_PATTERN, text, re.ASCII)
    tokens = int(found[1]) * _TIMES[found[2].lower()] if found else 0
    return tokens if tokens >= LEAST_LENGTH else None
