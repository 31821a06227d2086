"""Thousands grouped by points where no language tells it: "4.127 Stufen" for 4127 steps.

Read only where a name of the needle set is that very number and counts things or money, and neither the
question nor what stands behind the number measures: "4.127 km" may be four kilometres and a bit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from niah.judges.rubric.forms.amounts.units import unit_words
from niah.judges.rubric.forms.amounts.values import MONEY
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

_GROUPS_BY_POINTS: Language = "de"
"""One of the languages that write 4.127 for 4127; nearly all do."""
_POINTED = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.,]*\d)(?=\s*([^\W\d_]*|%))")
_WHOLE = re.compile(r"(?:the\s+)?(\d{4,9})(?:\s+([^\W\d_]+))?.*")
_DECIMAL = lazy_pattern(r"\d\.\d")
_LETTERS = lazy_pattern(r"[^\W\d_]{4,}")
_ASKS_FOR_A_MEASURE = lazy_pattern(
    r"\bhow (?:long|far|heavy|tall|deep|high|wide|fast|big|large|old|hot|warm|cold|thick|loud)\b"
    r"|\b(?:weigh\w*|length|height|depth|width|distance|speed|area|volume|averages?|rate|ratio|temperature"
    r"|percent\w*|share|version|density|factor|score)\b"
)


# A bare number may be a code, in which a point is another sign.
_ASKS_FOR_A_COUNT = lazy_pattern(
    r"\bhow (?:many|much)\b|\b(?:amount|population|inhabitants|count|total|sum|costs?|prices?|pays?|paid"
    r"|rent|wages?|salary|fee|fine|tax|toll|debt)\b"
)


def counted_numbers(written: Iterable[str], told: Sequence[str]) -> frozenset[str]:
    """The whole numbers among names of which a point groups the thousands.

    Args:
        written: names, normalised.
        told: every text of the needle set, normalised, its question first.
    """
    if not told or any(map(_DECIMAL.search, told)) or _measures(told[0]):
        return frozenset()
    whole = filter(None, map(_WHOLE.fullmatch, written))
    counts = _ASKS_FOR_A_COUNT.search(told[0]) is not None
    return frozenset(match[1] for match in whole if (counts or match[2]) and match[2] not in _measure_words())


def languages_of_points(text: str, numbers: Collection[str]) -> tuple[Language, ...]:
    """A language that groups thousands by points, if a normalised text writes one of ``numbers`` so."""
    if not numbers or "." not in text:
        return ()
    for match in _POINTED.finditer(text):
        if match[0].replace(".", "") in numbers and match[1] != "%" and match[1] not in _measure_words():
            return (_GROUPS_BY_POINTS,)
    return ()


@lru_cache(maxsize=64)
def _measures(question: str) -> bool:
    """Whether a question asks for a measure, which may be a fraction."""
    return _ASKS_FOR_A_MEASURE.search(question) is not None or not _measure_words().isdisjoint(
        _LETTERS.findall(question)
    )


@cache
def _measure_words() -> frozenset[str]:
    """The words of all units but money's."""
    return frozenset(word for unit, words in unit_words().items() if unit not in MONEY for word in words)
