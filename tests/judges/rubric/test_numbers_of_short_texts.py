"""Numbers in words or with points in answers too short to show their language."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def _key(question: str, needle: str, answer: str, other: str) -> AnswerKey:
    return AnswerKey(
        "k",
        question,
        (needle,),
        elements=(Element(answer),),
        needles=(Needle("n", needle, (answer,)),),
        distractors=(Distractor("d", f"Elsewhere it is {other}.", (Element(other),)),),
    )


_STATUES = _key("How many statues are there?", "On the terrace stand 2386 statues.", "2386", "1954")
_TAX = _key("What did the tanner pay?", "The tanner paid 5,250 crowns.", "5,250 crowns", "2,250 crowns")
_CANAL = _key("How long is the canal in metres?", "The canal is 2386 metres long.", "2386", "1954")
_LOCK = _key("Which code opens the lock?", "The lock is opened by 2386.", "2386", "1954")
_FACTOR = _key("How many knots?", "The net of 2.5 ells has 2386 knots.", "2386", "1954")
_OARS = _key("How many oars has the boat?", "The boat has 7 oars.", "7", "15")
_CANDLES = _key("Quantas velas arderam?", "Na capela arderam 6210 velas.", "6210", "6120")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (_STATUES, "2.386 Statuen"),
        (_STATUES, "There are 2.386 statues."),
        (_STATUES, "Hay dos mil trescientas ochenta y seis estatuas."),
        (_STATUES, "duemilatrecentottantasei statue"),
        (_TAX, "5.250 Kronen"),
        (_TAX, "fünftausendzweihundertfünfzig Kronen"),
        (_OARS, "Sieben Ruder"),
        (_CANDLES, "6.210 velas"),
        (_CANDLES, "seis mil duzentas e dez velas"),
    ],
)
def test_such_a_number_is_found(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (_STATUES, "2.368 Statuen"),
        (_STATUES, "2.386 million statues"),
        (_STATUES, "12.386 Statuen"),
        (_STATUES, "2.386 km"),
        (_STATUES, "trescientas ochenta y seis estatuas"),
        (_STATUES, "1.954 Statuen"),
        (_TAX, "2.250 Kronen"),
        (_CANAL, "2.386"),
        (_LOCK, "2.386"),
        (_FACTOR, "2.386"),
        (_OARS, "The quince orchard"),
        (_OARS, "The rent of Mille Trenta was due at sette."),
        (_CANDLES, "6.120 velas"),
    ],
)
def test_another_number_or_a_fraction_is_not(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1
