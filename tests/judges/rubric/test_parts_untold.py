"""An answer that says of one key that nothing is told for it: the other keys' values stand."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

COOK = AnswerKey(
    name="cook",
    question="Which dish does the cook Hanno serve on Monday, and which on Friday?",
    references=("On Monday barley soup, on Friday eel pie.",),
    elements=(Element("barley soup", key="Monday"), Element("eel pie", key="Friday")),
    needles=(
        Needle("monday", "On Monday the cook Hanno serves barley soup.", ("barley soup",)),
        Needle("friday", "On Friday the cook Hanno serves eel pie.", ("eel pie",)),
    ),
)


@pytest.mark.parametrize(
    "answer",
    [
        "On Monday he serves barley soup; no dish is named for Friday.",
        "Barley soup (Monday), no dish given (Friday).",
        "Barley soup on Monday, no dish is given for Friday.",
        "Monday: barley soup. However, the text does not mention a dish for Friday.",
        "Eel pie on Friday. For Monday, no dish is specified, though.",
        "Friday: eel pie. But for Monday, no dish is given.",
    ],
)
def test_what_is_untold_of_one_key_leaves_the_other_standing(answer: str) -> None:
    verdict = judge_by_rubric(answer, COOK)
    assert (verdict.score, len(verdict.found), len(verdict.missing)) == (5, 1, 1)


@pytest.mark.parametrize(
    "answer",
    [
        "Barley soup on Monday. However, no dish is given for Monday or Friday.",
        "Barley soup on Monday. But the dish for Monday is not mentioned.",
        "Barley soup on Monday. Sorry, no dishes are mentioned in the text.",
        "Barley soup on Monday. I take that back; no dish is named for Friday.",
        "Barley soup on Monday. For Friday no dish is given. Actually, none of this is stated in the text.",
    ],
)
def test_what_is_untold_of_both_or_of_the_one_named_takes_all_back(answer: str) -> None:
    assert judge_by_rubric(answer, COOK).score == 1
