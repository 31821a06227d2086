"""Dates, thousands and sums as ten languages write and say them."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def _key(question: str, needle: str, answer: str, other: str = "") -> AnswerKey:
    distractors = (Distractor("d", f"{other}.", (Element(other),)),) if other else ()
    needles = (Needle("n", f"{needle} {answer}.", (answer,)),)
    return AnswerKey(
        "k", question, (answer,), elements=(Element(answer),), needles=needles, distractors=distractors
    )


@pytest.mark.parametrize(
    ("question", "needle", "answer", "said"),
    [
        (
            "When did the mill open?",
            "It opened on",
            "6 May 1894",
            "On the sixth of May, eighteen ninety-four.",
        ),
        (
            "Wann wurde die Mühle eröffnet?",
            "Die Mühle wurde eröffnet am",
            "6. Mai 1894",
            "Am sechsten Mai achtzehnhundertvierundneunzig.",
        ),
        (
            "Quand le moulin a-t-il ouvert ?",
            "Le moulin a ouvert le",
            "6 mai 1894",
            "Le six mai mil huit cent quatre-vingt-quatorze.",
        ),
        (
            "¿Cuándo abrió el molino?",
            "El molino abrió el",
            "6 de mayo de 1894",
            "El seis de mayo de mil ochocientos noventa y cuatro.",
        ),
        (
            "Quando abriu o moinho?",
            "O moinho abriu em",
            "6 de maio de 1894",
            "Em seis de maio de mil oitocentos e noventa e quatro.",
        ),
        (
            "Quando aprì il mulino?",
            "Il mulino aprì il",
            "6 maggio 1894",
            "Il sei maggio milleottocentonovantaquattro.",
        ),
        (
            "Когда открылась мельница?",
            "Мельница открылась",
            "6 мая 1894 года",
            "Шестого мая тысяча восемьсот девяносто четвёртого года.",
        ),
        ("磨坊是哪天开张的?", "磨坊开张于", "1894年5月6日", "一八九四年五月六日。"),
        ("水車小屋はいつ開きましたか。", "水車小屋が開いたのは", "1894年5月6日", "一八九四年五月六日です。"),
        (
            "방앗간은 언제 문을 열었습니까?",
            "방앗간이 문을 연 날은",
            "1894년 5월 6일",
            "천팔백구십사년 오월 육일입니다.",
        ),
    ],
)
def test_the_year_of_a_date_may_be_in_words(question: str, needle: str, answer: str, said: str) -> None:
    key = _key(question, needle, answer)
    assert judge_by_rubric(said, key).score == 10, judge_by_rubric(said, key).reason
    other = key.elements[0].name.replace("1894", "1895")
    assert judge_by_rubric(said, _key(question, needle, other)).score == 1


def test_both_words_of_a_number_are_feminine() -> None:
    key = _key("Quantas cestas guarda o celeiro?", "O celeiro não guarda mais do que", "2350 cestas")
    assert judge_by_rubric("Duas mil trezentas e cinquenta cestas.", key).score == 10


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("4600升", "水塔能装4,600升。"),
        ("4600升", "容量为4,600升,大约需要3小时。"),
        ("4600リットル", "給水塔は4,600リットル入ります。"),
        ("4600리터", "급수탑에는4,600리터가 들어갑니다."),
    ],
)
def test_a_comma_in_thousands_stands_beside_signs_too(answer: str, said: str) -> None:
    assert judge_by_rubric(said, _key("多少?", "水塔能装", answer)).score == 10
    assert judge_by_rubric(said.replace("4,600", "14,600"), _key("多少?", "水塔能装", answer)).score == 1


BARRELS = _key("新水塔能装多少升?", "新水塔能装", "4600升", "2900升")


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("老水塔2900升,新水塔比它多1700升,2900+1700=4600,所以新水塔能装4600升。", 10),
        ("2900升……不对,那是旧水塔的容量,新水塔是4600升。", 10),
        ("旧水塔2900升,新水塔4600升。", 10),
        ("新水塔能装4600升和2900升。", 5),
    ],
)
def test_what_is_said_of_the_old_one_ends_at_its_comma(said: str, score: int) -> None:
    verdict = judge_by_rubric(said, BARRELS)
    assert verdict.score == score, verdict.reason
