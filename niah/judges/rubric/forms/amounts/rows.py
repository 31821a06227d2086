"""Amounts that are cut out of others: "5 kg" of "1,5 kg", "30 minutes" of "2 hours 30 minutes"."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from niah.judges.rubric.forms.amounts.units import (
    DEGREES,
    below_zero_sign,
    measure_units,
    minus_sign,
    unit_words,
)
from niah.judges.rubric.forms.numbers import any_of
from niah.judges.rubric.lazy_pattern import lazy_pattern

_ENDS_IN_A_UNIT = re.compile(r"\d\s?[^\W\d]+\.?\s+(?:\w{1,3}\s+)?\Z")
_BEGINS_WITH_A_NUMBER = re.compile(r"\.?\s+(?:\w{1,3}\s+)?\d")
_CUT = re.compile(r"(?<![\d,]\d)(?<!,)\d{1,3},\Z|(?<!\d)[13]/\Z")


def is_another_amount(text: str, start: int, end: int) -> bool:
    """Whether an amount, ``text[start:end]``, is cut out of another: "5 kg" of "1,5 kg", or 5 °C of -5 °C."""
    if not text[start].isdigit() or text[start:end].isdecimal():
        return False
    if _CUT.search(text[max(0, start - 8) : start]) or _is_part_of_a_row(text, start, end):
        return True
    if not DEGREES.search(text, start, end):
        return False
    return bool(minus_sign().search(text[max(0, start - 12) : start]) or below_zero_sign().match(text, end))


def _is_part_of_a_row(text: str, start: int, end: int) -> bool:
    """Whether a larger unit of its kind stands before an amount, or a smaller one behind it."""
    unit = text[start:end].lstrip("0123456789., ")
    before, behind = text[max(0, start - 24) : start], text[end : end + 24]
    if not (unit and (_ENDS_IN_A_UNIT.search(before) or _BEGINS_WITH_A_NUMBER.match(behind))):
        return False
    if unit in _lengths() and _OF_ANOTHER_LENGTH.match(text, end):
        return False
    return any(
        (unit in smaller and before_it.search(before)) or (unit in larger and behind_it.match(behind))
        for larger, smaller, before_it, behind_it in _rows_of_units()
    )


# "14 km and 620 m of climbing" are two lengths.
_OF_ANOTHER_LENGTH = lazy_pattern(
    r"\.?(?:\s+(?:and|und|et|y|e|и)\s+\d[\d.,]*\s?[^\W\d]+\.?)?\s+(?:of|de|di|d'|do)\s*[^\W\d]"
)


@cache
def _lengths() -> frozenset[str]:
    return frozenset(unit_words()["km"] + unit_words()["m"])


@cache
def _rows_of_units() -> tuple[tuple[frozenset[str], frozenset[str], re.Pattern[str], re.Pattern[str]], ...]:
    """Of each two neighbours of a kind: the words of both, and how either stands beside the other."""
    found, words = [], unit_words()
    for kind in measure_units().file.kinds:
        for first, second in pairwise(kind):
            larger, smaller = words[first], words[second]
            before = re.compile(rf"\d\s?(?:{any_of(larger)})\.?\s+(?:(?:and|und|et|y|e|и)\s+)?\Z")
            behind = re.compile(rf"\.?\s+(?:(?:and|und|et|y|e|и)\s+)?\d{{1,4}}\s?(?:{any_of(smaller)})(?!\w)")
            found.append((frozenset(larger), frozenset(smaller), before, behind))
    return tuple(found)
