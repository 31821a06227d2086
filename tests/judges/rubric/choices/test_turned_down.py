"""A motion that failed or was rejected did not pass; one of which that is denied did not say so."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

QUESTION = "Did the motion to close the school pass?"


@pytest.mark.parametrize(
    ("answer", "is_no"),
    [
        ("The motion failed.", True),
        ("The motion was rejected.", True),
        ("It was rejected by 5 votes to 4.", True),
        ("The motion failed to pass.", True),
        ("The council rejected the motion.", True),
        ("The council turned it down.", True),
        ("The motion was not rejected.", False),
        ("The motion did not fail.", False),
        ("It failed at first but passed later.", False),
        ("They rejected the objections and passed it.", False),
        ("The council rejected the amendment.", False),
        ("It failed to mention a date.", False),
    ],
)
def test_what_says_no(answer: str, is_no: bool) -> None:
    no, yes = (AnswerKey("motion", QUESTION, references=(word,), kind="detail") for word in ("No", "Yes"))
    assert judge_by_rubric(answer, no).score == (10 if is_no else 1)
    assert judge_by_rubric(answer, yes).score == 1


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ('{"allowed": false}', 10),
        ('{"forbidden": true}', 10),
        ('{"allowed": true}', 1),
        ('{"paid": false}', 1),
    ],
)
def test_a_field_says_whether_it_is_allowed(answer: str, score: int) -> None:
    key = AnswerKey("night", "May apprentices work at night?", references=("No",), kind="detail")
    assert judge_by_rubric(answer, key).score == score
