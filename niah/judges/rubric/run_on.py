"""Where an answer runs on and asks itself another question, as small models do."""

from __future__ import annotations

import re

from niah.judges.rubric.elements import find_mentions, names_of
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import NeedleSet

_QUESTION = re.compile(
    r"^[ \t*#>]*(?:question|q)(?:[ \t]+\d+)?[ \t*]*:[ \t*]*(\S[^\n]*)", re.IGNORECASE | re.MULTILINE
)


def without_other_questions(answer: str, needle_set: NeedleSet) -> str:
    """``answer`` up to the line in which it turns to a question of its own: "Question: And who ...?".

    It turns to another one only after it has named something, right or wrong; and the question that was
    asked may be repeated.

    Args:
        answer: without reasoning.
        needle_set: what was asked.
    """
    asked = normalise(needle_set.question)
    for own in _QUESTION.finditer(answer):
        before = answer[: own.start()]
        if not asked.startswith(normalise(own[1]).rstrip()) and find_mentions(
            normalise(before), names_of(needle_set)
        ):
            return before
    return answer
