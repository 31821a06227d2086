"""Answers as a matcher compares them: without markup, cut into words, numbers and units in one form.

So "−17", "minus 17" and "-17" are equal, and "5 µg" is no "5 mg".
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from niah.needles.needle_set import number_words
from niah.text.mentions import KATAKANA, UNSPACED, marks, written_parts

_OPEN = r"(?:<(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)>|\[think\]|◁think▷)"
_CLOSE = _OPEN.replace("<", "</").replace(r"\[", r"\[/").replace("◁", "◁/")
_TAGS = re.compile(rf"({_OPEN})|{_CLOSE}", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>final(?:<\|[a-z]+\|>)*", re.IGNORECASE)


def strip_reasoning(text: str) -> str:
    """``text`` without blocks of thought, closed or not, or what precedes a closing tag that none opened."""
    if not any(sign in text for sign in "<[◁"):
        return text
    if channel := list(_CHANNEL.finditer(text)):
        return text[channel[-1].end() :]
    parts: list[str] = []
    start, thinking, opened = 0, False, False
    for tag in _TAGS.finditer(text):
        if not tag[1] and not thinking:
            parts = []
        elif not thinking:
            parts.append(text[start : tag.start()])
        start, thinking, opened = tag.end(), bool(tag[1]), opened or bool(tag[1])
    said = "".join(parts if thinking else [*parts, text[start:]])
    return said if opened or said.strip() else _TAGS.sub("", text)


_SIGNS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2043\ufe63\uff0d\u2212", "-")
    | dict.fromkeys("\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u0640")
    | dict.fromkeys(map(chr, (*range(0x202A, 0x202F), *range(0xFE00, 0xFE10), *range(0x64B, 0x653))))
    | str.maketrans("\u3000؟،؛۔।\u0451", " ?,;..\u0435", "")
    | {ord("。"): ". ", ord("、"): ", "}
    | {zero + digit: str(digit) for zero in (0x660, 0x6F0, 0x966, 0x9E6) for digit in range(10)}
)
_MARKUP = (
    (re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]"), ""),
    (re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"<br\s*/?>|</(?:p|li|tr|div)>", re.IGNORECASE), "\n"),
    (re.compile(r"</?[a-z][a-z0-9]*\s*/?>", re.IGNORECASE), " "),
)
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}|>|[-+*•·–])[ \t]+", re.MULTILINE)
_LIST_NUMBER = re.compile(r"^[ \t]*\(?\d{1,3}[.)][ \t]+(?=\S)", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ \t|:-]*\|[ \t|:-]*(?:\n|\Z)", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]*\(?1[.)] .*\n+[ \t]*\(?2[.)] ", re.MULTILINE)

_THOUGHTS = {"reasoning", "thought", "thoughts", "explanation", "rationale", "analysis", "confidence"}


def _without_json(text: str) -> str:
    """The text with a JSON object, or a list that is all of it, as lines; thoughts are left out."""
    start, end = (0, len(text)) if text.lstrip().startswith("[") else (text.find("{"), text.rfind("}") + 1)
    try:
        lines = _lines(json.loads(text[start:end]))
    except (ValueError, RecursionError):
        return text
    return f"{text[:start]}\n{chr(10).join(lines)}\n{text[end:]}"


def _lines(value: object, name: str = "") -> list[str]:
    if isinstance(value, dict):
        fields = {key.replace("_", " "): inside for key, inside in value.items()}
        said = {key: inside for key, inside in fields.items() if key.lower() not in _THOUGHTS} or fields
        return [line for key, inside in said.items() for line in _lines(inside, f"{name} {key}".strip())]
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        return [line for one in value for line in _lines(one, name)]
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    elif value is None or isinstance(value, bool):
        value = "not stated" if value is None else "yes" if value else "no"
    return [f"{name}: {value}" if name else str(value)]


_PREFIXES = {"n": "nano", "μ": "micro", "m": "milli", "c": "centi", "d": "deci", "k": "kilo", "M": "mega"}
_PREFIXES |= {"G": "giga", "T": "tera"}
_BASE_UNITS = {"g": "gram gramme", "m": "meter metre", "l": "liter litre", "s": "second", "t": "tonne"}
_BASE_UNITS |= {"W": "watt", "V": "volt", "A": "ampere amp", "Hz": "hertz", "Pa": "pascal", "J": "joule"}
_BASE_UNITS |= {"N": "newton", "B": "byte", "b": "bit", "Ω": "ohm"}
_OTHER_UNITS = """
μg mcg ug; s sec secs; MB mb; GB gb; TB tb; kB kb; kHz khz; MHz mhz; GHz ghz; kW kw
h hr hrs hour hours; min mins minute minutes; mi mile miles; ft foot feet; in inch inches; lb lbs
kg kilo kilos; gbp pound pounds £ quid; eur euro euros €; usd dollar dollars $ us$; jpy yen ¥; percent %
deg degree degrees °; degc celsius C °c °celsius; degf fahrenheit F °f °fahrenheit
"""


def _unit_signs() -> dict[str, str]:
    """The sign of each unit by all that is written for it; a sign's case counts: "MW" is no "mW"."""
    signs: dict[str, str] = {}
    for sign, names in _BASE_UNITS.items():
        for short, long in {"": "", **_PREFIXES}.items():
            signs |= {f"{short}{sign}": f"{short}{sign}"}
            signs |= {f"{long}{name}{end}": f"{short}{sign}" for name in names.split() for end in ("", "s")}
    for line in re.split(r"[;\n]", _OTHER_UNITS):
        signs |= {name: line.split()[0] for name in line.split()}
    return {name: sign for name, sign in signs.items() if name not in {"in", "t", "d"}}


