"""Names in one word that a text writes in two, and the other way about: "sweet corn", "candlewax"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from niah.judges.rubric.forms.inflection import LooseMatch
from niah.judges.rubric.forms.text_words import split_words

_LETTERS = re.compile(r"[a-z\u00df-\u024f\u0370-\u04ff]+(?: [a-z\u00df-\u024f\u0370-\u04ff]+)*")
_LEAST = 8
"""Letters of a name that may be parted anywhere: "car pet" is no carpet."""
_LEAST_PART = 3
_MOST_PARTS = 4


class JoinedNames:
    """Names by their letters alone; one that two elements could mean is left out.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        meant: dict[str, set[tuple[str, bool]]] = {}
        for written, element in names:
            parts = written.split(" ")
            long_parts = len(parts) <= _MOST_PARTS and min(map(len, parts)) >= _LEAST_PART
            if _LETTERS.fullmatch(written) and long_parts and len(written) >= _LEAST:
                meant.setdefault(_joined(parts), set()).add(element)
        self._names = {joined: next(iter(e)) for joined, e in meant.items() if len(e) == 1}
        self._longest = max(map(len, self._names), default=0)

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._names)

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text where a name's letters stand as whole words."""
        letters = text.replace(" ", "")
        beginnings = {name[:_LEAST_PART] for name in self._names if name in letters}
        if not beginnings:
            return
        said = split_words(text)
        begun = [place for place, word in enumerate(said.words) if word[:_LEAST_PART] in beginnings]
        for first in begun:
            parts: list[str] = []
            start = said.spans[first][0]
            end = start - 1
            letters_said = 0
            for place in range(first, min(first + _MOST_PARTS, len(said))):
                word, (begins, ends) = said.words[place], said.spans[place]
                apart = not parts or (begins == end + 1 and text[end] == " ")
                if not apart or not word.isalpha() or len(word) < _LEAST_PART:
                    break
                parts.append(word)
                end = ends
                letters_said += len(word)
                if letters_said > self._longest + 1:
                    break
                element = self._names.get(_joined(parts))
                if element:
                    yield LooseMatch(element, start, end, 0)


def _joined(parts: list[str]) -> str:
    """The letters in a row, without a plural's ending."""
    return "".join(parts).removesuffix("s")
