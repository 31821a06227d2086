"""Upper bounds said with a "not", a yes with its source in brackets, and amounts in thousandths."""

from __future__ import annotations

from dataclasses import replace

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element
from tests.judges.rubric.test_siblings import key

LOAD = key("How much may the footbridge at Orre carry at most?", "420 kg", other="900 kg")
SYRUP = key("What is the largest daily dose of the syrup?", "750 mg", other="250 mg")
DELAY = key("How long does the gate wait before it closes?", "45 seconds", other="90 seconds")
SLEDGE = AnswerKey(
    name="sledge",
    question="May sledges be taken on the mountain train?",
    elements=(Element("yes", derived=True),),
    traps=(Element("no", derived=True),),
    options=("yes", "no"),
)

TRAM = replace(SLEDGE, name="tram", question="Are bicycles allowed on the tram to Velm on Sundays?")


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        (LOAD, "The load must not exceed 420 kg.", 10),
        (LOAD, "It should never be higher than 420 kg.", 10),
        (LOAD, "Nobody should put more than 420 kg on it; it may not go above 420 kg.", 10),
        (LOAD, "It can't be more than 420 kg.", 10),
        (LOAD, "The load must not exceed 900 kg.", 1),
        (LOAD, "It is not 420 kg.", 1),
        (LOAD, "It does not carry 420 kg.", 1),
        (LOAD, "It may not be 420 kg, more is allowed.", 1),
        (SYRUP, "0.75 g", 10),
        (SYRUP, "0.75 grams a day", 10),
        (SYRUP, "7.5 g", 1),
        (SYRUP, "0.25 g", 1),
        (DELAY, "45,000 ms", 10),
        (DELAY, "45000 milliseconds", 10),
        (DELAY, "4,500 ms", 1),
        (SLEDGE, "Yes [1].", 10),
        (SLEDGE, "**Yes** [1][2]", 10),
        (SLEDGE, "Yes (the conductor has room for them).", 10),
        (SLEDGE, "No [1].", 1),
        (SLEDGE, "No (explicit) mention of sledges is made.", 1),
        (SLEDGE, "No (clear) answer.", 1),
        (TRAM, "Yes on Saturdays, no on Sundays.", 1),
        (TRAM, "Bicycles are allowed on the tram on Sundays.", 10),
        (TRAM, "Bicycles are not allowed on the tram on Sundays.", 1),
    ],
)
def test_answers(asked: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, asked).score == score
