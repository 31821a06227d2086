"""Numbers, shares, measures and times of day by their value: "three quarters" is "75 %", "halb acht" is 7:30.

A text's numbers are first put into digits (``digits``); then what stands around them is read: a unit, a
percent sign, a clock's words. Two ways to write say the same if kind and amount agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from niah.judges.rubric.forms.amounts.clocks import times_told
from niah.judges.rubric.forms.amounts.digits import TextInDigits, in_digits
from niah.judges.rubric.forms.amounts.half_of_day import half_of_day
from niah.judges.rubric.forms.amounts.units import unit_words
from niah.judges.rubric.forms.amounts.value_patterns import (
    LOWER_UNITS,
    WRITTEN_VALUES,
    unit_patterns,
    value_pattern,
)
from niah.judges.rubric.forms.numbers import with_known_numbers
from niah.judges.rubric.languages.detect import Language


class WrittenValue(NamedTuple):
    """A value in a text: its kind ("", a unit, "clock"), its amount, and where it stands.

    Of a time of day, ``amount`` is minutes on the dial, and ``late`` whether it is after noon, if
    that is told.
    """

    kind: str
    amount: Fraction
    start: int
    end: int
    late: bool | None = None


def values_in(text: str, languages: tuple[Language, ...]) -> list[WrittenValue]:
    """The values that a normalised text writes, in reading order; where two overlap, the longer."""
    digits = in_digits(text, with_known_numbers(languages))
    found = sorted(chain(_read(digits.text), _times(digits, text)), key=lambda v: (v.start, v.start - v.end))
    values: list[WrittenValue] = []
    for value in found:
        if not values or value.start >= values[-1].end or _same_place(value, values[-1]):
            values.append(value)
    return [_placed(value, digits, text) for value in values]


def _times(digits: TextInDigits, text: str) -> Iterator[WrittenValue]:
    for time in times_told(digits.text):
        if not (time.bare and text[digits.place(time.start)].isdigit()):  # "9 50" may be two pages
            late = True if time.minutes >= 780 else half_of_day(digits.text, time.start, time.end)
            yield WrittenValue("clock", Fraction(time.minutes % 720), time.start, time.end, late)


def _placed(value: WrittenValue, digits: TextInDigits, text: str) -> WrittenValue:
    """The value where it stands in the text; "07:15" is before noon."""
    start, end = digits.place(value.start), digits.place(value.end, end=True)
    early = value.kind == "clock" and value.late is None and text[start] == "0"
    return WrittenValue(value.kind, value.amount, start, end, False if early else value.late)


def _same_place(value: WrittenValue, other: WrittenValue) -> bool:
    """ "9.30" is a time of day and a number."""
    return (value.start, value.end) == (other.start, other.end)


def _read(text: str) -> Iterator[WrittenValue]:
    plain = (
        (value_pattern(pattern), kind)
        for needs, pattern, kind in (WRITTEN_VALUES if _ANY_DIGIT.search(text) else ())
        if not needs or any(need in text for need in needs)
    )
    units = ((pattern, unit) for unit in _units_in(text) for pattern in unit_patterns(unit))
    for pattern, kind in chain(plain, units):
        for match in pattern.finditer(text):
            yield from _valued(match, kind)


_ANY_DIGIT = re.compile(r"\d")
_BEHIND_A_NUMBER = re.compile(
    r"(?:\d|(?<!\w)(?:an?|one|une?|una|eine?)(?=\s))(?=\s?(\S))(?=\s?(?:of\s+|d[ei]\s+|d')?(?:an?\s+)?(\S)|\s+(\S))"
)


def _units_in(text: str) -> list[str]:
    """Units that may stand behind a text's numbers, by how their words begin: few of all that there are."""
    letters = frozenset(letter for match in _BEHIND_A_NUMBER.finditer(text) for letter in match.groups())
    return [unit for unit, begin in _beginning_with(letters) if any(map(text.__contains__, begin))]


