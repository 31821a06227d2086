"""Right answers in forms that were once read wrongly, each in other words and worlds."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def key(question: str, *elements: str, other: str = "", keys: tuple[str, ...] = ()) -> AnswerKey:
    wrong = (Distractor("d", f"Somewhere else it is {other}.", (Element(other),)),) if other else ()
    named = zip(elements, keys or [""] * len(elements), strict=True)
    return AnswerKey(
        "siblings",
        question,
        references=(", ".join(elements),),
        elements=tuple(Element(name, key=key) for name, key in named),
        needles=tuple(Needle(name, f"It is said: {name}.", (name,)) for name in elements),
        distractors=wrong,
    )


LUNCH = key("When does the canteen of the dockyard open?", "13:00", other="11:00")
CHINESE_COUNT = key("仓库里有多少袋米?", "2450", other="1975")
KOREAN_PRICE = key("배를 빌리는 값은 하루에 얼마입니까?", "만 오천 원", other="이만 원")
WATCH = key("每次巡逻多长时间?", "三十分钟", other="一小时")
CODES = key("各門の暗証番号は何ですか(東門、西門)。", "4417", "0386", keys=("東門", "西門"), other="2205")
SWAM = key("Did the ferryman swim to the island, yes or no?", "yes", other="no")
DRAWER = key("Where did the aunt hide the deeds?", "behind the clock of my uncle", other="in the oven")
LEDGERS = key("Which numbers were asked for?", "7103-K", "5590", other="8842")
TERMS = key("Which terms did the heirs set?", "no timber sold before 1921", "a bell for the school")
PAID = key("What did she pay for the loom, the wool and the needles?", "31 florins", "9 florins", "2 florins")
PUMP = key(
    "What are the pressure, the warm-up and the pump's number of stages?",
    *("16 bar", "40 seconds", "3"),
    keys=("pressure", "warm-up", "number of stages"),
)
PUPIL = key("How old is the organ-builder's apprentice?", "17 years", other="19 years")


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        (PUPIL, "She's seventeen.", 10),
        (PUPIL, "Age: 17", 10),
        (PUPIL, "She's seventeenth in line.", 1),
        (PUPIL, "She is nineteen.", 1),
        (TERMS, "That no timber be sold before 1921 and that the school get a bell.", 10),
        (TERMS, "No timber was to be sold before 1912; a bell for the school.", 5),
        (PAID, "Thirty-one florins for the loom, nine for the wool and two for the needles.", 10),
        (PAID, "Thirty-one florins for the loom, eight for the wool and two for the needles.", 7),
        (PUMP, "It holds a pressure of 16 bar, wants a 40-second warm-up and has 3 stages.", 10),
        (PUMP, "Warm-up: 16 bar, pressure: 40 seconds, number of stages: 3", 3),
        (LUNCH, "At one o'clock in the afternoon.", 10),
        (LUNCH, "A la una de la tarde.", 10),
        (LUNCH, "À une heure de l'après-midi.", 10),
        (LUNCH, "В час дня.", 10),
        (LUNCH, "At 1:00 p.m.", 10),
        (LUNCH, "At one o'clock in the morning.", 1),
        (LUNCH, "At half past one.", 1),
        (CHINESE_COUNT, "共有两千四百五十袋。", 10),
        (CHINESE_COUNT, "两千四百五。", 1),
        (KOREAN_PRICE, "하루에 만오천 원인 것 같습니다.", 10),
        (KOREAN_PRICE, "만오천원이지만 겨울에는 쉽니다.", 10),
        (WATCH, "每次两刻钟。", 10),
        (WATCH, "每次三刻钟。", 1),
        (CODES, "東門が4417、西門が0368です。", 5),
        (CODES, "東門が4417、西門が0386です。", 10),
        (SWAM, "Most likely yes, going by what the widow says.", 10),
        (SWAM, "Probably no.", 1),
        (DRAWER, "At the back of your uncle's clock.", 10),
        (DRAWER, "Under my uncle's clock.", 1),
        (LEDGERS, "7103-K and 5590.\n\nAlso there, but outside of your question:\n- 8842", 10),
        (LEDGERS, "7103-K, 5590.\n\nÉgalement cités, mais hors de votre question :\n- 8842", 10),
    ],
)
def test_forms_of_answers(asked: AnswerKey, answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == score, verdict.reason
