"""The languages of a needle set: an answer in one of them may be too short to show which."""

from __future__ import annotations

from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.normalise import tidy


@lru_cache(maxsize=256)
def languages_of_key(key: AnswerKey) -> tuple[Language, ...]:
    """The languages of a set's question and needles, or of its distractors where there is nothing to find."""
    texts = key.needles or key.distractors
    return languages_of(tidy("\n".join((key.question, *(each.text for each in texts))))).known
