"""Which of many elements a text mentions, fast enough to ask it of every element and every text of a set."""

from __future__ import annotations

import re
from collections.abc import Iterable

from niah.needles.needle_set import Element
from niah.text.mentions import mention_pattern

_WORD = re.compile(r"[^\s\-_]+")


class Mentioned:
    """Finds elements in texts; agrees with ``niah.text.mentions`` on every element."""

    def __init__(self, elements: Iterable[Element]) -> None:
        # A text without any name's longest word needs no regular expression.
        self._elements = [(e.name, _longest_words(e.names), mention_pattern(e.names)) for e in elements]

    def __call__(self, text: str) -> tuple[str, ...]:
        """Names of the elements that ``text`` mentions by name or alias, in the elements' order."""
        folded = text.casefold()
        return tuple(
            name
            for name, words, pattern in self._elements
            if any(word in folded for word in words) and pattern.search(text)
        )


def _longest_words(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(max(_WORD.findall(name), key=len, default="").casefold() for name in names)