_UNITS = _unit_signs()
_LOUD = {sign: f"\ue000{sign}".replace("M", "mega").lower() for sign in _UNITS.values()}
"""A unit as one word that no text has: "MW" and "mW" differ in it."""
_NUMBER = r"\d+(?:\.\d+)*"
_UNIT_AFTER = re.compile(
    rf"(?<![\w.])((?:neg)?{_NUMBER})(?:[ \t\u00a0\u202f]|-(?=[a-zA-Z]))?(per[ ]cent|U\.?S\.?[ ]dollars?"
    r"|degrees?[ ](?:celsius|fahrenheit|[cf])\b"
    r"|°[ ]?[cf]?\b|°[ ]?[CF]\b|%|[€£¥$°]|[^\W\d_]{1,11}(?![\w]))",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"(?:US|A|C)?([$€£¥])[ ]?((?:neg)?\d+(?:\.\d+)*)(?:[ ]?(m|k|bn)\b|(?![\w]))", re.IGNORECASE
)
_MINUS = re.compile(r"(?<![\w.)\]}%$€£°])[-\u2013](?=[$€£]?\d)|\b(?:minus|negative)\s+(?=\d)", re.IGNORECASE)
_PLUS = re.compile(r"(?<![\w)\]])(?:\+(?=\d)|v(?=\d+\.\d))", re.IGNORECASE)  # and the v of a version
_GROUPS = re.compile(
    r"(?<![\w.,])\d{1,3}(?:(?:,\d{3})+|(?:['\u00a0\u2009\u202f]\d{3})+)(?!\w|[,']\d|\.\d{3}(?!\d))"
)
_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d{1,2})(?![\d,.]\d|\d)")
MONTHS = re.findall(
    r"\w+", "january february march april may june july august september october november december"
)
_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]}|t?\.)?" for name in MONTHS) + ")"
_DATE = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?![a-z])(?:,?\s+(?P<year>\d{{4}}))?"
    rf"|\b{_MONTH.replace('month', 'month2')}\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])"
    r"(?:,?\s+(?P<year2>\d{4}))?"
    r"|\b(?P<year3>\d{4})(?:-|年)(?P<month3>\d\d?)(?:-|月)(?P<day3>\d\d?)(?!\d)(?:T(?=\d\d:)|日)?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b0?(\d{1,2})(?:[:.h](\d\d))?\s?([ap])\.?\s?m\b\.?|\b0?(\d{1,2})[:h](\d\d)(?:\s?(?:Uhr|hrs))?\b",
    re.IGNORECASE,
)
_NUMBERS = {word: number for number in range(100) for word in number_words(number)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_WORD = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_IN_WORDS = re.compile(
    rf"\b({_WORD}|\d+(?:\.\d+)?(?= ))(?: ({'|'.join(_SCALES)}))?\b(?: and ({_WORD})\b)?", re.IGNORECASE
)


def _in_digits(found: re.Match[str]) -> str:
    """A number in digits: "forty-seven" is 47, "three hundred and five" 305, "1.2 million" 1200000."""
    first, scale, rest = (part.lower() if part else "" for part in found.groups())
    if not scale and (rest or first not in _NUMBERS):
        return found[0]
    value = float(_NUMBERS.get(first, first)) * _SCALES.get(scale, 1)
    return f"{value + _NUMBERS.get(rest, 0):.15g}"


def _as_money(found: re.Match[str]) -> str:
    scale = {"k": 1000, "m": 10**6, "bn": 10**9}.get((found[3] or "").lower())
    sign, digits = "neg" * found[2].startswith("neg"), found[2].removeprefix("neg")
    number = f"{float(digits) * scale:.15g}" if scale and digits.count(".") < 2 else _shortest(digits)
    return f"{sign}{number} {_LOUD[_UNITS[found[1]]]}"


def _as_date(found: re.Match[str]) -> str:
    named = found.groupdict()
    if named["year3"]:
        month = int(named["month3"])
        return f"{MONTHS[month - 1]} {int(named['day3'])} {named['year3']} " if 1 <= month <= 12 else found[0]
    month_name = (named["month"] or named["month2"]).lower()[:3]
    full = next(name for name in MONTHS if name.startswith(month_name))
    return f"{full} {int(named['day'] or named['day2'])} {named['year'] or named['year2'] or ''}".rstrip()


def _as_time(found: re.Match[str]) -> str:
    if found[3]:
        hour = int(found[1]) % 12 + (12 if found[3] in "pP" else 0)
        return f"{hour}:{found[2] or '00'}"
    return f"{int(found[4])}:{found[5]}"


def _with_unit(found: re.Match[str]) -> str:
    squeezed = re.sub(r"degrees? ", "°", found[2].lower())
    unit = unit_of(found[2]) or unit_of(re.sub(r"^u\.?s\.? |(?<=per) | ", "", squeezed))
    return f"{_shortest(found[1])} {unit}" if unit else found[0]


def _shortest(number: str) -> str:
    """A number without zeros at its end: 42.50 euros are 42.5."""
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number


UNIT = "\ue000"  # what a unit behind a number begins with
NUMBER = re.compile(r"(?:neg)?\d[\d.:]*")  # A number without its unit, as a word of a measured text


def unit_of(word: str) -> str:
    """A unit's name or sign ("milligrams", "mg") as it is behind a number; "" for other words."""
    sign = _UNITS.get(word) or _UNITS.get(word.lower())
    return _LOUD[sign] if sign else ""


class Word(NamedTuple):
    """One word of a text: as words are compared, as the text has it, and where it starts."""

    text: str
    raw: str
    start: int
    border: int  # before it: 0 nothing that parts, 1 a comma, colon or bracket, 2 a sentence's or line's end


@cache
def _word() -> re.Pattern[str]:
    inside = rf"[^\W_{marks()}]"
    return re.compile(
        rf"(?:neg)?\d+(?:[.:]\d+)*(?![^\W{UNSPACED}{KATAKANA}])|\ue000?{inside}[^\W_{marks()}]*"
        rf"(?:[{marks()}]+[^\W_]*)*(?:'[^\W_]+)?"
    )


def plain(text: str) -> str:
    """What a text says, which ``words`` cuts: without markup, tables and JSON as lines "name: value", and
    quantities, dates and times in one form."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    if "{" in text or text.lstrip().startswith("["):
        text = _without_json(text)
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    text = html.unescape(text)
    if "|" in text:
        rows = _TABLE_RULE.sub("", text).split("\n")
        cells = ([cell.strip() for cell in row.strip(" |").split("|")] for row in rows)
        text = "\n".join(f"{row[0]}: {', '.join(row[1:])}" if row[1:] else row[0] for row in cells)
    text = _LINE_MARK.sub("", text.replace("__", "").replace("`", "")).replace("*", "")
    text = _IN_WORDS.sub(_in_digits, _LIST_NUMBER.sub("", text) if _LISTED.search(text) else text)
    text = _GROUPS.sub(lambda found: re.sub(r"\D", "", found[0]), text)
    text = _PLUS.sub("", _MINUS.sub("neg", _COMMA.sub(r"\1.\2", text)))
    text = _TIME.sub(_as_time, _DATE.sub(_as_date, text))
    if any(sign in text for sign in "$€£¥"):
        text = _MONEY.sub(_as_money, re.sub(r"neg([$€£¥])\s?", r"\1neg", text))
    return _UNIT_AFTER.sub(_with_unit, text)


def words(text: str) -> list[Word]:
    """The words of a measured text; characters of scripts without spaces are words."""
    made: list[Word] = []
    end = 0
    for match in _word().finditer(text):
        start, border = match.start(), _border(text[end : match.start()]) if end else 0
        end = match.end()
        for raw in written_parts(match[0]):
            made.append(Word(_folded(raw), raw, start, border))
            border, start = 0, start + len(raw)
    return made


@cache
def _small(character: str) -> str:
    """Its small letter, a Latin, Greek or Cyrillic one without accents; always one character."""
    small = character.lower()
    if len(small) > 1:
        return character
    return unicodedata.normalize("NFKD", small)[0] if character < "\u0590" else small


def folded(text: str) -> str:
    """``text`` in small letters without accents, as long as before: phrases are looked for in it."""
    return text.lower() if text.isascii() else "".join(map(_small, text))


_SENTENCE_END = re.compile(r"[\n;!?…]|\.[\"')\]]*\s")


def _border(between: str) -> int:
    return 2 if _SENTENCE_END.search(between) else int(not between.isspace() and between not in "-/'")


@lru_cache(maxsize=16384)
def _folded(raw: str) -> str:
    text = folded(raw).replace("ß", "ss")
    if text.endswith("'s"):
        text = text[:-2]
    return text.lstrip("0") or "0" if text.isdigit() and len(text) == 2 else text


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a short text as it is written: of a name, a question, an item."""
    return tuple(words(plain(text)))


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """An English word without the "s" of its plural."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word.isalpha():
        return word
    if word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
