"""What a name that is an amount consists of: numbers, each with its unit: "2 heures 30", "minus 9 Grad"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from niah.judges.rubric.forms.amounts.units import (
    BEFORE_THE_NUMBER,
    CURRENCY_SIGNS,
    EASTERN_SCALE,
    OF,
    half_at,
    measure_units,
)
from niah.judges.rubric.forms.numbers import any_of, number_of
from niah.judges.rubric.languages.detect import Language

_MOST_WORDS = 6
"""Words of a number, and of a unit that is not known: "840 moedas de prata"."""
_MOST_UNKNOWN = 2
_HAN_NUMERALS = "〇零一二三四五六七八九十百千万萬两兩"
_GLUED = re.compile(
    rf"(?<=\d)(?=[^\W\d]|[°%{CURRENCY_SIGNS}])|(?<=[{CURRENCY_SIGNS}])(?=\d)|(?<=[hm])(?=\d\d)"
    rf"|(?<=[分时時간분点])(?=[\d{_HAN_NUMERALS}])|(?<=[{_HAN_NUMERALS}])(?=[^\s\d{_HAN_NUMERALS}])"
    r"|(?<=[^\W\d_])(?=[半반](?:\s|\Z))|(?<=\A半)|(?<=\Amezz')|(?<=\Aпол)(?=часа|кило|литра|метра|года)|(?<=\d)(?=['\"])|(?<=')(?=\d)"
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_FRACTION = {"1/2": "0.5", "1/4": "0.25", "3/4": "0.75"}
_MYRIADS = re.compile(r"(\d{1,4}(?:\.\d)?)\s?[万萬만](?:\s?(\d)\s?[千천])?(?=\s*[^\W\d])")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_POINTED = frozenset(("de", "es", "pt", "it", "ru", "fr", "nl", "sv", "pl", "tr"))


@dataclass(frozen=True)
class AmountPart:
    """One number with its unit; ``units`` is empty where the word is no unit that is known."""

    number: Decimal
    word: str
    units: tuple[str, ...]


def without_sign(name: str) -> tuple[bool, str]:
    """Whether an amount is below zero, and the amount."""
    file = measure_units().file
    before = re.match(rf"(?:{any_of(file.minus)})\s*{EASTERN_SCALE}(?=\S)", name)
    behind = re.search(rf"\s+(?:{any_of(file.below_zero)})\Z", name)
    start, end = before.end() if before else 0, behind.start() if behind else len(name)
    return before is not None or behind is not None, name[start:end]


def amount_parts(name: str, languages: tuple[Language, ...]) -> list[AmountPart]:
    """The amounts of a name, one behind the other; empty where it is anything else."""
    tokens = _GLUED.sub(" ", _MYRIADS.sub(_without_myriads, name)).split()
    parts: list[AmountPart] = []
    place, units = 0, measure_units()
    while place < len(tokens):
        if parts and tokens[place].rstrip(",") in {*units.file.links, "с", ""}:
            place += 1
            continue
        if parts and (half := half_at(tokens, place)):
            parts[-1] = AmountPart(parts[-1].number + Decimal("0.5"), parts[-1].word, parts[-1].units)
            place += half
            continue
        part, place = _part_at(tokens, place, parts, languages)
        if part is None:
            return []
        parts.append(part)
    return parts if len(parts) < 2 or all(part.units for part in parts) else []


def _without_myriads(match: re.Match[str]) -> str:
    return f"{Decimal(match[1]) * 10_000 + int(match[2] or 0) * 1000:f}".removesuffix(".0")


def _part_at(
    tokens: Sequence[str], place: int, parts: Sequence[AmountPart], languages: tuple[Language, ...]
) -> tuple[AmountPart | None, int]:
    if not parts and tokens[place] in BEFORE_THE_NUMBER:
        number, behind = _number_at(tokens, place + 1, languages)
        whole = number is not None and behind == len(tokens)
        units = measure_units().named[tokens[place]]
        return (AmountPart(number, tokens[place], units) if whole and number is not None else None), behind
    number, behind = _number_at(tokens, place, languages)
    if number is None:
        return None, place
    for words in range(min(4, len(tokens) - behind), 0, -1):
        word = " ".join(tokens[behind : behind + words]).rstrip(".,") or tokens[behind]
        if word in measure_units().named:
            return AmountPart(number, word, measure_units().named[word]), behind + words
    rest = tokens[behind:]
    if parts and not rest and (smaller := _next_smaller(parts[-1])):
        return AmountPart(number, smaller, (smaller,)), behind
    unknown = " ".join(rest)
    is_one = tokens[place] in measure_units().file.ones or half_at(tokens, place) > 0
    if parts or is_one or not 0 < len(rest) <= _MOST_UNKNOWN or not all(map(str.isalpha, rest)):
        return None, place
    return AmountPart(number, unknown, ()), len(tokens)


def _number_at(
    tokens: Sequence[str], place: int, languages: tuple[Language, ...]
) -> tuple[Decimal | None, int]:
    """The number that begins at a token, and the place behind it."""
    if place >= len(tokens):
        return None, place
    if _DIGITS.fullmatch(tokens[place].rstrip(",")):
        digits, place = tokens[place].rstrip(","), place + 1
        while digits.isdecimal() and place < len(tokens) and re.fullmatch(r"\d{3}", tokens[place]):
            digits, place = digits + tokens[place], place + 1
        number = _plain(digits, languages)
        if number is not None and place < len(tokens) and tokens[place] in _FRACTION:
            return number + Decimal(_FRACTION[tokens[place]]), place + 1
        return number, place
    if tokens[place] in _FRACTION:
        return Decimal(_FRACTION[tokens[place]]), place + 1
    for words in (2, 1):
        said = "-".join(tokens[place : place + words])
        for share, quarters in measure_units().file.quarters.items():
            if said in quarters:
                behind = place + words
                while behind < len(tokens) and tokens[behind] in OF:
                    behind += 1
                return Decimal(share), behind
    for words in range(min(_MOST_WORDS, len(tokens) - place), 0, -1):
        if value := number_of(" ".join(tokens[place : place + words]), languages):
            return Decimal(value), place + words
    if half := half_at(tokens, place):
        behind = place + half
        return Decimal("0.5"), behind + (behind < len(tokens) and tokens[behind] in measure_units().file.ones)
    return (Decimal(1), place + 1) if tokens[place] in measure_units().file.ones else (None, place)


def _plain(digits: str, languages: tuple[Language, ...]) -> Decimal | None:
    if "," in digits:
        digits = digits.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(digits) and not _POINTED.isdisjoint(languages):
        digits = digits.replace(".", "")
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


def _next_smaller(part: AmountPart) -> str:
    """The unit that a number behind the part has: "2 heures 30" are minutes."""
    for kind in measure_units().file.kinds:
        names = list(kind)
        for unit in set(part.units).intersection(names[:-1]):
            return names[names.index(unit) + 1]
    return ""


def words_of(part: AmountPart) -> tuple[str, ...]:
    """The word of an amount's unit as it is written, and all others for it."""
    known = (word for unit in part.units for word in measure_units().words[unit])
    return tuple(dict.fromkeys((part.word, *known)))
