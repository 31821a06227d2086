"""Inventions beside one right item of a list that is the whole answer: "A plane, a saw and an adze"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

KEY = AnswerKey(
    "tools",
    "Which three tools did the cooper of Hask lend out?",
    references=("An adze, a croze and a mallet.",),
    elements=(Element("adze"), Element("croze"), Element("mallet")),
    needles=(Needle("n", "The cooper of Hask lent out an adze, a croze and a mallet.", ()),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "A plane, a saw and an adze.",
        "An adze, a plane and a saw.",
        "He lent out a plane, a saw and an adze.",
        "The cooper of Hask lent out an adze, a plane and a saw.",
    ],
)
def test_inventions_beside_one_right_item_count(answer: str) -> None:
    assert judge_by_rubric(answer, KEY).score == 3


@pytest.mark.parametrize(
    "answer",
    [
        "An adze, I think, and more.",
        "Sure, here it is, and the adze.",
        "The cooper, a kind man, lent out the adze.",
        "The old, worn and trusted adze.",
        "An adze, a mallett and a plane.",
        "An adze and a plane.",
    ],
)
def test_what_is_no_list_of_as_many_invents_nothing(answer: str) -> None:
    assert judge_by_rubric(answer, KEY).wrong == ()
