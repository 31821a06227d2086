"""Sums in dollars that no text of the needle set has, in place of one that was asked for: "$42.50" for $42.

A tidied text has no sign of the dollar, so the answer is read as the reader gave it too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import told_in
from niah.judges.rubric.lazy_pattern import lazy_pattern

_SIGN = "$"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,2})?(?![\d%]|[.,]\d)"
_AMOUNT = lazy_pattern(
    r"(?P<about>\b(?:about|around|roughly|approximately|almost|nearly|over|under|some)\s+|~\s?)?"
    rf"(?:\$\s?(?P<behind_sign>{_NUMBER})|(?<![\w.,$])(?P<before_word>{_NUMBER})(?=\s?(?:USD|dollars?)\b(?!\s+\d)))"
    r"(?!\s?(?:thousand|[mb]illion|[kmb])\b)",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(rf"(?<![\w.,]){_NUMBER}")
_MOST_ADDED = 8
"""Sums that an answer may add up; of more none is known to be a total."""


def untold_dollars(spoken: str, stated: str, missing: Collection[str], key: AnswerKey) -> frozenset[str]:
    """The sums in dollars that an answer gives in place of missing ones, and that no text has.

    A total of others is none, nor is what is said to be about so much.

    Args:
        spoken: the answer as the reader gave it.
        stated: what it states, normalised and masked.
        missing: names of the elements that were not found.
        key: what was asked.
    """
    if not any(_SIGN in name for name in missing):
        return frozenset()
    told = _numbers_told(key)
    written = [
        (_plain(match["behind_sign"] or match["before_word"]), match["about"])
        for match in _AMOUNT.finditer(spoken)
    ]
    untold = {amount for amount, about in written if not about} - told
    if not untold:
        return frozenset()
    totals = set(_totals({amount for amount, _ in written}))
    return frozenset(
        f"{_SIGN}{said[0]}" for said in _ANY_NUMBER.finditer(stated) if _plain(said[0]) in untold - totals
    )


def _totals(amounts: Collection[Decimal]) -> Iterator[Decimal]:
    """What two amounts or more come to."""
    for count in range(2, len(amounts) if len(amounts) <= _MOST_ADDED else 0):
        yield from map(sum, combinations(amounts, count))


@lru_cache(maxsize=256)
def _numbers_told(key: AnswerKey) -> frozenset[Decimal]:
    return frozenset(_numbers_in(told_in(key)))


def _numbers_in(texts: Iterable[str]) -> Iterator[Decimal]:
    return (_plain(match[0]) for text in texts for match in _ANY_NUMBER.finditer(text.replace(_SIGN, "")))


def _plain(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))
