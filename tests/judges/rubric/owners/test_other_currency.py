"""A right amount in dollars, where the needles tell another currency, is no right amount."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

FINE = AnswerKey(
    "fine", "What does a lost ticket cost on the ferry?", references=("350 rupees",), kind="detail"
)
GRANT = AnswerKey("grant", "How large was the grant?", references=("€3.2 million",), kind="detail")
DOLLARS = AnswerKey("toll", "What is the toll?", references=("$350",), kind="detail")


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("$350", FINE, 1),
        ("It costs US$350.", FINE, 1),
        ("350 rupees", FINE, 10),
        ("₹350", FINE, 10),
        ("350", FINE, 10),
        ("It costs 350 rupees ($4.20).", FINE, 10),
        ("$3.2 million", GRANT, 1),
        ("€3.2 million", GRANT, 10),
        ("$3.2$ million euros", GRANT, 10),
        ("$350", DOLLARS, 10),
        ("350 dollars", DOLLARS, 10),
    ],
)
def test_dollars_are_no_rupees(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
