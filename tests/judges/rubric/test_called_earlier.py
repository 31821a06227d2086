"""A wrong value of which the answer says that it was so before claims nothing."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KEY = AnswerKey(
    "gate",
    "What is the code of the gate?",
    ("7781",),
    elements=(Element("7781"),),
    needles=(Needle("now", "The code of the gate is 7781.", ("7781",)),),
    distractors=(Distractor("before", "The old code was 9424.", (Element("9424"),)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "The code is 7781. 9424 was the old code.",
        "9424, aber das war der alte Code. Der Code ist 7781.",
        "9424 était l'ancien code; le code est 7781.",
        "El código es 7781; 9424 era el antiguo.",
    ],
)
def test_what_was_so_before_is_not_claimed(answer: str) -> None:
    verdict = judge_by_rubric(answer, KEY)
    assert (verdict.score, verdict.wrong) == (10, ())


def test_what_is_so_too_is_claimed() -> None:
    assert judge_by_rubric("The code is 7781. 9424 is a code of the gate.", KEY).score < 10
