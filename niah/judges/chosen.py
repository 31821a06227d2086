"""Which distractors misled a reader."""

from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.judges.rubric.normalise import normalise
from niah.judges.verdict import Verdict


def chosen_distractors(verdict: Verdict, key: AnswerKey) -> tuple[str, ...]:
    """Ids of the distractors whose elements the answer took, in the needle set's order.

    An element that two distractors plant names both. A trap, an invented item and a right value given to the
    wrong key are nobody's, and name none.
    """
    taken = {normalise(name) for name in verdict.wrong}
    return tuple(
        distractor.id
        for distractor in key.distractors
        if any(normalise(name) in taken for element in distractor.elements for name in element.names)
    )
