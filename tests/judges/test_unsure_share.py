"""How often the rubric is unsure of answers that were scored by hand, before a judge saw them."""

from __future__ import annotations

from niah.judges import judge_by_rubric
from tests.judges.scored_answers import HAND_MADE, SCORED_BY_HAND, scored_answers

MOST = 0.08
"""What plans expect of a model behind the rubric: to be asked about no greater share."""


def test_few_answers_are_unsure_and_their_readings_hold_the_score() -> None:
    verdicts = [judge_by_rubric(one.answer, one.key) for one in scored_answers([*SCORED_BY_HAND, *HAND_MADE])]
    unsure = [(verdict.score, verdict.unsure) for verdict in verdicts if verdict.unsure]
    assert 0 < len(unsure) <= MOST * len(verdicts)
    for score, found in unsure:
        assert found.lowest <= score <= found.highest
        assert found.lowest < found.highest
        assert found.reason
