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
from niah.judges.rubric.languages.detect import Language
from niah.text.writing import UNSPACED


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
    digits = in_digits(text, languages)
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
    patterns, of_units = _patterns()
    patterns = patterns if _ANY_DIGIT.search(text) else ()
    plain = (
        (pattern, kind)
        for needs, pattern, kind in patterns
        if not needs or any(need in text for need in needs)
    )
    units = ((pattern, unit) for unit in _units_in(text) for pattern in of_units[unit])
    for pattern, kind in chain(plain, units):
        for match in pattern.finditer(text):
            yield from _valued(match, kind)


_ANY_DIGIT = re.compile(r"\d")
_BEHIND_A_NUMBER = re.compile(
    r"(?:\d|(?<!\w)(?:an?|one|une?|una|eine?)(?=\s))(?=\s?(\S))(?=\s?(?:of\s+)?(?:an?\s+)?(\S)|\s+(\S))"
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
            below = _BELOW_UNITS.get(kind)
            if below is None:
                return
            amount += Fraction(groups["m"]) / below
        yield WrittenValue(name, amount * factor, match.start(), _before_the_stop(match))
        if name in MONEY and amount >= _TELLS_ITSELF:
            yield WrittenValue("", amount, *match.span())


def _before_the_stop(match: re.Match[str]) -> int:
    """Where a measure ends: the stop behind a whole word ends its sentence."""
    return match.end() - (_WHOLE_WORD_AND_STOP.search(match[0]) is not None)


_WHOLE_WORD_AND_STOP = re.compile(r"[^\W\d_]{4}\.\Z")
_ON_24_HOURS = re.compile(r"\A1?\d\s?h\s?\d\d")
"""Where "22 h 20" is written, "10 h 20" is before noon."""
MONEY = frozenset(
    ("dollar", "euro", "gbp", "yen", "yuan", "won", "rouble", "real", "peso", "franc", "lira", "crown")
)
"""Units that are currencies."""
_TELLS_ITSELF = 1000
"""The least sum of money that is told without its currency."""
_BELOW_UNITS = {
    "hour": 60,
    "minute": 60,
    "m": 100,
    "foot": 12,
    "dollar": 100,
    "euro": 100,
    "gbp": 100,
    "year": 12,
}
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


@lru_cache(maxsize=1)
def _patterns() -> tuple[
    tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...], dict[str, tuple[re.Pattern[str], ...]]
]:
    """Those that stand for themselves, each with its kind of value, then those of each unit.

    Before the first stands what a text must have, one of several, that has such a value.
    """
    n = rf"(?<![^\W{UNSPACED}])(?<![.,:/第])(?P<n>\d{{1,15}}(?:\.\d{{1,4}}|/0{{0,3}}[1-9]\d{{0,3}})?)"
    hour = r"(?<![\w.,:/])(?P<n>\d{1,2})"
    end = r"(?![\w/]|[.,:]\d)"
    link = r"(?:and|und|et|y|e|и|с)"
    told: list[tuple[tuple[str, ...], str, str]] = [
        (
            ("%", "cent", "pct", "prozent", "cien", "процент", "パーセント", "퍼센트"),
            rf"{n}\s?(?:%|percent|per\s+cent|pct|prozent|pour\s+cent|por\s+ciento|por\s+cento|per\s+cento|процент\w*|パーセント|퍼센트)",
            "%",
        ),
        (("百分之",), r"百分之(?P<n>\d{1,6})", "%"),
        (("割", "成"), r"(?<!\d)(?P<n>\d{1,4})(?:割|成)", "tenths"),
        ((), rf"{hour}\s?[:.h]\s?(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{end}", "clock"),
        ((), rf"{hour}\.(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{end}", "clock"),
        (("uhr", "heure", "ч"), rf"{hour}\s+(?:uhr|heures?|ч(?:ас\w*)?)\s+(?P<m>[0-5]?\d){end}", "clock"),
        ((), rf"{hour}\s?(?:[ap]\.?\s?m\b\.?|o'clock|uhr\b)", "clock"),
        (("quarter",), rf"(?:a\s+)?quarter\s+past\s+{hour}\b", "clock quarter"),
        (("quarter",), rf"(?:a\s+)?quarter\s+to\s+{hour}\b", "clock less"),
        (("half",), rf"half\s+past\s+{hour}\b", "clock half"),
        (("past",), rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?past\s+{hour}\b", "clock"),
        (("to",), rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?to\s+{hour}\b", "clock to"),
        (("halb",), rf"halb\s+{hour}\b", "clock before"),
        (("viertel",), rf"viertel\s+nach\s+{hour}\b", "clock quarter"),
        (("viertel",), rf"viertel\s+vor\s+{hour}\b", "clock less"),
        (("heure",), rf"{hour}\s+heures?\s+et\s+quart\b", "clock quarter"),
        (("heure",), rf"{hour}\s+heures?\s+et\s+demie?\b", "clock half"),
        (("heure",), rf"{hour}\s+heures?\s+moins\s+le\s+quart\b", "clock less"),
        (
            ("media", "meia", "mezz", "trenta"),
            rf"(?:l[ae]s?\s+)?{hour}\s+(?:y\s+media|e\s+meia|e\s+mezz[ao]|e\s+trenta)\b",
            "clock half",
        ),
        (("cuarto", "quarto"), rf"(?:l[ae]s?\s+)?{hour}\s+(?:y\s+cuarto|e\s+un\s+quarto)\b", "clock quarter"),
        (
            ("menos", "meno"),
            rf"(?:l[ae]s?\s+)?{hour}\s+(?:menos\s+cuarto|meno\s+un\s+quarto)\b",
            "clock less",
        ),
        (("点", "點", "時", "时", "시"), r"(?P<n>\d{1,2})\s?[点點時时시]\s?[半반]", "clock half"),
        (("一刻",), r"(?P<n>\d{1,2})[点點]一刻", "clock quarter"),
        (("点", "點", "時", "时", "시"), r"(?P<n>\d{1,2})\s?[点點時时시]\s?(?P<m>\d{1,2})\s?[分분]", "clock"),
        (
            ("点", "點", "時", "时", "시"),
            r"(?<!\d)(?P<n>\d{1,2})\s?[点點時时시](?![間间간])(?!\s?(?:\d|[半반一三差]|钟头))",
            "clock",
        ),
        (("heure",), rf"{hour}\s+heures?\s+moins\s+(?P<m>\d{{1,2}})\b", "clock to"),
        ((), rf"{n}{end}", ""),
        (
            (" in ", "out of", " von ", " sur ", " cada ", " su "),
            r"(?<!\w)(?P<one>1|one|eine?[rs]?|une?|un[oa]|uma?)\s+(?:[^\W\d_]+\s+)?(?:in|out\s+of|von|sur|(?:de|em)\s+cada|su)"
            rf"\s+(?:every\s+|each\s+)?(?P<n>[2-9]|1\d|20|100|1000){end}",
            "one in",
        ),
    ]
    half = r"half|1/2|halbe?|demie?|medi[oa]|mei[oa]|mezz[oa]|половиной"
    told += [
        ((sign,), rf"\{sign}\s?(?P<n>\d{{1,15}}(?:\.\d{{1,4}}|/0{{0,3}}[1-9]\d{{0,3}})?)", kind)
        for sign, kind in (("$", "dollar"), ("€", "euro"), ("£", "gbp"))
    ]
    plain = tuple((needs, re.compile(pattern), kind) for needs, pattern, kind in told)
    of_a_unit: list[tuple[str, str]] = []
    for kind, words in unit_words().items():
        if kind == "percent":
            continue
        either = "|".join(
            re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)
        )
        unit = rf"(?:{either})(?![a-z\u00df-\u024f\u0400-\u04ff])\.?"
        behind = rf"(?:\s+{link}\s+(?:(?:a|one|ein|une?|una)\s+)?(?P<half>{half})\b|(?P<east>半|반))?"
        of_a_unit.append((rf"{n}\s?(?:of\s+)?(?:an?\s+)?{unit}{behind}", kind))
        of_a_unit.append(
            (
                rf"(?<!\w)(?:an?|one|une?|una|eine?)\s+{unit}\s+{link}\s+(?:a\s+)?(?P<half>{half})\b(?P<n>)",
                kind,
            )
        )
        if kind in _BELOW_UNITS:
            below = {"hour": "minute", "minute": "second", "m": "cm", "foot": "inch", "year": "month"}.get(
                kind
            )
            lower = unit_words().get(below or "", ("cents", "cent", "centimes", "pence", "p"))
            lesser = "|".join(re.escape(word) for word in sorted(lower, key=len, reverse=True))
            of_a_unit.append((rf"{n}\s?{unit}\s*,?\s*(?:{link}\s+)?(?P<m>\d{{1,4}})\s*(?:{lesser})\b", kind))
    of_units: dict[str, list[re.Pattern[str]]] = {unit: [] for unit in unit_words()}
    for pattern, kind in of_a_unit:
        of_units[kind].append(re.compile(pattern))
    return plain, {unit: tuple(patterns) for unit, patterns in of_units.items()}
