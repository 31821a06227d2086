"""A number without factor or share: in digits, in Eastern signs, in words up to a thousand, compounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from niah.judges.rubric.forms.amounts.spelled.number_words import (
    EASTERN_DIGITS,
    SPELLED_LANGUAGES,
    THOUSANDS,
    number_phrases,
)
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.languages.detect import Language

_JOINED = {
    "de": ("tausend(?:und)?", "hundert"),
    "it": ("mila|mille", ""),
    "nl": ("duizend(?:en)?", "honderd"),
    "sv": ("tusen", "hundra"),
    "tr": ("bin", ""),
}
"""What thousands and hundreds are called within one word of the languages that join numbers."""
_ONE_IN_COMPOUNDS = dict.fromkeys(
    ("ein", "eins", "eine", "einen", "un", "uno", "una", "een", "één", "ett", "en", "bir"), 1
)
_LONGEST_NUMBER = 15
"""Signs of a number that is read by its value."""
_ROUND = 1000
_MOST_BEFORE = 6
"""Words of a number below a thousand."""


def plain_number(words: Sequence[str], languages: tuple[Language, ...]) -> tuple[Fraction | None, int]:
    """The number that words begin with, None for no number, and how many of them say it."""
    if not words:
        return None, 0
    first = words[0]
    if first[0].isdecimal() and len(first) > _LONGEST_NUMBER:
        return None, 0
    if first[0].isdecimal():
        amount = _from_digits(first, languages)
        if (
            len(words) > 2
            and words[1] == "/"
            and words[2].isdecimal()
            and len(words[2]) < 4
            and int(words[2]) > 1
        ):
            return amount / int(words[2]), 3
        mixed = (
            len(words) > 3
            and words[1].isdecimal()
            and words[2] == "/"
            and words[3].isdecimal()
            and len(words[3]) < 4
        )
        if mixed and 0 < int(words[1]) < int(words[3]):
            return amount + Fraction(int(words[1]), int(words[3])), 4
        return amount, 1
    if first[0] in EASTERN_DIGITS:
        written = number_of(first) if len(first) <= _LONGEST_NUMBER else ""
        return (Fraction(written), 1) if written else (None, 0)
    for language in languages:
        if language in THOUSANDS and (read := _in_thousands(words, language)):
            return read
        if language in SPELLED_LANGUAGES:
            for count in range(min(_MOST_BEFORE, len(words)), 0, -1):
                value = number_phrases(language).get(tuple(words[:count]))
                if value is not None:
                    return (
                        _with_point(Fraction(value), count, words)
                        if language == "en"
                        else (Fraction(value), count)
                    )
            compound = _compound(first, language)
            if compound is not None:
                return _with_hundreds(compound, words, language)
    return None, 0


def _with_hundreds(amount: Fraction, words: Sequence[str], language: Language) -> tuple[Fraction, int]:
    """ "Drieduizend vijfhonderd": thousands in one word, and what follows in others."""
    for count in range(min(_MOST_BEFORE, len(words) - 1), 0, -1) if amount % _ROUND == 0 else ():
        below = number_phrases(language).get(tuple(words[1 : 1 + count]))
        if below is not None and below < _ROUND:
            return amount + below, 1 + count
    return amount, 1


def _in_thousands(words: Sequence[str], language: Language) -> tuple[Fraction, int] | None:
    """ "Üç bin beş yüz": the thousand of a language in which it is a word by itself."""
    phrases, thousand = number_phrases(language), THOUSANDS[language]
    if thousand not in words[:_MOST_BEFORE]:
        return None
    place = words.index(thousand)
    high = phrases.get(tuple(words[:place])) if place else 1
    if high is None:
        return None
    for count in range(min(_MOST_BEFORE, len(words) - place - 1), 0, -1):
        low = phrases.get(tuple(words[place + 1 : place + 1 + count]))
        if low is not None and low < _ROUND:
            return Fraction(high * _ROUND + low), place + 1 + count
    return Fraction(high * _ROUND), place + 1


def _with_point(whole: Fraction, count: int, words: Sequence[str]) -> tuple[Fraction, int]:
    """ "Three point four"."""
    digits = ""
    if words[count : count + 1] == ["point"]:
        for word in words[count + 1 :]:
            digit = {"zero": 0, "oh": 0, "one": 1}.get(word, number_phrases("en").get((word,), 10))
            if digit > 9:
                break
            digits += str(digit)
    return (
        (whole + Fraction(int(digits), 10 ** len(digits)), count + 1 + len(digits))
        if digits
        else (whole, count)
    )


def _from_digits(written: str, languages: tuple[Language, ...]) -> Fraction:
    """ "2,5" and "2.5" are two and a half; "1.250" is a thousand and more where points group thousands."""
    whole, sign, part = written.replace(",", ".").partition(".")
    if sign and len(part) == 3 and "." in written and len(languages) > 1 and whole != "0":
        return Fraction(int(whole + part))
    return Fraction(int(whole)) + (Fraction(int(part), 10 ** len(part)) if part else 0)


def _compound(word: str, language: Language) -> Fraction | None:
    """ "Zwölfhundertfünfzig", "milleduecentocinquanta", "zweieinhalb"."""
    if language == "de" and word.endswith("einhalb"):
        value = number_phrases("de").get((word.removesuffix("einhalb"),))
        return None if value is None else value + Fraction(1, 2)
    thousand, hundred = _JOINED.get(language, ("", ""))
    parted = re.fullmatch(rf"(.*?)(?:{thousand})(.*)", word) if thousand else None
    factor = 1000
    if parted is None and hundred:
        parted, factor = re.fullmatch(rf"(.+?){hundred}(?:und|en)?(.*)", word), 100
    if parted is None:
        return None
    high, low = (
        (number_phrases(language).get((part,)) or _ONE_IN_COMPOUNDS.get(part)) if part else default
        for part, default in zip(parted.groups(), (1, 0), strict=True)
    )
    return None if high is None or low is None else Fraction(high * factor + low)
