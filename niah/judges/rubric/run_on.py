"""Where an answer runs on and asks itself another question, as small models do."""

from __future__ import annotations

import re

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements import find_mentions, names_of
from niah.judges.rubric.normalise import normalise

_QUESTION = re.compile(
    r"^[ \t*#>]*(?:question|q)(?:[ \t]+\d+)?[ \t*]*:[ \t*]*(\S[^\n]*)", re.IGNORECASE | re.MULTILINE
)


def without_other_questions(answer: str, key: AnswerKey) -> str:
    """``answer`` up to the line in which it turns to a question of its own: "Question: And who ...?".

    It turns to another one only after it has named something, right or wrong; and the question that was
    asked may be repeated.

    Args:
        answer: without reasoning.
        key: what was asked.
    """
    asked = normalise(key.question)
    for own in _QUESTION.finditer(answer):
        before = answer[: own.start()]
        if not asked.startswith(normalise(own[1]).rstrip()) and find_mentions(
            normalise(before), names_of(key)
        ):
            return before
    return answer
