"""One of two values that an answer leaves open is wrong where the other is right."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

BELL = AnswerKey("bell", "For how many seconds did the bell ring?", references=("51",), kind="detail")
KEEPER = AnswerKey("keeper", "Who kept the lighthouse?", references=("Ada Thorn",), kind="detail")
OFFERED = AnswerKey("offered", "Did it ring for 3 or for 51 seconds?", references=("51",), kind="detail")


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("Either 3 or 51 seconds.", BELL, 5),
        ("3 or 51", BELL, 5),
        ("51 or 3 seconds", BELL, 5),
        ("51 or so", BELL, 10),
        ("51 or more", BELL, 10),
        ("Either way, 51.", BELL, 10),
        ("Either Ada Thorn or Jon Birk.", KEEPER, 5),
        ("It was either Jon Birk or Ada Thorn.", KEEPER, 5),
        ("Ada Thorn, either by herself or with help.", KEEPER, 10),
        ("51 seconds", OFFERED, 10),
    ],
)
def test_what_is_left_open(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