@lru_cache(maxsize=1024)
def _beginning_with(letters: frozenset[str | None]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The units of which a word begins with one of the letters, each with how such words begin."""
    begins = (
        (unit, frozenset(word.split()[0] for word in words if word[0] in letters))
        for unit, words in unit_words().items()
    )
    return tuple((unit, begin) for unit, begin in begins if begin)


def _valued(match: re.Match[str], kind: str) -> Iterator[WrittenValue]:
    groups = match.groupdict()
    if kind.startswith("clock"):
        minutes = _minutes(groups, kind)
        if minutes is not None:
            late = True if minutes >= 780 else half_of_day(match.string, *match.span())
            late = False if late is None and _ON_24_HOURS.search(match[0]) else late
            yield WrittenValue("clock", Fraction(minutes % 720), *match.span(), late)
        return
    amount = Fraction(groups["n"] or 1)
    if kind == "one in":  # What the number counts may be a value of its own: "one stop in 20 minutes".
        yield WrittenValue("", 1 / amount, *match.span("one"))
    elif kind == "%":
        yield WrittenValue("", amount / 100, *match.span())
    elif kind == "tenths":
        yield WrittenValue("", amount / 10, *match.span())
    elif not kind:
        yield WrittenValue("", amount, *match.span())
    else:
        name, factor = _unit(kind)
        amount += Fraction(1, 2) if groups.get("half") or groups.get("east") else 0
        if groups.get("m"):
            if kind not in LOWER_UNITS:
                return
            amount += Fraction(groups["m"]) / LOWER_UNITS[kind][1]
        end = _before_the_stop(match)
        yield WrittenValue(name, amount * factor, match.start(), end)
        if name in MONEY and amount >= _TELLS_ITSELF:
            yield WrittenValue("", amount, match.start(), end)


def _before_the_stop(match: re.Match[str]) -> int:
    """Where a measure ends: the stop behind a whole word ends its sentence."""
    return match.end() - (_WHOLE_WORD_AND_STOP.search(match[0]) is not None)


_WHOLE_WORD_AND_STOP = re.compile(r"[^\W\d_]{4}\.\Z")
_ON_24_HOURS = re.compile(r"\A1?\d\s?h\s?\d\d")
"""Where "22 h 20" is written, "10 h 20" is before noon."""
MONEY = frozenset(
    (
        "dollar",
        "euro",
        "gbp",
        "yen",
        "yuan",
        "won",
        "rouble",
        "real",
        "peso",
        "franc",
        "lira",
        "crown",
        "rupee",
    )
)
"""Units that are currencies."""
_TELLS_ITSELF = 1000
"""The least sum of money that is told without its currency."""
_BASES: dict[str, tuple[str, Fraction]] = {
    "km": ("m", Fraction(1000)),
    "cm": ("m", Fraction(1, 100)),
    "mm": ("m", Fraction(1, 1000)),
    "tonne": ("kg", Fraction(1000)),
    "g": ("kg", Fraction(1, 1000)),
    "hour": ("minute", Fraction(60)),
    "quarter-hour": ("minute", Fraction(15)),
    "second": ("minute", Fraction(1, 60)),
    "day": ("minute", Fraction(1440)),
    "week": ("minute", Fraction(10080)),
    "year": ("month", Fraction(12)),
    "inch": ("foot", Fraction(1, 12)),
}


def _unit(kind: str) -> tuple[str, Fraction]:
    return _BASES.get(kind, (kind, Fraction(1)))


def _minutes(groups: dict[str, str | None], kind: str) -> int | None:
    hour = groups.get("n") or ""
    if not hour.isdecimal() or int(hour) > 24:
        return None
    given = groups.get("m")
    if given is not None and (not given.isdecimal() or int(given) > 59):
        return None
    minutes = {"half": 30, "quarter": 15, "before": -30, "less": -15, "threequarters": 45}.get(kind[6:], 0)
    if kind == "clock to" and given is not None:
        return int(hour) * 60 - int(given)
    return int(hour) * 60 + minutes + int(given or 0)
