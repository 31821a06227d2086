"""Where a text may mention any of thousands of names, in one pass over the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W_]+")
# Words that are found as they stand: other scripts write on without a space.
_PLAIN = re.compile(r"[0-9a-z]+")


def spellings(name: str) -> tuple[str, ...]:
    """The name as it is written, and with its letters and marks composed or apart, each once."""
    if name.isascii():
        return (name,)
    forms = (unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name))
    return tuple(dict.fromkeys((name, *forms)))


class NameIndex:
    """Names by the longest word of each.

    It tells where to look, and ``niah.text.mentions`` decides: every mention of a name is at one of its
    places, but not every place is a mention. A text of n words is one pass of n look-ups, however many the
    names are, as long as their longest words are of plain letters and digits; each other name is a pass more.

    Args:
        names: as they are written; each at most once counts.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = {}
        self._others: list[tuple[str, str]] = []
        for name in dict.fromkeys(names):
            for folded in map(str.casefold, spellings(name)):
                word = max(_WORD.findall(folded), key=len, default="")
                if _PLAIN.fullmatch(word):
                    self._by_word.setdefault(word, []).append(name)
                else:
                    self._others.append((name, word or folded.strip()))

    def places(self, folded: str) -> Iterator[tuple[str, int]]:
        """Names, each with a character offset of its longest word in ``folded``, a casefolded text."""
        by_word = self._by_word
        if by_word:
            for match in _PLAIN.finditer(folded):
                for name in by_word.get(match[0], ()):
                    yield name, match.start()
        for name, word in self._others:
            at = folded.find(word) if word else -1
            while at >= 0:
                yield name, at
                at = folded.find(word, at + 1)

    def names_in(self, folded: str) -> set[str]:
        """The names that ``folded``, a casefolded text, may mention."""
        return {name for name, _ in self.places(folded)}
