"""A change told the other way is another one, unless the needles tell it so themselves."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

HERD = AnswerKey("herd", "By how much did the herd grow in 1911?", references=("14 %",), kind="detail")
WATER = AnswerKey("water", "By how much did the water level fall?", references=("30 cm",), kind="detail")
BOTH = AnswerKey(
    "both",
    "By how much did the herd grow?",
    references=("14 %", "It grew by 14 %, after it had fallen."),
    kind="detail",
)


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("It shrank by 14 %.", HERD, 1),
        ("Die Herde schrumpfte um 14 %.", HERD, 1),
        ("It grew by 14 %.", HERD, 10),
        ("14 %", HERD, 10),
        ("After it had fallen in 1910, it grew by 14 %.", HERD, 10),
        ("It did not fall: 14 % more.", HERD, 10),
        ("It rose by 30 cm.", WATER, 1),
        ("It dropped by 30 cm.", WATER, 10),
        ("It fell by 14 %.", BOTH, 10),
    ],
)
def test_the_way_of_a_change_counts(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
