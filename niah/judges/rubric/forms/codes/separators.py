"""Codes with other signs between their parts: "45049020" is 4504.90.20, "v4.11.0 RC7" is 4.11.0-rc7.

The same letters and digits in the same order, and nothing more. Between two runs of digits stands one sign at
each place where the code has one, or none at any, so that 4.11.0 never is 41.1.0; numbers of a single point
or comma are no codes. Long ones without points (telephones, accounts) may be grouped anyhow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_PIECE = re.compile(r"\d+|[^\W\d_]+")
_CODE = re.compile(r"[#+]?[^\W_]+(?:[ ./:#+]{1,2}[^\W_]+)*")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_NOT_SIGNS = re.compile(r"[\W_]+")
_LEAST_SIGNS = 4
_LEAST_DIGITS = 2
_MOST_LETTERS = 4
"""Letters in a row of a code; a longer word is one ("platform 11")."""
_TELLING = 6
"""Digits of a code that are one without signs between them."""
_LONG = 7
"""Digits of a code that may be grouped anyhow, and that tell themselves without the word before them."""
_SIGN = r"[ ./:·・]"
_AT_LETTERS = r"(?:, |[ ./:·・]{0,2})"
_ANYHOW = r"[ ./()]{0,3}"
_BEGINS = r"(?<![^\W_])(?<!\d[.:/,])(?:0x)?"
_BEGINS_A_VERSION = r"(?:(?<![^\W_])|(?<=(?<![^\W_])v))(?<!\d[.:/,])"
_ENDS = r"(?![^\W_])(?![.:/,]\d)"


class WrittenCode(NamedTuple):
    """Where a code stands; ``element`` is an element's name, with whether it is right."""

    element: tuple[str, bool]
    start: int
    end: int


class SeparatedCodes:
    """Codes, to be found with other separators.

    Args:
        names: normalised ways to write, each with its element.
    """

    def __init__(self, names: Iterable[tuple[str, tuple[str, bool]]]) -> None:
        known = {way: element for written, element in names for way in _ways(written)}
        self._codes = [(_signs(way), re.compile(_expression(way)), known[way]) for way in known]

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._codes)

    def find(self, text: str) -> Iterator[WrittenCode]:
        """Every code that a normalised text writes, with whatever separators."""
        if not self._codes:
            return
        signs = _signs(text)
        for code, pattern, element in self._codes:
            if code in signs:
                for match in pattern.finditer(text):
                    yield WrittenCode(element, *match.span())


def _signs(text: str) -> str:
    return _NOT_SIGNS.sub("", text)


def _ways(written: str) -> Iterator[str]:
    """The code, and what of it tells itself: without "isbn", "#" or a version's v; none of other names."""
    if not _CODE.fullmatch(written) or _DECIMAL.fullmatch(written):
        return
    pieces = _PIECE.findall(written)
    digits = sum(map(len, filter(str.isdecimal, pieces)))
    if written[0] in "#+" and digits:
        yield written[1:]
    if len(_signs(written)) < _LEAST_SIGNS or digits < (_LEAST_DIGITS if len(pieces) > 1 else _LONG):
        return
    if any(len(piece) > _MOST_LETTERS and not piece.isdecimal() for piece in pieces):
        return
    yield written
    head, _, rest = written.partition(" ")
    if head.isalpha() and digits >= _LONG and rest[0].isdecimal():
        yield rest
    if written[0] == "v" and written[1].isdecimal() and "." in written:
        yield written[1:]


def _expression(code: str) -> str:
    """The code in all its spellings, as a whole."""
    parts, gaps = _PIECE.findall(code), _PIECE.split(code)[1:-1]
    digits = sum(map(len, filter(str.isdecimal, parts)))
    numbers = [bool(gap) and a.isdecimal() and b.isdecimal() for a, b, gap in _joints(parts, gaps)]
    spellings = [_joined(parts, gaps, _separator(code, parts))]
    telling = digits >= _TELLING and (digits >= _LONG or all(len(part) > 1 for part in parts))
    if any(numbers) and (telling or ("." not in code and not code.replace(" ", "").isdecimal())):
        spellings.append(_joined(parts, gaps, ""))
    if "." not in code and digits >= _LONG:
        spellings.append(_ANYHOW.join(map(re.escape, _signs(code))))
    spellings.append("[ .]".join(map(re.escape, _signs(code))))
    begins = _BEGINS_A_VERSION if code[0].isdecimal() and "." in code else _BEGINS
    return f"{begins}(?:{'|'.join(spellings)}){_ENDS}"


def _joints(parts: list[str], gaps: list[str]) -> Iterator[tuple[str, str, str]]:
    return zip(parts, parts[1:], gaps, strict=False)


def _separator(code: str, parts: list[str]) -> str:
    """What may stand between two runs of digits; a point would make one number of "12-45"."""
    two_numbers = len(parts) == 2 and "." not in code and all(map(str.isdecimal, parts))
    return "[ /]" if two_numbers else _SIGN


def _joined(parts: list[str], gaps: list[str], between_numbers: str) -> str:
    joined = re.escape(parts[0])
    for before, after, gap in _joints(parts, gaps):
        numbers = before.isdecimal() and after.isdecimal()
        joined += (between_numbers if numbers and gap else _AT_LETTERS) + re.escape(after)
    return joined
