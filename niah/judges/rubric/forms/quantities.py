"""Dates, times of day and measures, written otherwise: "9 AM" is "09:00", "14 March 1871" is "1871-03-14"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.amounts.other_measures import other_measures
from niah.judges.rubric.forms.borders import NUMERALS
from niah.judges.rubric.forms.number_forms import cases_in_russian
from niah.judges.rubric.forms.numbers import any_of, before_units, number_of, other_numbers
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

_LONGEST = 40
"""Characters of a name that may be a quantity."""

_DECADE = re.compile(r"[12]\d\d0s")
_LEAST_STEM = 3
_SIGNS_OF_DATES = re.compile(f"[{NUMERALS}]+(?=[月日号號])")

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|o|°)?\.?"
_DATES = (
    re.compile(
        rf"(?:the )?{_DAY}(?: of| de)? (?P<month>[^\W\d]+)\.?(?: de| of)?"
        r"(?:,? (?P<year>\d{3,4})(?: г(?:ода?)?\.?)?)?"
    ),
    re.compile(rf"(?P<month>[^\W\d]+)\.? (?:the )?{_DAY}(?:,? (?P<year>\d{{3,4}}))?"),
    re.compile(r"(?P<year>\d{4}) (?P<number>0?[1-9]|1[0-2]) (?P<day>\d{1,2})"),
    re.compile(r"(?:(?P<year>\d{3,4}) ?[年년] ?)?(?P<number>\d{1,2}) ?[月월] ?(?P<day>\d{1,2}) ?[日일号號]"),
)
_UNDER_TEN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINALS = (
    *("", *_UNDER_TEN, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
    *(rf"twenty\s+{ordinal}" for ordinal in _UNDER_TEN),
    *("thirtieth", r"thirty\s+first"),
)
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h ](?P<minute>[0-5]\d))? ?(?P<half>[ap]\.? ?m\.?|o'clock|uhr|h)?"
    r"(?: (?P<part>in the morning|in the afternoon|in the evening|at night))?"
)
_FORENOON = (
    r"a\.?\s?m\.?(?!\s+(?:nachmittag|abend|mittag))|in\s+the\s+morning|morgens|vormittags|früh|du\s+matin|de\s+la\s+mañana|da\s+manhã"
    r"|del\s+mattino|di\s+mattina|утра"
)
_AFTERNOON = (
    r"p\.?\s?m\.?|in\s+the\s+(?:afternoon|evening)|at\s+night|nachmittags|abends|du\s+soir"
    r"|de\s+l'après\s+midi|de\s+la\s+(?:tarde|noche)|da\s+(?:tarde|noite)|del\s+pomeriggio|di\s+sera"
    r"|вечера|дня"
)
_EASTERN_FORENOON = "上午|午前|오전|早上|凌晨|清晨|朝|早晨|새벽|아침|未明|早朝"
_EASTERN_AFTERNOON = "下午|午後|午后|오후|晚上|傍晚|夜|저녁|밤|夕方"
_CLOCK = r"\s*(?:o'clock|uhr|heures?|h|horas?|ore|час(?:а|ов)?|点整?|點|時|시)?"
_SPOKEN_IN_THE_EAST = re.compile(
    rf"(?:(?P<early>{_EASTERN_FORENOON})|(?P<late>{_EASTERN_AFTERNOON}))?の? ?"
    rf"(?P<hour>\d{{1,2}}|[{NUMERALS}]{{1,3}}) ?[点點時时시]"
    rf"(?: ?(?P<half>[半반])|整|钟|鐘| ?(?P<minute>\d{{1,2}}|[{NUMERALS}]{{1,3}}) ?[分분])?"
)
# "{}" is the hour, "{next}" the one after it, in digits or words.
_SPOKEN = {
    15: (
        *(
            "quarter past {}",
            "{} fifteen",
            "viertel nach {}",
            "viertel {next}",
            "{} uhr fünfzehn",
            "{} heures? et quart",
        ),
        *("{} y cuarto", "{} e quinze", "{} e un quarto", "четверть {next}", "{}[点點]一刻"),
        *("kwart over {}", "kvart över {}"),
    ),
    30: (
        *("half past {}", "half {}", "{} thirty", "halb {next}", "{} uhr dreissig", "{} heures? et demie?"),
        *("{} heures? trente", "{} y media", "{} e meia", "{} e mezz[oa]", "{} e trenta", "половина {next}"),
        *("{} ?[点點時时시] ?[半반]", "{}[点點時时]三十分", "halv {next}", "{} buçuk\\w*"),
    ),
    45: (
        *("quarter to {next}", "{} forty five", "viertel vor {next}", "drei ?viertel {next}"),
        *(
            "{next} heures? moins le quart",
            "{next} menos cuarto",
            "um quarto para as {next}",
            "{next} meno un quarto",
        ),
        *("без четверти {next}", "{}[点點]三刻", "kwart voor {next}", "kvart i {next}"),
    ),
}
_IN_BRITAIN, _IN_DUTCH = "half {}", "half {next}"
"""Half past six in Britain, half past five in Dutch."""
_MEASURED = re.compile(r"(?P<number>\d[\d.,]*) (?P<unit>[^\W\d_]{2,})")
_OR_AND = r"(?:or|and|oder|und|ou|et|o|y|e|или|и)"
_TWELVES = {
    "noon": r"12(?:[:.]00)?\s?p\.?m\.?|12[:.]00|midday|mittags?",
    "midnight": r"12(?:[:.]00)?\s?a\.?m\.?|0?0[:.]00|mitternachts?",
}


class QuantityFile(FileModel):
    """The words of dates. Each list holds the ways to say one thing in all languages."""

    sources: tuple[NonEmptyText, ...]
    months: tuple[tuple[NonEmptyText, ...], ...]
    months_beside_a_day: tuple[tuple[NonEmptyText, ...], ...]
    weekdays: tuple[tuple[NonEmptyText, ...], ...]


@dataclass(frozen=True)
class _Words:
    """Each word with all that say the same; ``number_of_month`` counts from 1."""

    number_of_month: dict[str, int]
    months: tuple[tuple[str, ...], ...]
    beside_a_day: tuple[tuple[str, ...], ...]
    weekdays: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _words() -> _Words:
    file = load_yaml(Path(__file__).with_suffix(".yaml"), QuantityFile)
    return _Words(
        {month: number for number, months in enumerate(file.months, start=1) for month in months},
        file.months,
        tuple((*long, *short) for long, short in zip(file.months, file.months_beside_a_day, strict=True)),
        {day.replace("-", " "): days for days in file.weekdays for day in days},
    )


def is_month(word: str) -> bool:
    """Whether a normalised word is a month's name."""
    return word in _words().number_of_month


