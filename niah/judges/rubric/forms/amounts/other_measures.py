"""A number with its unit, written otherwise: "18,50 €" is "achtzehn Euro fünfzig", "1'12''" is 72 seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from niah.judges.rubric.forms.amounts.named_amount import AmountPart, amount_parts, without_sign, words_of
from niah.judges.rubric.forms.amounts.units import (
    BEFORE_THE_NUMBER,
    DEGREES,
    EASTERN_SCALE,
    OF,
    measure_units,
)
from niah.judges.rubric.forms.numbers import any_of, before_units, other_numbers, with_known_numbers
from niah.judges.rubric.languages.detect import Language

_MOST_DIGITS = 6
_LEAST = Decimal("0.001")
WITH_SIGNS = re.compile(r"(\d{1,2})'\s?(\d{1,2})(?:'')?")
_HALF_BEHIND = {
    "en": r"\s+and\s+a\s+half",
    "fr": r"\s+et\s+demie?",
    "es": r"\s+y\s+medi[oa]",
    "pt": r"\s+e\s+mei[oa]",
    "it": r"\s+e\s+mezz[oa]",
    "ru": r"\s+с\s+половиной",
    "zh": "半",
    "ja": "半",
    "ko": r"\s*반",
}
_LINK = r"[\s,]*(?:(?:and|und|et|y|e|и|con|com)\s+)?"
_BEFORE_A_HALF = r"(?<!and )(?<!y )(?<! e )(?<!et )(?<!\d )"
_OTHER_SCALE = {
    "celsius": r"(?!\s*(?:f\b|fahrenheit|kelvin|по\s+фаренгейту))",
    "fahrenheit": r"(?!\s*(?:c\b|celsius|centigrade|kelvin|цельсия))",
}


def other_measures(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    """Expressions for other ways to write a normalised name that is one amount, or several in a row."""
    if signs := WITH_SIGNS.fullmatch(name):
        for larger, smaller in (("foot", "inch"), ("minute", "second")):
            both = [
                AmountPart(Decimal(n), unit, (unit,))
                for n, unit in zip(signs.groups(), (larger, smaller), strict=True)
            ]
            yield from _in_other_units(both, with_known_numbers(tuple(dict.fromkeys(("en", *languages)))))
        return
    below, amount = without_sign(name)
    parts = amount_parts(amount, languages)
    if not parts:
        return
    said_in = with_known_numbers(tuple(dict.fromkeys(("en", *languages))))
    if below:
        yield from _below_zero(parts[0], said_in)
        return
    if len(parts) == 1:
        [part] = parts
        if not part.units and part.number % 1 == 0:
            yield _behind_its_label(part, said_in)
        yield from _amounts(part.number, words_of(part), part.units, said_in)
        digits = f"{part.number:f}"
        if len(digits) > 1:
            yield rf"(?:{any_of(_in_digits(part.number))})(?=\s*(?:\Z|[,;!?)}}\]\n]|\.(?!\d)))"
    yield from _in_other_units(parts, said_in)


def _behind_its_label(part: AmountPart, languages: tuple[Language, ...]) -> str:
    """ "Bathrooms: 9", "| bathrooms | 7 | 9 |": a number in the field of what it counts."""
    word = re.escape(part.word.removesuffix("s"))
    return (
        rf"(?<!\w){word}\w{{0,2}}\s*(?:[:=,]|\s-|->)(?:\s*\d+\s*,){{0,2}}\s*"
        rf"(?:{_said(part.number, languages)})(?=\s*(?:\Z|[,;)}}\]\n]|\.(?!\d)))"
    )


def _in_digits(number: Decimal) -> tuple[str, ...]:
    plain = f"{number:f}"
    whole, _, fraction = plain.partition(".")
    if fraction:
        short = fraction.rstrip("0")
        fractions = dict.fromkeys((fraction, short, short.ljust(2, "0")))
        ways = [f"{whole}{point}{digits}" for digits in fractions for point in ".," if digits]
        return tuple(dict.fromkeys((*ways, *((whole,) if not short else ()))))
    spaced = (f"{whole[:-3]} {whole[-3:]}",) if len(whole) > 3 else ()
    return (whole, *spaced, *_with_myriads(number))


def _with_myriads(number: Decimal) -> Iterator[str]:
    """ "2.5万" and "2만 5천" for 25,000."""
    myriads, rest = divmod(int(number), 10_000)
    if myriads and not rest % 100:
        for sign, thousand in (("万", "千"), ("萬", "千"), ("만", "천")):
            yield f"{(number / 10_000).normalize():f}{sign}"
            if rest and not rest % 1000:
                yield from (f"{myriads}{sign}{gap}{rest // 1000}{thousand}" for gap in ("", " "))


def _said(number: Decimal, languages: tuple[Language, ...]) -> str:
    """An expression for a number in digits and words."""
    short = f"{number.normalize():f}"
    small = (
        [] if number % 1 else [word for language in languages for word in before_units(int(number), language)]
    )
    return any_of(dict.fromkeys((*_in_digits(number), *other_numbers(short, languages), *small)))


def _amounts(
    number: Decimal, words: Sequence[str], units: Sequence[str], languages: tuple[Language, ...]
) -> Iterator[str]:
    """One number with one unit."""
    scale = _not_of_another_scale(units)
    eastern = EASTERN_SCALE if "celsius" in units else ""
    said, named = _said(number, languages), any_of(words)
    yield rf"{eastern}(?:{said})\s*(?:{named}){scale}"
    if before := BEFORE_THE_NUMBER.intersection(words):
        yield rf"(?:{any_of(before)})\s*(?:{said})"
    if quarters := measure_units().file.quarters.get(f"{number.normalize():f}"):
        yield rf"(?:{any_of(quarters)})\s*(?:(?:{any_of(OF)})\s*){{0,2}}(?:{named})"
    if "hour" in units and not number % 1:
        yield rf"q\.?\s?{number.normalize():f}\s?h(?:rs?|ours?)?(?!\w)|(?:{said})\s*hourly(?!\w)"
    if "foot" in units and not number % 1:
        yield rf"{number.normalize():f}'(?!'|\s?\d)"
    if number % 1 != Decimal("0.5"):
        return
    if number < 1:
        halves = any_of(measure_units().halves)
        yield rf"{_BEFORE_A_HALF}(?:(?:{halves})\s*(?:(?:an?|of\s+an?)\s+)?|1/2\s*)(?:{named})"
        return
    whole = _said(number - Decimal("0.5"), languages)
    whole = f"{whole}|an?" if number < 2 else whole
    for language in languages:
        if language in _HALF_BEHIND:
            yield rf"(?:{whole})\s*(?:{named}){_HALF_BEHIND[language]}"


def _below_zero(part: AmountPart, languages: tuple[Language, ...]) -> Iterator[str]:
    file = measure_units().file
    said, named = _said(part.number, languages), any_of(words_of(part))
    scale = _not_of_another_scale(part.units)
    unit = rf"(?:\s*(?:{named}){scale}|(?!\s*{DEGREES.pattern}))"
    yield rf"(?:{any_of(file.minus)})\s*{EASTERN_SCALE}(?:{said}){unit}"
    yield rf"(?:{said})\s*(?:(?:{named})\s*)?(?:{any_of(file.below_zero)})"


def _not_of_another_scale(units: Sequence[str]) -> str:
    return _OTHER_SCALE.get(units[0], "") if len(units) == 1 else ""


def _in_other_units(parts: Sequence[AmountPart], languages: tuple[Language, ...]) -> Iterator[str]:
    """The same amount in other units of its kind, if it comes out in few digits; and in several in a row."""
    words = measure_units().words
    for kind in measure_units().file.kinds:
        factors = [next((kind[unit] for unit in part.units if unit in kind), None) for part in parts]
        if None in factors:
            continue
        amounts = (part.number * (factor or 0) for part, factor in zip(parts, factors, strict=True))
        total = sum(amounts, Decimal(0))
        for unit, factor in kind.items():
            amount = (total / factor).normalize()
            own = len(parts) == 1 and unit in parts[0].units
            if not own and amount >= _LEAST and len(f"{amount:f}") <= _MOST_DIGITS:
                yield from _amounts(amount, words[unit], (unit,), languages)
        for row in _rows(total, kind):
            yield _row(row, languages)
            yield from _with_signs(dict(row))


def _rows(total: Decimal, kind: dict[str, int]) -> Iterator[tuple[tuple[str, Decimal], ...]]:
    """Two or three units of a kind that together are ``total`` of its last unit."""
    names = list(kind)
    for first in range(len(names) - 1):
        rest, row = total, []
        for name in names[first:]:
            amount = rest // kind[name] if name != names[-1] else rest
            rest -= amount * kind[name]
            if amount:
                row.append((name, amount.normalize()))
        if row and row[0][0] == names[first] and 2 <= len(row) <= 3 and row[0][1] < 10_000:
            yield tuple(row)


def _row(row: Sequence[tuple[str, Decimal]], languages: tuple[Language, ...]) -> str:
    """Amounts behind one another; the last unit may be left out ("2 heures 30")."""
    words = measure_units().words
    said = []
    for name, amount in row:
        padded = f"|{int(amount):02d}" if amount < 10 and not amount % 1 else ""
        first = "|an?" if amount == 1 else ""
        said.append(rf"(?:{_said(amount, languages)}{padded}{first})\s*(?:{any_of(words[name])})")
    said[-1] += "?"
    return rf"\.?{_LINK}".join(said)


def _with_signs(row: dict[str, Decimal]) -> Iterator[str]:
    """ "1'12''", "1:12", "2:05:30" and "5'9''"; normalised texts have lost their double quotes."""
    if any(amount % 1 for amount in row.values()):
        return
    day, hour, minute, second = (int(row.get(unit, 0)) for unit in ("day", "hour", "minute", "second"))
    if {"minute", "second"} <= row.keys() and not day:
        if hour:
            yield rf"{hour}:{minute:02d}:{second:02d}"
        else:
            yield rf"{minute}(?:'\s?0?{second}(?:'')?|:{second:02d}|m\s?{second}s)"
    if row.keys() == {"hour", "minute"}:
        yield rf"{hour}:{minute:02d}\s?(?:h|hrs?|hours?|std|stunden|heures?|horas?|ore|ч)"
    if row.keys() == {"foot", "inch"}:
        yield rf"{int(row['foot'])}'\s?{int(row['inch'])}(?:'')?"
