"""Facts in Chinese, Japanese and Korean in other words."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.paraphrase.eastern import stated_eastern_facts
from niah.needles.needle_set import Distractor, Element, Needle


def key(question: str, fact: str, other: str) -> AnswerKey:
    return AnswerKey(
        "facts",
        question,
        references=(fact,),
        elements=(Element(fact),),
        needles=(Needle("n1", fact, (fact,)),),
        distractors=(Distractor("d1", other, (Element(other),)),),
    )


TAILOR = key("裁缝为什么关了铺子?", "付不起下半年的房租", "师傅把他赶走了")
COOK = key("料理人はなぜ宿を去ったのですか。", "母の借金を返すため", "姉と喧嘩したため")
MILLER = key("방앗간 주인은 무엇을 팔았나요?", "우리 할아버지의 배를 고치려고", "밀린 세금을 내려고")


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("因为下半年的房租他付不起。", TAILOR),
        ("下半年的房租付不起了,所以铺子关了门。", TAILOR),
        ("お母さんの借金を返すためでした。", COOK),
        ("返そうとしたのは母親の借金です。", COOK),
        ("당신 할아버지의 배를 고치기 위해서입니다.", MILLER),
        ("화자의 할아버지의 배를 고치고자 했습니다.", MILLER),
    ],
)
def test_the_same_in_other_words(answer: str, asked: AnswerKey) -> None:
    assert [mention.right for mention in stated_eastern_facts(answer, [], asked)] == [True]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("因为上半年的房租他付不起。", TAILOR),
        ("下半年的房租他付得起。", TAILOR),
        ("父の借金を返すためでした。", COOK),
        ("母の借金を返さないためでした。", COOK),
        ("할머니의 배를 고치기 위해서입니다.", MILLER),
        ("할아버지의 집을 고치기 위해서입니다.", MILLER),
    ],
)
def test_another_fact_in_like_words(answer: str, asked: AnswerKey) -> None:
    assert not stated_eastern_facts(answer, [], asked)
