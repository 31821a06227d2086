"""Numbers of Korean and Chinese texts as they are said, and digits said with the sign between them."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def score(name: str, question: str, answer: str) -> float:
    key = AnswerKey(
        "number", question, (name,), elements=(Element(name),), needles=(Needle("n", question, (name,)),)
    )
    return judge_by_rubric(answer, key).score


FEE = "만 이천 원", "나루터의 뱃삯은 얼마인가요?"
WATCH = "四十五分钟", "每次巡逻多长时间?"
PUMP = "30-7714", "Que número tem a bomba?"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (FEE, "뱃삯은 만이천 원입니다."),
        (FEE, "1만 2천 원이에요."),
        (FEE, "12,000원"),
        (FEE, "뱃삯은 공일 번 창구에서 만 이천 원입니다."),
        (WATCH, "每次三刻钟。"),
        (WATCH, "巡逻45分钟一次。"),
        (PUMP, "É o três zero, traço, sete sete um quatro."),
        (PUMP, "three zero dash double seven one four"),
    ],
)
def test_the_same_number(asked: tuple[str, str], answer: str) -> None:
    assert score(*asked, answer) == 10


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (FEE, "뱃삯은 이만천 원입니다."),
        (FEE, "만 이백 원이에요."),
        (WATCH, "每次两刻钟。"),
        (PUMP, "É o três zero, traço, sete sete quatro um."),
    ],
)
def test_another_number(asked: tuple[str, str], answer: str) -> None:
    assert score(*asked, answer) == 1
