"""A value of the same kind in the place of one that was asked for."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

TUNNEL = AnswerKey(
    "tunnel",
    "How long is the Marl tunnel, on which day did it open, and at what hour does the last tram run?",
    elements=(Element("3.5 kilometres"), Element("6 June"), Element("23:40")),
    needles=(
        Needle(
            "n1", "The Marl tunnel is 3.5 kilometres long and opened on 6 June.", ("3.5 kilometres", "6 June")
        ),
        Needle("n2", "The last tram runs through the Marl tunnel at 23:40.", ("23:40",)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It is 35 kilometres long, opened on 6 June, and the last tram runs at 23:40.", "35 kilometres"),
        ("3.5 kilometres, 6 July, 23:40.", "6 july"),
        ("3.5 kilometres, 6 June, 22:40.", "22:40"),
    ],
)
def test_another_value_of_the_kind_is_wrong(answer: str, wrong: str) -> None:
    verdict = judge_by_rubric(answer, TUNNEL)
    assert (verdict.score, verdict.wrong) == (5, (wrong,))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("3.5 kilometres, 6 June; the hour of the last tram is not given.", 7),
        ("3.5 kilometres, opened on 6 June; the last tram, the 23:40, takes 7 minutes.", 10),
        ("Three and a half kilometres; the sixth of June; twenty to midnight (11:40 p.m.)", 10),
    ],
)
def test_what_is_left_out_or_said_besides_is_not_wrong(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, TUNNEL)
    assert (verdict.score, verdict.wrong) == (score, ())
