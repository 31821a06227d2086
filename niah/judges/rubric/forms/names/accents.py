"""Names whose accents a text leaves out, or writes in two letters: "Jose", "Koenigsbrueck"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from niah.judges.rubric.forms.inflection import LooseMatch

_LATIN = re.compile(r"[a-z\u00df-\u024f '.,]+")
_LEAST = 4
"""Letters of a name; "ano" is another word than "año"."""
_WITHOUT_ACCENT = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i"}
_IN_TWO_LETTERS = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "å": "aa",
    "ø": "oe",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
}


def _plain(letter: str) -> str:
    return _WITHOUT_ACCENT.get(letter) or unicodedata.normalize("NFD", letter)[0]


_PLAIN = str.maketrans({chr(code): _plain(chr(code)) for code in range(0xDF, 0x250) if chr(code).isalpha()})
_TWO_LETTERS = str.maketrans(_IN_TWO_LETTERS)


class UnaccentedNames:
    """Latin names with accents; one that is another element's without them is left out.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        known = list(names)
        owners: dict[str, set[tuple[str, bool]]] = {}
        for written, element in known:
            for way in {written, *_without_accents(written)}:
                owners.setdefault(way, set()).add(element)
        self._names = [
            (re.compile(rf"(?<!\w){re.escape(way)}(?!\w)"), element)
            for written, element in known
            if not written.isascii() and _LATIN.fullmatch(written) and len(written) >= _LEAST
            for way in _without_accents(written)
            if len(owners[way]) == 1
        ]

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._names)

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text where a name stands but for its accents."""
        plain = text.translate(_PLAIN)
        for pattern, element in self._names:
            yield from (LooseMatch(element, *match.span(), 0) for match in pattern.finditer(plain))


def _without_accents(written: str) -> tuple[str, ...]:
    plain = written.translate(_PLAIN)
    in_two = written.translate(_TWO_LETTERS).translate(_PLAIN)
    return tuple(dict.fromkeys((plain, in_two)))
