"""A number written otherwise: in words of many languages, in Chinese numerals, with other points.

The words come from ``num2words``; Chinese numerals and the mixed forms of English are added here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from niah.judges.rubric.forms.number_forms import spelled, ways_to_say
from niah.judges.rubric.languages.detect import Language

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,4})?")
_MOST_WAYS = 12
"""Ways of a language to say one number that are looked for as they stand: of most, all."""
_LEAST = 2
"""One and none are articles, pronouns, parts of other words."""

_DIGITS = "〇一二三四五六七八九"
_SIGNS = {sign: value for value, sign in enumerate(_DIGITS)} | {"零": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000}
_CHINESE = re.compile(f"(?=.*[^一〇零])[{''.join(_SIGNS)}{''.join(_UNITS)}]+")
_FORMAL_TENS = ((1000, "千"), (100, "百"), (10, "十"))
_KOREAN_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_KOREAN_ONES = (
    *(
        (),
        ("한", "하나"),
        ("두", "둘"),
        ("세", "셋"),
        ("네", "넷"),
        ("다섯",),
        ("여섯",),
        ("일곱",),
        ("여덟",),
    ),
    ("아홉",),
)
_HALVES = {
    "en": ("{} and a half", "{} and one half"),
    "de": ("{}einhalb", "{} einhalb", "{} und ein halb"),
    "fr": ("{} et demi", "{} et demie"),
    "es": ("{} y medio", "{} y media"),
    "pt": ("{} e meio", "{} e meia"),
    "it": ("{} e mezzo", "{} e mezza"),
    "ru": ("{} с половиной",),
    "nl": ("{}eneenhalf", "{}enhalf", "{} en een half", "{} en een halve", "{} en half"),
    "sv": ("{} och en halv", "{} och ett halvt", "{} och en halva"),
    "pl": ("{} i pół",),
    "tr": ("{} buçuk",),
    "zh": ("{}个半", "{}個半"),
    "ja": ("{}半",),
    "ko": ("{} 반",),
}
_ONE_AND_A_HALF = {
    "de": ("anderthalb", "eineinhalb"),
    "ru": ("полтора", "полторы", "полутора"),
    "nl": ("anderhalf", "anderhalve"),
    "sv": ("en och en halv", "ett och ett halvt", "halvannan"),
    "pl": ("półtora", "półtorej"),
}
_ONES: dict[Language, tuple[str, ...]] = {
    "en": ("one",),
    "de": ("ein", "eine", "einen", "einem", "einer"),
    "fr": ("un", "une"),
    "es": ("un", "una", "uno"),
    "pt": ("um", "uma"),
    "it": ("un", "una", "uno"),
    "ru": ("один", "одна", "одну", "одного", "одной", "одном"),
    "nl": ("een", "één"),
    "sv": ("en", "ett"),
    "pl": ("jeden", "jedna", "jedno", "jedną", "jednego", "jednej"),
    "tr": ("bir",),
    "zh": ("一",),
    "ja": ("一",),
    "ko": ("한", "일"),
}
_YEARS = range(1000, 2100)
"""Numbers that may be years: these are said otherwise, and in Russian as ordinals."""
_RUSSIAN_ENDINGS = {
    "ый": ("ый", "ого", "ому", "ом", "ым", "ая", "ое"),
    "ой": ("ой", "ого", "ому", "ом", "ым", "ая", "ое"),
    "ий": ("ий", "ьего", "ьему", "ьем", "ьим"),
}
_ENGLISH_FRACTIONS = {"5": "1/2", "25": "1/4", "75": "3/4"}
_POINTED = frozenset(("de", "es", "pt", "it", "ru", "fr", "nl", "sv", "pl", "tr"))
_GROUP = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")


def other_numbers(number: str, languages: tuple[Language, ...]) -> tuple[str, ...]:
    """Other ways to write ``number`` ("5.5", "347") in a normalised text of these languages.

    Empty where it is no plain number.
    """
    return _other_numbers(number, with_known_numbers(languages)) if _NUMBER.fullmatch(number) else ()


@lru_cache(maxsize=64)
def with_known_numbers(languages: tuple[Language, ...]) -> tuple[Language, ...]:
    """Those of the languages whose numbers in words are known: not Arabic, nor Hindi."""
    return tuple(language for language in languages if language in _ONES)


_HALF_A_DOZEN: dict[Language, tuple[str, ...]] = {
    "en": ("half a dozen",),
    "de": ("ein halbes dutzend",),
    "fr": ("une demi douzaine",),
    "es": ("media docena",),
    "pt": ("meia dúzia",),
    "it": ("mezza dozzina",),
    "ru": ("полдюжины",),
    "nl": ("een half dozijn",),
    "sv": ("ett halvt dussin",),
    "pl": ("pół tuzina",),
    "tr": ("yarım düzine",),
    "zh": ("半打",),
    "ja": ("半ダース",),
    "ko": ("반 다스",),
}


@lru_cache(maxsize=4096)
def _other_numbers(number: str, languages: tuple[Language, ...]) -> tuple[str, ...]:
    whole, _, fraction = number.partition(".")
    ways: list[str] = []
    for language in languages:
        if fraction:
            ways += _fractions(whole, fraction, language)
        elif not (len(whole) > 1 and whole.startswith("0")):
            ways += _in_words(int(whole), language)
            ways += _HALF_A_DOZEN.get(language, ()) if whole == "6" else ()
        if not fraction and len(whole) > 2:
            ways += _digit_by_digit(whole, language)
        if language in _POINTED:
            grouped = _GROUP.sub(".", whole)
            ways.append(f"{grouped},{fraction}" if fraction else grouped)
            if fraction:
                ways.append(f"{whole},{fraction}")
    return tuple(dict.fromkeys(way for way in ways if way != number))


def _digit_by_digit(digits: str, language: Language) -> Iterator[str]:
    yield " ".join(digits)
    if language not in ("zh", "ja", "ko"):
        yield " ".join(_spell(int(digit), language) for digit in digits)


def _fractions(whole: str, fraction: str, language: Language) -> Iterator[str]:
    if language == "en" and fraction in _ENGLISH_FRACTIONS:
        yield f"{whole} {_ENGLISH_FRACTIONS[fraction]}"
    if language in ("zh", "ja") and fraction.isdecimal():
        point = "点" if language == "zh" else "・"
        signs = "".join(_DIGITS[int(digit)] for digit in fraction)
        yield from (f"{one}{point}{signs}" for one in _in_words(int(whole), language))
    if language == "en":
        digits = " ".join(_spell(int(digit), "en") for digit in fraction)
        yield f"{_spell(int(whole), 'en')} point {digits}"
    if fraction in _ENGLISH_FRACTIONS and language != "en":
        yield f"{whole} {_ENGLISH_FRACTIONS[fraction]}"
    if fraction == "5":
        one = _ONES[language] if whole == "1" else ()
        for word in (whole, *_in_words(int(whole), language), *one):
            yield from (half.format(word) for half in _HALVES[language])
        yield from _ONE_AND_A_HALF.get(language, ()) if whole == "1" else ()


def _in_words(value: int, language: Language) -> Iterator[str]:
    if value < _LEAST:
        return
    if language in ("zh", "ja"):
        yield from _chinese_numerals(value)
        if value == 2 and language == "zh":
            yield from ("两", "兩")
        return
    if language == "ko":
        if value < 100:
            tens, below = divmod(value, 10)
            yield from (f"{_KOREAN_TENS[tens]}{one}" for one in _KOREAN_ONES[below] or ("",))
            yield from ("스무",) if value == 20 else ()
        if value < 10:  # 이, 사, 오 and their like are syllables of many words
            return
    yield from ways_to_say(value, language)[:_MOST_WAYS]
    if language == "en" and value < 100:
        yield _spell(value, language).replace(" ", "")
    if value in _YEARS:
        yield from _as_years(value, language)


def _as_years(value: int, language: Language) -> Iterator[str]:
    """ "Nineteen twenty-seven", "neunzehnhundertsiebenundzwanzig", "тысяча девятьсот двадцать седьмого"."""
    from num2words import num2words

    from niah.judges.rubric.normalise import normalise

    hundreds, rest = divmod(value, 100)
    if language in ("en", "de"):
        yield normalise(str(num2words(value, lang=language, to="year")))
    if language == "fr" and hundreds % 10 and hundreds < 20:
        yield f"{_spell(hundreds, 'fr')} cent {_spell(rest, 'fr') if rest else ''}".strip()
        yield _spell(value, "fr").replace("mille", "mil", 1)
    if language == "nl" and hundreds % 10:
        yield f"{_spell(hundreds, 'nl')}honderd{_spell(rest, 'nl') if rest else ''}"
    if language == "sv" and hundreds % 10:
        yield f"{_spell(hundreds, 'sv')}hundra{_spell(rest, 'sv') if rest else ''}"
    if language == "ru":
        ordinal = str(num2words(value, lang="ru", to="ordinal")).casefold().replace("ё", "е")
        for said in dict.fromkeys((ordinal, ordinal.removeprefix("одна "))):
            yield from (said[:-2] + ending for ending in _RUSSIAN_ENDINGS.get(said[-2:], ()))
        yield _spell(value, "ru").removeprefix("одна ")


def _chinese_numerals(value: int) -> Iterator[str]:
    """As in China ("三百零五") and as in Japan ("三百五"); and digit by digit."""
    if value >= 100_000_000:
        return
    high, low = divmod(value, 10_000)
    chinese = (_below_ten_thousand(high, "chinese") + "万" if high else "") + (
        ("零" if high and low < 1000 and low else "") + _below_ten_thousand(low, "chinese", first=not high)
    )
    japanese = (_below_ten_thousand(high, "japanese") + "万" if high else "") + _below_ten_thousand(
        low, "japanese"
    )
    yield chinese
    if re.search("二[千百万]", chinese):  # both are said
        yield re.sub("二(?=[千百万])", "两", chinese)
        yield re.sub("二(?=[千万])", "两", chinese)
    if 10 <= high < 20 or 10 <= value < 20:
        yield chinese.removeprefix("一")
    if japanese != chinese:
        yield japanese
    if high and "万" in chinese:
        yield chinese.replace("万", "萬")
    if value >= 100:
        yield "".join(_DIGITS[int(digit)] for digit in str(value))


def _below_ten_thousand(value: int, manner: str, *, first: bool = True) -> str:
    signs, skipped = "", False
    for unit, sign in _FORMAL_TENS:
        count, value = divmod(value, unit)
        if count:
            if skipped and signs and manner == "chinese":
                signs += "零"
            plain = count == 1 and (manner == "japanese" or (unit == 10 and not signs and first))
            signs += sign if plain else _DIGITS[count] + sign
            skipped = False
        else:
            skipped = True
    if value:
        signs += "零" if skipped and signs and manner == "chinese" else ""
        signs += _DIGITS[value]
    return signs


def before_units(number: int, language: Language) -> tuple[str, ...]:
    """Words for a number that only a unit behind them tells from an article, or from a part of a word."""
    if number == 1:
        return _ONES.get(language, ())
    return (_spell(number, language),) if language == "ko" and number < 10 else ()


def number_of(words: str, languages: tuple[Language, ...] = ("en",)) -> str:
    """The digits of a number that a normalised name writes in words ("seven", "三百四十"); "" where none."""
    if _CHINESE.fullmatch(words):
        return str(_from_chinese(words))
    for language in with_known_numbers(tuple(dict.fromkeys(("en", *languages)))):
        if words in _ONE_AND_A_HALF.get(language, ()):
            return "1.5"
        values = _values_of_words(language)
        for half in _HALVES[language]:
            whole = words.removesuffix(half.removeprefix("{}"))
            if whole != words and (whole in values or whole in _ONES[language]):
                return f"{values.get(whole, 1)}.5"
        if words in values:
            return str(values[words])
    return ""


@lru_cache(maxsize=16)
def _values_of_words(language: Language) -> dict[str, int]:
    """Numbers of two digits and under by their words; none of languages that write them in numerals."""
    if language in ("zh", "ja"):
        return {}
    return {word: value for value in range(_LEAST, 100) for word in _in_words(value, language)}


def _from_chinese(signs: str) -> int:
    total, below, digit = 0, 0, 0
    if not any(sign in _UNITS for sign in signs):
        return int("".join(str(_SIGNS[sign]) for sign in signs))
    for sign in signs:
        unit = _UNITS.get(sign)
        if unit is None:
            digit = _SIGNS[sign]
        elif unit == 10_000:
            total, below, digit = total + (below + digit) * unit, 0, 0
        else:
            below, digit = below + (digit or 1) * unit, 0
    return total + below + digit


@lru_cache(maxsize=4096)
def _spell(value: int, language: Language) -> str:
    from niah.judges.rubric.normalise import normalise

    words = spelled(value, language)
    # Alone, "сорок" looks Latin from end to end.
    return words.casefold().replace("ё", "е") if language == "ru" else normalise(words)


def any_of(words: Iterable[str]) -> str:
    """An expression for any of the words; a hyphen in them stands for a space."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word.replace("-", " ")).replace(r"\ ", r"\s+") for word in longest_first)
