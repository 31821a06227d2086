"""Names that a script writes in two ways: with the Arabic article or without, in hiragana or in katakana."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from niah.judges.rubric.forms.inflection import LooseMatch
from niah.judges.rubric.lazy_pattern import lazy_pattern

_ARABIC_NAME = lazy_pattern("[\u0620-\u064a]+(?: [\u0620-\u064a]+)*")
_ARTICLE = "ال"
_PREFIX = "(?:[وف]?(?:[بكل]?ال|لل|[بكل])|[وف])?"
"""The article, and what is written in one word with it: "and", "with", "like", "to"."""
_LEAST_STEM = 3
_KATAKANA_NAME = lazy_pattern("[\u30a1-\u30f6\u30fc]{3,}")
_HIRAGANA_NAME = lazy_pattern("[\u3041-\u3096\u30fc]{3,}")
_BETWEEN_KANA = 0x60
"""How far the code point of a kana in katakana is behind the one in hiragana."""
_LONG = "\u30fc"


class NamesInOtherWriting:
    """Names in the other way of their script; one that two elements could mean is left out.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        meant: dict[str, set[tuple[str, bool]]] = {}
        for written, element in names:
            if not written.isascii() and (expression := _other_writing(written)):
                meant.setdefault(expression, set()).add(element)
        self._names = [
            (re.compile(expression), next(iter(elements)))
            for expression, elements in meant.items()
            if len(elements) == 1
        ]

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._names)

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text where a name stands in either way."""
        for pattern, element in self._names if not text.isascii() else ():
            yield from (LooseMatch(element, *match.span(), 0) for match in pattern.finditer(text))


def _other_writing(written: str) -> str:
    """An expression for a name in its script's other way; "" where that has one way alone."""
    if _ARABIC_NAME.fullmatch(written):
        stems = [word.removeprefix(_ARTICLE) for word in written.split()]
        if min(map(len, stems)) < _LEAST_STEM:
            return ""
        first, *others = map(re.escape, stems)
        behind = "".join(rf" (?:{_ARTICLE})?{stem}" for stem in others)
        return rf"(?<!\w){_PREFIX}{first}{behind}(?!\w)"
    if _KATAKANA_NAME.fullmatch(written):
        return re.escape("".join(_in_hiragana(sign) for sign in written))
    if _HIRAGANA_NAME.fullmatch(written):
        katakana = "".join(_in_katakana(sign) for sign in written)
        return f"(?<![\u30a1-\u30fc]){re.escape(katakana)}(?![\u30a1-\u30fc])"
    return ""


def _in_hiragana(sign: str) -> str:
    return sign if sign == _LONG else chr(ord(sign) - _BETWEEN_KANA)


def _in_katakana(sign: str) -> str:
    return sign if sign == _LONG else chr(ord(sign) + _BETWEEN_KANA)
