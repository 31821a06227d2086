"""The words of a normalised text, as names are looked for among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

WORD_OF_NAME = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_EITHER = re.compile(r"\b(?P<of>his|hers?|him|s?he)(?:\s+or\s+|\s?/\s?)(?:his|hers?|him|s?he)\b")
_MAY_BE_EITHER = re.compile(r"o(?<=\so)r\s|/")
"""Stands in every match of ``_EITHER``, and is found much sooner, since it begins with a plain sign."""
_WORD_OR_EITHER = re.compile(f"{_EITHER.pattern}|{WORD_OF_NAME.pattern}")


class TextWords:
    """The words of a text, and where each stands: most texts are asked for their words alone.

    Args:
        text: normalised.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._has_either = bool(_MAY_BE_EITHER.search(text) and _EITHER.search(text))
        self.words: tuple[str, ...] = tuple(
            (match["of"] or match[0] for match in _WORD_OR_EITHER.finditer(text))
            if self._has_either
            else WORD_OF_NAME.findall(text)
        )
        self._spans: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self.words)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word begins and ends."""
        if not self._spans:
            self._spans = list(self._find_spans())
        return self._spans

    def _find_spans(self) -> Iterator[tuple[int, int]]:
        if self._has_either:
            yield from (match.span() for match in _WORD_OR_EITHER.finditer(self._text))
            return
        end = 0
        for word in self.words:  # between two words no sign of a word stands
            start = self._text.index(word, end)
            end = start + len(word)
            yield start, end


@lru_cache(maxsize=32)
def split_words(text: str) -> TextWords:
    """The words of a normalised text, with their places; names are looked for in it in several ways.

    "His or her" is one word, as "their" is.
    """
    return TextWords(text)


def words_as_in_names(text: str) -> list[str]:
    """The words of a normalised text, as names are read."""
    return WORD_OF_NAME.findall(text)
