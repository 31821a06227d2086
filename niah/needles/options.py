"""How answers are written: options that a question names, by letter or not, and numbers in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from niah.text.mentions import mentions

_AROUND_LETTERS = re.compile(r"\\boxed|[*_`\"'()\[\]{}.:]+")
_BETWEEN_LETTERS = re.compile(r"[,;/&+、]|\b(?:both|and|und|et|y)\b", re.IGNORECASE)


_UNITS = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"  # noqa: SIM905
    " seventeen eighteen nineteen".split()
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def number_words(number: int) -> tuple[str, ...]:
    """A whole number in English words, up to ninety-nine; none above."""
    tens, units = divmod(number, 10)
    if number < len(_UNITS):
        return (_UNITS[number],)
    return (f"{_TENS[tens - 2]}-{_UNITS[units]}" if units else _TENS[tens - 2],) if number < 100 else ()


def question_with_options(question: str, options: Sequence[str], *, letters: bool = False) -> str:
    """The question, and after it what to choose from, unless it says so itself; ``letters``: "(A) yes"."""
    if letters:
        named = bool(option_letters(question, options))
        offered = [f"({letter}) {option}" for letter, option in zip(ascii_uppercase, options, strict=False)]
    else:
        named = all(mentions(question, [option]) for option in options)
        offered = list(options)
    return question if named else f"{question} Answer with one of these: {', '.join(offered)}."


def option_letters(question: str, options: Iterable[str]) -> dict[str, str]:
    """The option behind each letter that ``question`` puts before one: "(A) yes", "A. yes", "a: yes".

    Letters are capitals. Empty unless every option has a letter of its own.
    """
    options = sorted(options, key=len, reverse=True)
    lettered: dict[str, str] = {}
    for option in options:
        words = r"\s+".join(map(re.escape, option.split()))
        before = re.compile(rf"(?<![^\W_])[(\[]?([A-Z])[)\].:]\s*{words}", re.IGNORECASE)
        letters = (match[1].upper() for match in before.finditer(question))
        # "(A) five hundred" is no "five": the longer option has taken the letter.
        letter = next((letter for letter in letters if letter not in lettered), None)
        if letter is None:
            return {}
        lettered[letter] = option
    return lettered


def listed_options(text: str, count: int) -> frozenset[int]:
    """The places, from 0, of the ``count`` options that a text lists: "BD", "(b) and (d)", "[[2]] [[4]]"."""
    bare = _AROUND_LETTERS.sub(" ", unicodedata.normalize("NFKC", text))
    parts = _BETWEEN_LETTERS.sub(" ", bare).split()
    if len(parts) == 1 and parts[0].isalpha() and parts[0].isupper():
        parts = list(parts[0])
    places = [int(part) - 1 if part.isdecimal() else ascii_uppercase.find(part.upper()) for part in parts]
    are_short = all(part.isdecimal() or len(part) == 1 for part in parts)
    return frozenset(places) if are_short and all(0 <= place < count for place in places) else frozenset()
