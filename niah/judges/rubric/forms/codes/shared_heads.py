"""Codes in a list that writes what they share once: "LRK-2207, -2219 and -2231", "Rooms 207 and 14B"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from niah.judges.rubric.forms.codes.separators import WrittenCode
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.text.writing import HANGUL, UNSPACED

_CODE = lazy_pattern(
    r"(?P<head>[^\W\d_]+(?: [^\W\d_]+)?) ?(?P<tail>\d[^\W_]*(?: [^\W_]{1,4})*|[^\W\d_]{1,2}\d+)"
)
_LINK = (
    r"(?:\s*\([^()\n]{1,60}\))?\s*(?:[,/;+、]\s*)?(?:(?:and|und|et|y|e|и|or|oder|ou|o|или|sowie|plus|및)\s+|[和与と])?"
    r"(?<=[\s,/;+、和与と])"
)
_LETTER = rf"[^\W\d_{UNSPACED}{HANGUL}]"
_WORD_ENDS = rf"(?!\d|{_LETTER})"
_LONG = 4
"""Letters of a head that may be a word in another form: "Bahnsteige 4 und 7"."""
_TELLING = 3
"""Signs of a number that tells itself; a shorter one at the end of a list may count what follows it."""
_LIST_ENDS = lazy_pattern(r"(?=\s*(?:[,;/.)(:\n、。，]|\Z)|\s*(?:and|und|et|y|e|и|sowie|plus)\s)")


@dataclass(frozen=True)
class _Head:
    """What codes share; ``tails`` are the ends of those that the needle set has, with their elements."""

    pattern: re.Pattern[str]
    following: re.Pattern[str]
    tails: dict[str, tuple[str, bool]]


class SharedHeads:
    """Codes that share their beginning with others of their needle set.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        tails: dict[str, dict[str, tuple[str, bool]]] = {}
        for written, element in names:
            if code := _CODE.fullmatch(written):
                tails.setdefault(code["head"], {})[code["tail"]] = element
        self._heads = [_head(head, known) for head, known in tails.items() if len(known) > 1]

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._heads)

    def find(self, text: str) -> Iterator[WrittenCode]:
        """Every code of a normalised text that stands behind its head, or in a list behind one that does."""
        for head in self._heads:
            for begin in head.pattern.finditer(text):
                place = begin.end()
                while tail := head.following.match(text, place):
                    known = head.tails.get(tail["tail"])
                    ends = len(tail["tail"]) >= _TELLING or _LIST_ENDS.match(text, tail.end())
                    if known and ends:
                        yield WrittenCode(known, *tail.span("tail"))
                    place = tail.end()


def _head(head: str, tails: dict[str, tuple[str, bool]]) -> _Head:
    known = "|".join(re.escape(tail) for tail in sorted(tails, key=len, reverse=True))
    tail = rf"(?P<tail>(?:{known}){_WORD_ENDS}|{_LETTER}?\d(?:{_LETTER}|\d)*{_WORD_ENDS})"
    stem = head[:-1] if len(head) >= _LONG and head[-1] in "aeoiауяыь" else head
    ending = f"{_LETTER}{{0,3}}" if len(head) >= _LONG else "s?"
    return _Head(
        re.compile(rf"(?<!\w){re.escape(stem)}{ending}(?=\s{{0,2}}(?:{_LETTER}{{1,2}})?\d)"),
        re.compile(rf"(?:(?:{_LINK})|\s{{0,2}}){tail}"),
        tails,
    )
