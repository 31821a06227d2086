"""How hard a text is to read, by the Flesch reading ease."""

from __future__ import annotations

import re
from collections.abc import Sequence

_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"(?:[^laeiouy]e|[^aeiouydt]ed|[^aeiouycgsxz]es)$")


def reading_ease(words: Sequence[str], sentences: int) -> float:
    """206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch 1948); 60 to 70 is plain English.

    0 where there are no words.

    Args:
        words: in lower case.
        sentences: how many they make, at least 1.
    """
    if not words:
        return 0.0
    syllables = sum(map(syllables_in, words))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


def syllables_in(word: str) -> int:
    """Syllables of an English word in lower case, by its groups of vowels; wrong for one in ten."""
    groups = len(_VOWELS.findall(word))
    return max(1, groups - (_SILENT.search(word) is not None))