def other_quantities(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    """Expressions for other ways to write a normalised name that is a date, a time of day or a measure."""
    if 0 < len(name) <= _LONGEST and not _DECADE.fullmatch(name):
        name = _SIGNS_OF_DATES.sub(lambda signs: number_of(signs[0]) or signs[0], name)
        yield from _days_and_months(name)
        yield from _dates(name, languages)
        yield from _times(name, languages)
        yield from other_measures(name, languages)
        yield from _before_another(name)


def _before_another(name: str) -> Iterator[str]:
    """The number alone, where another one behind it has the unit of both: "18 or 25 thalers"."""
    if measured := _MEASURED.fullmatch(name):
        unit = measured["unit"].removesuffix("s")
        yield rf"(?<![\d.,:]){re.escape(measured['number'])}(?=\s+{_OR_AND}\s+\d[\d.,]*\s+{unit}s?\b)"


def dates_in(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The days of months that a normalised text names, each as month and day, and its place."""
    months = _words().number_of_month
    found = []
    for match in _DAY_OF_MONTH.finditer(text):
        number = months.get(match["after"] or match["before"] or "")
        day = int(match["day"] or match["other"])
        if number and 1 <= day <= 31:
            found.append(((number, day), match.span()))
    return found


_DAY_OF_MONTH = lazy_pattern(
    r"(?<!\w)(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?(?:\s+(?:of|de|del))?\s+(?P<after>[^\W\d_]{3,12})"
    r"|(?P<before>[^\W\d_]{3,12})\s+(?:the\s+)?(?P<other>\d{1,2})(?:st|nd|rd|th)?)(?!\w)"
)


def _days_and_months(name: str) -> Iterator[str]:
    words = _words()
    if name in words.weekdays:
        yield any_of(words.weekdays[name])
    elif len(name) > 3 and name in words.number_of_month:
        yield any_of(words.months[words.number_of_month[name] - 1])


def _dates(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    day, _, rest = name.partition(" ")
    name = rest if day.rstrip(",") in _words().weekdays else name
    for pattern in _DATES:
        if date := pattern.fullmatch(name):
            found = date.groupdict()
            number = int(found.get("number") or _words().number_of_month.get(found.get("month", ""), 0))
            if 1 <= number <= 12 and 1 <= int(found["day"]) <= 31:
                yield _date(int(found["day"]), number, found["year"], languages)


def _date(day: int, number: int, year: str | None, languages: tuple[Language, ...]) -> str:
    spelled = "|".join((_ORDINALS[day], any_of(other_numbers(str(day), languages)) or _ORDINALS[day]))
    spelled = "|".join((spelled, *_ordinals(day, languages)))
    days = rf"(?:the\s+)?(?:0?{day}(?:st|nd|rd|th|er|o|º|°)?\.?|{spelled})"
    months = rf"(?:{any_of(_words().beside_a_day[number - 1])})\.?"
    link = r"[\s,]*(?:(?:of|de|del|d'|do)\s+)?"
    ways = [rf"{days}{link}{months}", rf"{months}\s*{days}"]
    if not year:
        month, date = _in_korean_too(number, languages), _in_korean_too(day, languages)
        eastern = rf"(?:{month})\s*[月월]\s*(?:{date})\s*[日일号號]"
        return "|".join(
            (*ways, eastern, rf"0?{day}[./]\s?0?{number}(?![\d/])", rf"0?{number}/0?{day}(?![\d/])")
        )
    years = _numbers(int(year), languages)
    ways = [rf"{way}{link}(?:in\s+(?:the\s+year\s+)?)?(?:{years})" for way in ways]
    month, date = _in_korean_too(number, languages), _in_korean_too(day, languages)
    ways.append(rf"(?:{years})\s*[年년]\s*(?:{month})\s*[月월]\s*(?:{date})\s*[日일号號]")
    ways.append(rf"{year}\s?[\s/.年년]\s?0?{number}\s?[\s/.月월]\s?0?{day}(?!\d)[日일]?")
    ways += [rf"0?{day}[\s/.]\s?0?{number}[\s/.]\s?{year}", rf"0?{number}[\s/.]0?{day}[\s/.]{year}"]
    return "|".join(ways)


@lru_cache(maxsize=1024)
def _ordinals(day: int, languages: tuple[Language, ...]) -> tuple[str, ...]:
    """The day as an ordinal in its other cases: "второго", "zweiten", "primeiro"."""
    from num2words import num2words

    from niah.judges.rubric.normalise import normalise

    ways = []
    for language in languages:
        if language in ("de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr", "ru"):
            said = normalise(str(num2words(day, lang=language, to="ordinal")))
            ways.append(
                re.escape(said[:-2] if len(said) > _LEAST_STEM + 1 else said).replace(r"\ ", r"\s+")
                + r"\w{0,4}"
            )
    return tuple(ways)


def _times(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    if name in _TWELVES:
        yield _TWELVES[name]
        return
    if spoken := _SPOKEN_IN_THE_EAST.fullmatch(name):
        hour = int(spoken["hour"]) if spoken["hour"].isdecimal() else int(number_of(spoken["hour"]) or 25)
        minute = spoken["minute"] or ("30" if spoken["half"] else "0")
        minute = minute if minute.isdecimal() else number_of(minute) or "0"
        if hour < 25 and int(minute) < 60:
            late = spoken["late"] is not None
            hour = hour % 12 + 12 * late if spoken["late"] or spoken["early"] else hour
            yield from _clock(hour, int(minute), languages, told=bool(late or spoken["early"]))
        return
    first, _, rest = name.partition(" ")
    hour_in_digits = number_of(first)
    time = _TIME.fullmatch(f"{hour_in_digits} {rest}" if hour_in_digits else name)
    if not time or not (time["minute"] or time["half"] or time["part"]):
        return
    hour, minute = int(time["hour"]), int(time["minute"] or 0)
    if hour > 24:
        return
    late = (time["half"] or "").startswith("p") or time["part"] not in (None, "in the morning")
    halved = late or (time["half"] or "").startswith("a") or time["part"] is not None
    hour = hour % 12 + 12 * late if halved and hour < 13 else hour
    yield from _clock(hour, minute, languages, told=halved or hour > 12)


def _clock(hour: int, minute: int, languages: tuple[Language, ...], *, told: bool) -> Iterator[str]:
    """``told``: whether the name itself tells the forenoon from the afternoon."""
    on_dial, late = hour % 12 or 12, hour >= 12
    spelled = other_numbers(str(on_dial), _with_english(languages))
    dial = any_of((f"{on_dial}", f"{on_dial:02d}", *spelled))
    minutes = rf"\s?[:.h\s]\s?{minute:02d}" if minute else r"(?:\s?[:.h]\s?00)?"
    yield rf"(?:{dial}){minutes}{_CLOCK}\s*(?:{_AFTERNOON if late else _FORENOON})"
    eastern = _EASTERN_AFTERNOON if late else _EASTERN_FORENOON
    signs = rf"\s?[点點時时시]\s?(?:{_eastern_minutes(minute, languages)})"
    yield rf"(?:{eastern})の?\s*(?:{dial})(?:{minutes}{_CLOCK}|{signs})"
    of_day = {f"{hour}", f"{hour:02d}", *(() if told and late else (f"{on_dial}",))}
    tail = rf"(?!{_CLOCK}\s*(?:{_FORENOON if late else _AFTERNOON}))" if told else ""
    yield rf"(?:{any_of(of_day)})\s?[:.h]\s?{minute:02d}{_CLOCK}{tail}"
    following = _numbers(on_dial % 12 + 1, _with_english(languages))
    for way in _SPOKEN.get(minute, ()):
        way = _IN_DUTCH if way == _IN_BRITAIN and "nl" in languages else way
        said = way.replace("{next}", f"(?:{following})").replace("{}", f"(?:{dial})").replace(" ?", r"\s*")
        yield rf"{said.replace(' ', chr(92) + 's+')}{tail}"
    past, to = _numbers(minute, ("en",)), _numbers(60 - minute, ("en",))
    if minute:
        yield rf"(?:{past})\s+(?:minutes\s+)?past\s+(?:{dial}){tail}"
        yield rf"(?:{to})\s+(?:minutes\s+)?to\s+(?:{following}){tail}"
        yield from (f"{way}{tail}" for way in _minutes_past_or_to(minute, dial, following, languages))
        opposite = (_EASTERN_FORENOON if late else _EASTERN_AFTERNOON).split("|") if told else ()
        guard = "".join(f"(?<!{word})(?<!{word} )(?<!{word}の)" for word in opposite)
        yield rf"{guard}(?:{dial})\s?[点點時时시]\s?(?:{_numbers(minute, languages)})\s?[分분]{tail}"
    if not minute:
        yield rf"(?:{any_of((*of_day, *spelled))})\s*(?:o'clock|uhr|heures|h|点|點|時|시){tail}"


def _minutes_past_or_to(
    minute: int, dial: str, following: str, languages: tuple[Language, ...]
) -> Iterator[str]:
    """ "Zehn vor zehn", "dix heures moins dix", "las diez menos diez", "без десяти десять"."""
    past, to = _numbers(minute, languages), _numbers(60 - minute, languages)
    if "de" in languages:
        yield rf"(?:{past})\s+(?:minuten\s+)?nach\s+(?:{dial})"
        yield rf"(?:{to})\s+(?:minuten\s+)?vor\s+(?:{following})"
        for offset, word in ((minute - 30, "nach"), (30 - minute, "vor")):
            if 0 < offset <= 10:
                around = _numbers(offset, languages)
                yield rf"(?:{around})\s+(?:minuten\s+)?{word}\s+halb\s+(?:{following})"
    if "fr" in languages:
        yield rf"(?:{following})\s+heures?\s+moins\s+(?:{to})"
        yield rf"(?:{dial})\s+heures?\s+(?:{past})"
    if "es" in languages:
        yield rf"(?:{following})\s+menos\s+(?:{to})"
        yield rf"(?:{dial})\s+y\s+(?:{past})"
    if "pt" in languages:
        yield rf"(?:{to})\s+(?:minutos\s+)?para\s+(?:as?\s+)?(?:{following})"
        yield rf"(?:{dial})\s+(?:horas\s+)?e\s+(?:{past})"
    if "it" in languages:
        yield rf"(?:{following})\s+meno\s+(?:{to})"
        yield rf"(?:{dial})\s+e\s+(?:{past})"
    if "ru" in languages:
        yield rf"без\s+(?:{any_of(cases_in_russian(60 - minute))})\s+(?:минут\s+)?(?:{following})"


def _eastern_minutes(minute: int, languages: tuple[Language, ...]) -> str:
    if not minute:
        return "[整钟鐘]?"
    half = "[半반]|" if minute == 30 else ""
    return rf"{half}(?:{_numbers(minute, languages)})\s?[分분]"


_KOREAN_MONTHS = {6: "유", 10: "시"}


def _in_korean_too(number: int, languages: tuple[Language, ...]) -> str:
    """The number of a month or a day: 시월 칠일."""
    korean = (*before_units(number, "ko"), *filter(None, (_KOREAN_MONTHS.get(number),)))
    return "|".join((_numbers(number, languages), *(korean if "ko" in languages else ())))


def _numbers(number: int, languages: tuple[Language, ...]) -> str:
    return any_of((f"{number}", f"{number:02d}", *other_numbers(str(number), languages)))


def _with_english(languages: tuple[Language, ...]) -> tuple[Language, ...]:
    return tuple(dict.fromkeys(("en", *languages)))
