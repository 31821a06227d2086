"""Words that messages share."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 trial", "1,200 trials"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
