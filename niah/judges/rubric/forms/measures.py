"""A number with its unit, written otherwise: "18,50 €" is "achtzehn Euro fünfzig", "1'12''" is 72 seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from itertools import pairwise
from pathlib import Path

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.numbers import any_of, before_units, number_of, other_numbers
from niah.judges.rubric.languages.detect import Language

_MOST_DIGITS = 6
_MOST_WORDS = 6
"""Words of a number, and of a unit that is not known: "840 moedas de prata"."""
_MOST_UNKNOWN = 2
_CURRENCY_SIGNS = "$€£¥₩₽"
_BEFORE_THE_NUMBER = frozenset(
    (*_CURRENCY_SIGNS, "us$", "r$", "eur", "usd", "gbp", "chf", "jpy", "krw", "cny")
)
_HAN_NUMERALS = "〇零一二三四五六七八九十百千万萬两兩"
_GLUED = re.compile(
    rf"(?<=\d)(?=[^\W\d]|[°%{_CURRENCY_SIGNS}])|(?<=[{_CURRENCY_SIGNS}])(?=\d)|(?<=[hm])(?=\d\d)"
    rf"|(?<=[分时時간분点])(?=[\d{_HAN_NUMERALS}])|(?<=[{_HAN_NUMERALS}])(?=[^\s\d{_HAN_NUMERALS}])"
    r"|(?<=[^\W\d_])(?=[半반](?:\s|\Z))|(?<=\A半)|(?<=\Amezz')|(?<=\Aпол)(?=часа|кило|литра|метра|года)|(?<=\d)(?=['\"])|(?<=')(?=\d)"
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_FRACTION = {"1/2": "0.5", "1/4": "0.25", "3/4": "0.75"}
_MYRIADS = re.compile(r"(\d{1,4}(?:\.\d)?)\s?[万萬만](?:\s?(\d)\s?[千천])?(?=\s*[^\W\d])")
_WITH_SIGNS = re.compile(r"(\d{1,2})'\s?(\d{1,2})(?:'')?")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_POINTED = frozenset(("de", "es", "pt", "it", "ru", "fr"))
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
_OF = ("of", "an", "a", "de", "d'", "di", "einer", "eines", "einem", "da")
_ENDS_IN_A_UNIT = re.compile(r"\d\s?[^\W\d]+\.?\s+(?:\w{1,3}\s+)?\Z")
_BEGINS_WITH_A_NUMBER = re.compile(r"\.?\s+(?:\w{1,3}\s+)?\d")
_OTHER_SCALE = {
    "celsius": r"(?!\s*(?:f\b|fahrenheit|kelvin|по\s+фаренгейту))",
    "fahrenheit": r"(?!\s*(?:c\b|celsius|centigrade|kelvin|цельсия))",
}
_EASTERN_SCALE = r"(?:(?:摄氏|攝氏|섭씨|摂氏|セ氏)\s*)?"
_CUT = re.compile(r"(?<![\d,]\d)(?<!,)\d{1,3},\Z|(?<!\d)[13]/\Z")
_DEGREES = re.compile("(?:[°度도]|degr|grad|grau|град)")


class UnitFile(FileModel):
    """The words of measures in the ten languages; a list of ``units`` is named by its first word.

    ``kinds`` say how many of its last unit each other one of a kind is.
    """

    sources: tuple[NonEmptyText, ...]
    units: tuple[tuple[NonEmptyText, ...], ...]
    kinds: tuple[dict[str, int], ...]
    links: frozenset[NonEmptyText]
    ones: frozenset[NonEmptyText]
    halves: tuple[NonEmptyText, ...]
    quarters: dict[str, tuple[NonEmptyText, ...]]
    minus: tuple[NonEmptyText, ...]
    below_zero: tuple[NonEmptyText, ...]


@dataclass(frozen=True)
class _Units:
    """``named`` has the unit of each word, or several; ``words`` all words of a unit."""

    file: UnitFile
    named: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    halves: frozenset[str]


@dataclass(frozen=True)
class _Part:
    """One number with its unit; ``units`` is empty where the word is no unit that is known."""

    number: Decimal
    word: str
    units: tuple[str, ...]


@cache
def _units() -> _Units:
    file = load_yaml(Path(__file__).with_name("units.yaml"), UnitFile)
    named: dict[str, tuple[str, ...]] = {}
    for words in file.units:
        for word in words:
            spaced = word.replace("-", " ")
            named[spaced] = (*named.get(spaced, ()), words[0])
    halves = frozenset(half.replace("-", " ") for half in file.halves)
    return _Units(file, named, {words[0]: words for words in file.units}, halves)


def unit_words() -> dict[str, tuple[str, ...]]:
    """The words for each unit, by its name."""
    return {unit: tuple(word.replace("-", " ") for word in words) for unit, words in _units().words.items()}


def other_measures(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    """Expressions for other ways to write a normalised name that is one amount, or several in a row."""
    if signs := _WITH_SIGNS.fullmatch(name):
        for larger, smaller in (("foot", "inch"), ("minute", "second")):
            both = [
                _Part(Decimal(n), unit, (unit,))
                for n, unit in zip(signs.groups(), (larger, smaller), strict=True)
            ]
            yield from _in_other_units(both, tuple(dict.fromkeys(("en", *languages))))
        return
    below, amount = _without_sign(name)
    parts = _parts(amount, languages)
    if not parts:
        return
    said_in = tuple(dict.fromkeys(("en", *languages)))
    if below:
        yield from _below_zero(parts[0], said_in)
        return
    if len(parts) == 1:
        [part] = parts
        if not part.units and part.number % 1 == 0:
            yield _behind_its_label(part, said_in)
        yield from _amounts(part.number, _words_of(part), part.units, said_in)
        digits = f"{part.number:f}"
        if len(digits) > 1:
            yield rf"(?:{any_of(_in_digits(part.number))})(?=\s*(?:\Z|[,;!?)}}\]\n]|\.(?!\d)))"
    yield from _in_other_units(parts, said_in)


def _behind_its_label(part: _Part, languages: tuple[Language, ...]) -> str:
    """ "Bathrooms: 9", "| bathrooms | 7 | 9 |": a number in the field of what it counts."""
    word = re.escape(part.word.removesuffix("s"))
    return (
        rf"(?<!\w){word}\w{{0,2}}\s*(?:[:=,]|\s-|->)(?:\s*\d+\s*,){{0,2}}\s*"
        rf"(?:{_said(part.number, languages)})(?=\s*(?:\Z|[,;)}}\]\n]|\.(?!\d)))"
    )


def is_another_amount(text: str, start: int, end: int) -> bool:
    """Whether an amount, ``text[start:end]``, is cut out of another: "5 kg" of "1,5 kg", or 5 °C of -5 °C."""
    if not text[start].isdigit() or text[start:end].isdecimal():
        return False
    if _CUT.search(text[max(0, start - 8) : start]) or _is_part_of_a_row(text, start, end):
        return True
    if not _DEGREES.search(text, start, end):
        return False
    return bool(_minus().search(text[max(0, start - 12) : start]) or _below().match(text, end))


def _is_part_of_a_row(text: str, start: int, end: int) -> bool:
    """Whether a larger unit of its kind stands before an amount, or a smaller one behind it."""
    unit = text[start:end].lstrip("0123456789., ")
    before, behind = text[max(0, start - 24) : start], text[end : end + 24]
    if not (unit and (_ENDS_IN_A_UNIT.search(before) or _BEGINS_WITH_A_NUMBER.match(behind))):
        return False
    return any(
        (unit in smaller and before_it.search(before)) or (unit in larger and behind_it.match(behind))
        for larger, smaller, before_it, behind_it in _rows_of_units()
    )


@cache
def _rows_of_units() -> tuple[tuple[frozenset[str], frozenset[str], re.Pattern[str], re.Pattern[str]], ...]:
    """Of each two neighbours of a kind: the words of both, and how either stands beside the other."""
    found, words = [], unit_words()
    for kind in _units().file.kinds:
        for first, second in pairwise(kind):
            larger, smaller = words[first], words[second]
            before = re.compile(rf"\d\s?(?:{any_of(larger)})\.?\s+(?:(?:and|und|et|y|e|и)\s+)?\Z")
            behind = re.compile(rf"\.?\s+(?:(?:and|und|et|y|e|и)\s+)?\d{{1,4}}\s?(?:{any_of(smaller)})(?!\w)")
            found.append((frozenset(larger), frozenset(smaller), before, behind))
    return tuple(found)


@cache
def _minus() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(_units().file.minus)})\s*{_EASTERN_SCALE}\Z")


@cache
def _below() -> re.Pattern[str]:
    return re.compile(rf"\s+(?:{any_of(_units().file.below_zero)})\b")


def _without_sign(name: str) -> tuple[bool, str]:
    """Whether an amount is below zero, and the amount."""
    file = _units().file
    before = re.match(rf"(?:{any_of(file.minus)})\s*{_EASTERN_SCALE}(?=\S)", name)
    behind = re.search(rf"\s+(?:{any_of(file.below_zero)})\Z", name)
    start, end = before.end() if before else 0, behind.start() if behind else len(name)
    return before is not None or behind is not None, name[start:end]


def _parts(name: str, languages: tuple[Language, ...]) -> list[_Part]:
    """The amounts of a name, one behind the other; empty where it is anything else."""
    tokens = _GLUED.sub(" ", _MYRIADS.sub(_without_myriads, name)).split()
    parts: list[_Part] = []
    place, units = 0, _units()
    while place < len(tokens):
        if parts and tokens[place].rstrip(",") in {*units.file.links, "с", ""}:
            place += 1
            continue
        if parts and (half := _half_at(tokens, place)):
            parts[-1] = _Part(parts[-1].number + Decimal("0.5"), parts[-1].word, parts[-1].units)
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
    tokens: Sequence[str], place: int, parts: Sequence[_Part], languages: tuple[Language, ...]
) -> tuple[_Part | None, int]:
    if not parts and tokens[place] in _BEFORE_THE_NUMBER:
        number, behind = _number_at(tokens, place + 1, languages)
        whole = number is not None and behind == len(tokens)
        units = _units().named[tokens[place]]
        return (_Part(number, tokens[place], units) if whole and number is not None else None), behind
    number, behind = _number_at(tokens, place, languages)
    if number is None:
        return None, place
    for words in range(min(4, len(tokens) - behind), 0, -1):
        word = " ".join(tokens[behind : behind + words]).rstrip(".,") or tokens[behind]
        if word in _units().named:
            return _Part(number, word, _units().named[word]), behind + words
    rest = tokens[behind:]
    if parts and not rest and (smaller := _next_smaller(parts[-1])):
        return _Part(number, smaller, (smaller,)), behind
    unknown = " ".join(rest)
    is_one = tokens[place] in _units().file.ones or _half_at(tokens, place) > 0
    if parts or is_one or not 0 < len(rest) <= _MOST_UNKNOWN or not all(map(str.isalpha, rest)):
        return None, place
    return _Part(number, unknown, ()), len(tokens)


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
        for share, quarters in _units().file.quarters.items():
            if said in quarters:
                behind = place + words
                while behind < len(tokens) and tokens[behind] in _OF:
                    behind += 1
                return Decimal(share), behind
    for words in range(min(_MOST_WORDS, len(tokens) - place), 0, -1):
        if value := number_of(" ".join(tokens[place : place + words]), languages):
            return Decimal(value), place + words
    if half := _half_at(tokens, place):
        behind = place + half
        return Decimal("0.5"), behind + (behind < len(tokens) and tokens[behind] in _units().file.ones)
    return (Decimal(1), place + 1) if tokens[place] in _units().file.ones else (None, place)


def _plain(digits: str, languages: tuple[Language, ...]) -> Decimal | None:
    if "," in digits:
        digits = digits.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(digits) and not _POINTED.isdisjoint(languages):
        digits = digits.replace(".", "")
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


def _half_at(tokens: Sequence[str], place: int) -> int:
    """How many tokens say "a half" there."""
    return next((n for n in (2, 1) if " ".join(tokens[place : place + n]) in _units().halves), 0)


def _next_smaller(part: _Part) -> str:
    """The unit that a number behind the part has: "2 heures 30" are minutes."""
    for kind in _units().file.kinds:
        names = list(kind)
        for unit in set(part.units).intersection(names[:-1]):
            return names[names.index(unit) + 1]
    return ""


def _words_of(part: _Part) -> tuple[str, ...]:
    known = (word for unit in part.units for word in _units().words[unit])
    return tuple(dict.fromkeys((part.word, *known)))


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
    eastern = _EASTERN_SCALE if "celsius" in units else ""
    said, named = _said(number, languages), any_of(words)
    yield rf"{eastern}(?:{said})\s*(?:{named}){scale}"
    if before := _BEFORE_THE_NUMBER.intersection(words):
        yield rf"(?:{any_of(before)})\s*(?:{said})"
    if quarters := _units().file.quarters.get(f"{number.normalize():f}"):
        yield rf"(?:{any_of(quarters)})\s*(?:(?:{any_of(_OF)})\s*){{0,2}}(?:{named})"
    if number % 1 != Decimal("0.5"):
        return
    if number < 1:
        halves = any_of(_units().halves)
        yield rf"{_BEFORE_A_HALF}(?:(?:{halves})\s*(?:(?:an?|of\s+an?)\s+)?|1/2\s*)(?:{named})"
        return
    whole = _said(number - Decimal("0.5"), languages)
    whole = f"{whole}|an?" if number < 2 else whole
    for language in languages:
        if language in _HALF_BEHIND:
            yield rf"(?:{whole})\s*(?:{named}){_HALF_BEHIND[language]}"


def _below_zero(part: _Part, languages: tuple[Language, ...]) -> Iterator[str]:
    file = _units().file
    said, named = _said(part.number, languages), any_of(_words_of(part))
    scale = _not_of_another_scale(part.units)
    unit = rf"(?:\s*(?:{named}){scale}|(?!\s*{_DEGREES.pattern}))"
    yield rf"(?:{any_of(file.minus)})\s*{_EASTERN_SCALE}(?:{said}){unit}"
    yield rf"(?:{said})\s*(?:(?:{named})\s*)?(?:{any_of(file.below_zero)})"


def _not_of_another_scale(units: Sequence[str]) -> str:
    return _OTHER_SCALE.get(units[0], "") if len(units) == 1 else ""


def _in_other_units(parts: Sequence[_Part], languages: tuple[Language, ...]) -> Iterator[str]:
    """The same amount in other units of its kind, if it comes out in few digits; and in several in a row."""
    words = _units().words
    for kind in _units().file.kinds:
        factors = [next((kind[unit] for unit in part.units if unit in kind), None) for part in parts]
        if None in factors:
            continue
        amounts = (part.number * (factor or 0) for part, factor in zip(parts, factors, strict=True))
        total = sum(amounts, Decimal(0))
        for unit, factor in kind.items():
            amount = (total / factor).normalize()
            own = len(parts) == 1 and unit in parts[0].units
            if not own and amount >= Decimal("0.1") and len(f"{amount:f}") <= _MOST_DIGITS:
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
    words = _units().words
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
