"""Times of day told by the hour to come, by minutes before it, or by two numbers: "без десяти десять".

A text's numbers stand in digits already; ordinals do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from niah.judges.rubric.lazy_pattern import lazy_pattern

_HOURS = {
    "первого": 1,
    "второго": 2,
    "третьего": 3,
    "четвертого": 4,
    "пятого": 5,
    "шестого": 6,
    "седьмого": 7,
    "восьмого": 8,
    "девятого": 9,
    "десятого": 10,
    "одиннадцатого": 11,
    "двенадцатого": 12,
}
_OF_THE_HOUR = lazy_pattern(
    r"(?<!\w)(?:(?P<m>\d{1,2})\s+минут\w*\s+|(?P<quarter>четверть\s+)|(?P<half>(?:половин[аеуы]|1/2)\s+|пол))"
    rf"(?P<hour>{'|'.join(_HOURS)})(?!\w)"
)
_BEFORE = (
    re.compile(r"(?<!\w)без\s+(?:(?P<m>\d{1,2})|четверти)\s+(?:минут\w*\s+)?(?P<n>\d{1,2})(?![\d:.])"),
    re.compile(r"差(?:(?P<m>\d{1,2})分?钟?|一刻)(?:到)?(?P<n>\d{1,2})[点點]"),
    re.compile(r"(?<!\d)(?P<n>\d{1,2})時(?P<m>\d{1,2})分前"),
)
# One is no number elsewhere: it is an article, a pronoun.
_ONE_OCLOCK = re.compile(
    r"(?<!\w)(?:(?P<past>half\s+past|(?:a\s+)?quarter\s+past|viertel\s+nach)\s+(?:one|eins)"
    r"|(?P<to>(?:a\s+)?quarter\s+to|viertel\s+vor)\s+(?:one|eins)|(?P<early>halb)\s+eins"
    r"|(?:one\s+o'clock|one(?=\s+(?:[ap]\.?\s?m\b|in\s+the\s+(?:afternoon|morning)))|um\s+eins|ein\s+uhr|une\s+heure(?=\s+(?:de\s+l|du|et|moins|pile))"
    r"|a\s+la\s+una|à\s+uma(?:\s+hora)?(?=\s+(?:da|e|em|menos)\b)|all'una|час(?=\s+(?:дня|ночи)))"
    r"(?:\s+(?:y|e|et)\s+(?:(?P<half>media|meia|mezz[ao]|demie)|(?:un\s+)?(?P<quarter>cuarto|quarto|quart)))?)(?!\w)"
)
_HOURS_AND_MINUTES = re.compile(r"(?<!\w)(?P<n>\d{1,2})\s+час\w*\s+(?P<m>\d{1,2})\s+мин\w*")
_TWO_NUMBERS = re.compile(r"(?<![\w.,:/])(?P<n>\d{1,2})\s+(?:[eyи]\s+)?(?P<m>[1-5]\d)(?![\w/]|[.,:]\d)")


class ToldTime(NamedTuple):
    """A time of day as minutes from midnight, and where it stands; ``bare`` if it is two numbers alone."""

    minutes: int
    start: int
    end: int
    bare: bool = False


def times_told(text: str) -> Iterator[ToldTime]:
    """Times of day in a normalised text with its numbers in digits."""
    if not text.isascii():
        yield from _told_in_words(text)
    for match in _ONE_OCLOCK.finditer(text):
        half = match["half"] or (match["past"] or "").startswith("half")
        past = 30 if half else 15 if match["quarter"] or match["past"] else 0
        yield ToldTime(60 + past - (15 if match["to"] else 30 if match["early"] else 0), *match.span())
    for match in _TWO_NUMBERS.finditer(text):
        yield from _told(match, int(match["m"]), bare=True)


def _told_in_words(text: str) -> Iterator[ToldTime]:
    """Those told in Russian, Chinese and Japanese."""
    for match in _OF_THE_HOUR.finditer(text):
        minutes = 30 if match["half"] else 15 if match["quarter"] else int(match["m"])
        if minutes < 60:
            yield ToldTime((_HOURS[match["hour"]] - 1) * 60 + minutes, *match.span())
    for pattern in _BEFORE:
        for match in pattern.finditer(text):
            yield from _told(match, -int(match["m"] or 15))
    for match in _HOURS_AND_MINUTES.finditer(text):
        yield from _told(match, int(match["m"]))


def _told(match: re.Match[str], minutes: int, *, bare: bool = False) -> Iterator[ToldTime]:
    hour = int(match["n"])
    if 0 < hour <= 24 and abs(minutes) < 60:
        yield ToldTime(hour * 60 + minutes, *match.span(), bare)
