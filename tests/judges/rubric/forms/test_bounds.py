"""Bounds in other words, and others in their place."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

_CLUB = AnswerKey(
    "club",
    "Which conditions must a rower of the Quill Club meet?",
    elements=(Element("under 28"), Element("boat"), Element("doctor's note")),
    needles=(Needle("n", "A rower must be under 28 and bring a boat and a doctor's note.", ("under 28",)),),
)
_LIFT = AnswerKey("lift", "What may the lift carry?", elements=(Element("at least 600 pounds"),))


@pytest.mark.parametrize(
    ("said", "score", "wrong"),
    [
        ("Below the age of 28", 10, ()),
        ("Not yet twenty-eight", 10, ()),
        ("Younger than 28 years old", 10, ()),
        ("Under 30", 5, ("under 30",)),
        ("Over 28", 5, ("over 28",)),
        ("Not under 28", 7, ()),
        ("Under 40 strokes", 7, ()),
    ],
)
def test_a_bound_of_ages(said: str, score: int, wrong: tuple[str, ...]) -> None:
    verdict = judge_by_rubric(f"{said}, a boat, a doctor's note", _CLUB)
    assert (verdict.score, verdict.wrong) == (score, wrong)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("no less than 600 pounds", 10),
        ("600 pounds or more", 10),
        ("less than 600 pounds", 1),
        ("at most 600 pounds", 1),
        ("at least 6000 pounds", 1),
    ],
)
def test_a_bound_of_a_measure(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, _LIFT).score == score
