"""Another value that an answer leaves open beside the right one: "either 3 or 51 seconds"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.normalise import normalise

_SAID = rf"[^.;:,!?\n{MASK}()]"
_EITHER = lazy_pattern(
    rf"\b(?:either|entweder|soit|ya\s+sea)\s+(?:(?:the|in|on|at|by)\s+)?(?:(?P<first>{_SAID}{{1,40}}?),?\s+(?:or|oder|soit|o)\s+(?:(?:the|in|on|at|by)\s+)?{MASK}"
    rf"|{MASK}+(?:\s+[^\W\d_]+)?,?\s+(?:or|oder|soit|o)\s+(?:(?:the|in|on|at|by)\s+)?(?P<second>{_SAID}{{1,40}}?)(?=\s*(?:[.;:,!?\n()]|\Z)))"
)
_OR_NUMBER = lazy_pattern(
    rf"(?:\A|[.:\n]|\b(?:is|was|are|were|it's|be|after|in|at))\s*(?P<first>\d[\d.,]*)\s+or\s+{MASK}"
    rf"|{MASK}+(?:\s+[^\W\d_]+)?\s+or\s+(?P<second>\d[\d.,]*)(?=[\s.;,!?]|\Z)"
)
_DIGIT = re.compile(r"\d")
_NO_VALUE = frozenset(
    re.findall(r"\w+", "so more less fewer thereabouts not later earlier both neither way none")
)
_WORD = re.compile(r"[^\W_]+")


def left_open(masked: str, spoken: str, key: AnswerKey) -> frozenset[str]:
    """What an answer gives as the one of two that it leaves open, where the other is right.

    Only where one thing is asked for, of which the question does not offer the two.

    Args:
        masked: the answer, normalised and masked.
        spoken: the same as the reader gave it: names have capitals.
        key: what was asked.
    """
    if len(key.elements) != 1 or " o" not in masked:
        return frozenset()
    numeric = _DIGIT.search(key.elements[0].name) is not None
    ways = (_EITHER, _OR_NUMBER) if numeric else (_EITHER,)
    return frozenset(other for way in ways for other in _others(way, masked, spoken, key, numeric=numeric))


def _others(
    way: re.Pattern[str], masked: str, spoken: str, key: AnswerKey, *, numeric: bool
) -> Iterator[str]:
    for found in way.finditer(masked):
        other = (found["first"] or found["second"]).strip()
        words = _WORD.findall(other)
        if not words or not _NO_VALUE.isdisjoint(words) or other in normalise(key.question):
            continue
        if numeric != bool(_DIGIT.search(other)) or find_mentions(other, names_of(key)):
            continue
        if numeric or all(f" {word.capitalize()}" in f" {spoken}" for word in words[-1:]):
            yield other
