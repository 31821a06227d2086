"""Words that may be forms of one word, by how they begin: "gold" and "golden", "лосев" and "лосева"."""

from __future__ import annotations

from itertools import takewhile

_STEM = 4
_ENDING = 3


def begin_alike(word: str, other: str) -> bool:
    """Whether two words begin alike up to an ending."""
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return alike >= max(_STEM, min(len(word), len(other)) - _ENDING)
