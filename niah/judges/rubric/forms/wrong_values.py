"""Another value in the place of one that was asked for: "24 metres" for 2.4 metres, "14 December".

Looked for only where an element that writes a measure, a time of day or a date was not found: what the answer
gives of the same kind instead, and no text of the set has, is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.forms.amounts.named_value import value_of
from niah.judges.rubric.forms.amounts.rows import is_another_amount
from niah.judges.rubric.forms.amounts.values import WrittenValue, values_in
from niah.judges.rubric.forms.bounds import wrong_bounds
from niah.judges.rubric.forms.quantities import dates_in
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.negation import MASK, without_mentions
from niah.judges.rubric.normalise import normalise

_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")


def wrong_values(stated: str, missing: Collection[str], key: AnswerKey) -> frozenset[str]:
    """What the answer gives in place of missing values, as it writes it.

    Args:
        stated: what it states, normalised and masked.
        missing: names of the elements that were not found.
        key: what was asked.
    """
    languages = tuple(dict.fromkeys((*languages_of(without_mentions(stated)).known, *_languages(key))))
    names = [normalise(name) for name in missing]
    wrong: set[str] = set()
    if any(_is_a_date(name) for name in names):
        told = _told_dates(key)
        wrong |= {stated[slice(*span)] for date, span in dates_in(stated) if date not in told}
    kinds = {named.value.kind for name in names if (named := value_of(name, languages))} - {""}
    if kinds:
        told_values = _told_values(key, languages)
        known = {(value.kind, value.amount) for value in told_values}
        wrong |= {
            stated[value.start : value.end].strip(" .")
            for value in values_in(stated, languages)
            if value.kind in kinds and _is_free(stated, value)
            if (value.kind, value.amount) not in known
            or is_another_amount(stated, value.start, value.end)
            or (value.late is not None and _other_half(value, told_values))
        }
    return frozenset(wrong) | wrong_bounds(stated, names, _told_numbers(key))


@lru_cache(maxsize=256)
def _told_numbers(key: AnswerKey) -> frozenset[str]:
    return frozenset(_NUMBER.findall(_told(key)))


def _other_half(value: WrittenValue, told: Sequence[WrittenValue]) -> bool:
    """Whether a time of day is told in the other half of the day alone."""
    same = [one.late for one in told if (one.kind, one.amount) == (value.kind, value.amount)]
    return None not in same and value.late not in same


def _is_free(stated: str, value: WrittenValue) -> bool:
    return (
        MASK not in stated[value.start : value.end]
        and _DIGIT.search(stated, value.start, value.end) is not None
    )


@lru_cache(maxsize=256)
def _told(key: AnswerKey) -> str:
    texts = [key.question, *key.references, *(needle.text for needle in key.needles)]
    return normalise("\n".join((*texts, *(distractor.text for distractor in key.distractors))))


@lru_cache(maxsize=8192)
def _is_a_date(name: str) -> bool:
    return bool(dates_in(name))


@lru_cache(maxsize=256)
def _told_dates(key: AnswerKey) -> frozenset[tuple[int, int]]:
    return frozenset(date for date, _ in dates_in(_told(key)))


@lru_cache(maxsize=256)
def _told_values(key: AnswerKey, languages: tuple[Language, ...]) -> tuple[WrittenValue, ...]:
    return tuple(values_in(_told(key), languages))


@lru_cache(maxsize=256)
def _languages(key: AnswerKey) -> tuple[Language, ...]:
    return languages_of(_told(key)).known
