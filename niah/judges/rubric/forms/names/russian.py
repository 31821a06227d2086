"""The stems that a Russian noun, name or adjective may have: "Аглаей" and "Аглая" share one."""

from __future__ import annotations

import re

from niah.judges.rubric.lazy_pattern import lazy_pattern

_CYRILLIC = re.compile("[\u0430-\u044f]+")
# Endings of singular and plural, nouns and adjectives; genitive plurals would make one name of many.
_ENDINGS = (
    *("ями", "ами", "ого", "его", "ому", "ему", "ыми", "ими", "ией"),
    *("ая", "яя", "ой", "ей", "ою", "ею", "ую", "юю", "ым", "им", "ом", "ем", "ых", "их", "ый", "ий"),
    *("ия", "ию", "ии", "ие", "ое", "ее", "ые", "ах", "ях", "ам", "ям", "ью"),
    *("а", "я", "о", "е", "ы", "и", "у", "ю", "ь", "й"),
)
_FLEETING = lazy_pattern("(?<=[^аеиоуыэюя])(?:о|е)(?=[клрц]$)")
_LEAST = 3
"""Letters of a stem; one less in a short word: "Аня", "Аней"."""
_SHORT = 5


def russian_stems(word: str) -> frozenset[str]:
    """Every stem that a word may have, itself among them; none where it is no Russian word.

    Args:
        word: casefolded, "\u0435" for "\u0451".
    """
    if not _CYRILLIC.fullmatch(word):
        return frozenset()
    least = _LEAST if len(word) > _SHORT else _LEAST - 1
    stems = {word[: -len(ending)] for ending in _ENDINGS if word.endswith(ending)}
    stems.add(word)
    stems.add(_FLEETING.sub("", word))
    return frozenset(stem for stem in stems if len(stem) >= least)
