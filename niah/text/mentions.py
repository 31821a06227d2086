"""Whether a text mentions a name: whole words, any case, hyphens and spaces alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GAP = re.compile(r"[\s\-_]+")


def mention_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of ``names`` as whole words; the longest name wins."""
    longest_first = sorted(set(names), key=lambda name: (-len(name), name))
    alternatives = "|".join(_flexible(name) for name in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` mentions one of ``names``."""
    return mention_pattern(names).search(text) is not None


def _flexible(name: str) -> str:
    words = [re.escape(word) for word in _GAP.split(name.strip()) if word]
    return r"[\s\-_]+".join(words)
