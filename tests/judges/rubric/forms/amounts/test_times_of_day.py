"""Times of day and dates in the words of the ten languages; the other half of the day is another time."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def key_of_time(question: str, needle: str, *names: str) -> AnswerKey:
    return AnswerKey(
        "time",
        question,
        (needle,),
        elements=(Element(names[0], names[1:]),),
        needles=(Needle("n", needle, (names[0],)),),
    )


COACH = key_of_time("When does the coach leave?", "The coach leaves at 7:15 a.m.", "7:15 a.m.", "07:15")
TRAIN = key_of_time("Когда уходит поезд?", "Поезд уходит в 21:50, и ждать его не надо.", "21:50")
LORRY = key_of_time("几点到的？", "第一车是下午4点15分到的。", "下午4点15分", "16:15")
FAIR = key_of_time("며칠에 열립니까?", "책 축제는 10월 7일에 열린다.", "10월 7일")
DOORS = key_of_time("몇 시에 끝납니까?", "축제는 오후 6시 30분에 끝난다.", "오후 6시 30분", "18:30")
BUS = key_of_time("Wann fährt der Bus?", "Der Bus fährt um 9:50 Uhr ab, und er wartet nicht.", "9:50")
TREN = key_of_time("¿A qué hora sale el tren?", "El tren sale a las 8:35 de la mañana.", "8:35")
CAR = key_of_time("À quelle heure part le car ?", "Le car part à 10 h 40 devant la mairie.", "10:40")
DESKS = key_of_time("Сколько парт завезли в школу?", "В школу завезли 48 парт, и все новые.", "48 парт")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (COACH, "7.15 in the morning"),
        (COACH, "quarter past seven"),
        (COACH, "07:15 AM"),
        (TRAIN, "Без десяти десять вечера."),
        (LORRY, "傍晚四点十五分"),
        (LORRY, "16点15分"),
        (FAIR, "시월 칠일에 열립니다."),
        (DOORS, "저녁 여섯 시 반에 끝나요."),
        (BUS, "Um zehn vor zehn."),
        (BUS, "um neun Uhr fünfzig"),
        (TREN, "A las nueve menos veinticinco."),
        (CAR, "À onze heures moins vingt."),
        (DESKS, "Речь идёт о сорока восьми партах."),
    ],
)
def test_a_time_is_found_in_words(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (COACH, "7:15 p.m."),
        (COACH, "7:15 PM sharp"),
        (COACH, "a quarter past seven in the evening"),
        (COACH, "19:15"),
        (TRAIN, "Без пяти десять."),
        (LORRY, "凌晨4点15分到的。"),
        (FAIR, "시월 팔일에 열립니다."),
        (DOORS, "아침 여섯 시 반에 끝나요."),
        (BUS, "Um zehn nach zehn."),
        (TREN, "a las ocho y veinticinco"),
        (CAR, "à onze heures vingt"),
        (DESKS, "О сорока девяти партах."),
    ],
)
def test_another_time_is_not(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1
