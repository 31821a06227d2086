"""What stands behind a number and changes it: thousands and millions, halves and quarters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from niah.judges.rubric.forms.amounts.spelled.number_words import (
    CLOCK_WORDS,
    FACTORS,
    HALVES,
    ONES,
    PARTS_OF_ONE,
)
from niah.judges.rubric.forms.amounts.spelled.plain_number import plain_number
from niah.judges.rubric.languages.detect import Language

_ROUND = 1000
"""The least factor of a number that others may follow: "a million two hundred thousand"."""
_OF = frozenset(("of", "de", "d", "di", "da", "einer", "от"))
_AND = frozenset(("and", "und", "et", "y", "e", "с", "i", "en", "och"))


def with_factors(
    words: Sequence[str], amount: Fraction, count: int, languages: tuple[Language, ...]
) -> tuple[Fraction, int]:
    """ "Two and a half thousand", "a million two hundred thousand", "a million and a quarter"."""
    if not (words[count : count + 1] and words[count] in FACTORS):
        return amount, count
    factor = FACTORS[words[count]]
    amount, count = amount * factor, count + 1
    larger = FACTORS.get(words[count], 0) if count < len(words) else 0
    if _ROUND <= factor < larger:  # "mil millones", "ein paar tausend Millionen"
        amount, factor, count = amount * larger, larger, count + 1
    share, more = share_behind(words[count:], languages) if factor >= _ROUND else (Fraction(0), 0)
    if more:
        return amount + share * factor, count + more
    link = count + (words[count : count + 1] != [] and words[count] in _AND)
    rest, more = plain_number(words[link:], languages)
    if rest is None or factor <= 12 or rest >= factor or rest.denominator > 1:
        return amount, count
    behind = link + more
    smaller = FACTORS.get(words[behind], 0) if behind < len(words) else 0
    if _ROUND <= smaller < factor:
        return amount + rest * smaller, behind + 1
    return amount + rest, behind


def of_a_factor(words: Sequence[str], amount: Fraction, count: int) -> tuple[Fraction, int]:
    """ "Three quarters of a million"."""
    behind = count
    if words[behind : behind + 1] and words[behind] in _OF:
        behind += 1
        behind += words[behind : behind + 1] != [] and words[behind] in ONES
        if words[behind : behind + 1] and FACTORS.get(words[behind], 0) >= _ROUND:
            return amount * FACTORS[words[behind]], behind + 1
    if words[count : count + 1] and FACTORS.get(words[count], 0) >= _ROUND:
        return amount * FACTORS[words[count]], count + 1
    return amount, count


def share_behind(after: Sequence[str], languages: tuple[Language, ...]) -> tuple[Fraction, int]:
    """The share of one that "and a half" or "and three quarters" adds, and how many tokens say it."""
    half = _half_behind(after)
    if half:
        return Fraction(1, 2), half
    if not (after[:1] and after[0] in _AND):
        return Fraction(0), 0
    rest = after[1:]
    number, count = (Fraction(1), 1) if rest[:1] and rest[0] in ONES else plain_number(rest, languages)
    if number is None or not (rest[count : count + 1] and rest[count] in PARTS_OF_ONE):
        return Fraction(0), 0
    share = number / PARTS_OF_ONE[rest[count]]
    said_of_a_clock = len(rest) > count + 1 and rest[count + 1] in CLOCK_WORDS
    return (share, count + 2) if share < 1 and not said_of_a_clock else (Fraction(0), 0)


def _half_behind(after: Sequence[str]) -> int:
    """How many tokens say "and a half"; 0 where none do."""
    if after[:1] and after[0] in _AND:
        rest = after[1:]
        if rest[:1] and rest[0] in ONES:
            rest = rest[1:]
        if rest[:1] and rest[0] in HALVES:
            return len(after) - len(rest) + 1
    return 0
