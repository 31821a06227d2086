"""The same amount in another unit of its kind, or with its unit in another language or script."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

ORVATIN = AnswerKey(
    "orvatin",
    "For Orvatin, what are the starting dose, the dosing interval and the maximum daily dose?",
    references=("80 mg, 8 hours and 240 mg.",),
    elements=(
        Element("80 mg", key="starting dose"),
        Element("8 hours", key="dosing interval"),
        Element("240 mg", key="maximum daily dose"),
    ),
    needles=(
        Needle("a", "The starting dose of Orvatin is 80 mg, its dosing interval 8 hours.", ()),
        Needle("b", "The maximum daily dose of Orvatin is 240 mg.", ()),
    ),
)
SEAT = AnswerKey(
    "seat",
    "What does a seat in the Mirpur cinema cost?",
    references=("350 rupees.",),
    elements=(Element("350 rupees"),),
    needles=(Needle("a", "A seat in the Mirpur cinema costs 350 rupees.", ()),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Starting dose 0.08 g, dosing interval 8 hours, max daily dose 0.24 g.", 10),
        ("Starting dose: 80 mg, q8h, maximum daily dose: 240 mg", 10),
        ("Starting dose 80 mg, 8-hourly, maximum daily dose 240 mg", 10),
        ("Starting dose 80 mg, dosing interval 8 uur, maximum daily dose 240 mg", 10),
        ("Starting dose 80 mg, dosing interval 8 godzin, maximum daily dose 240 mg", 10),
        ("Starting dose ८० mg, dosing interval ८ घंटे, maximum daily dose २४० mg", 10),
        ("Starting dose 80 mg, dosing interval ٨ ساعات, maximum daily dose 240 mg", 10),
        ("Starting dose 0.8 g, dosing interval 8 hours, maximum daily dose 0.24 g.", 7),
        ("Starting dose 80 mg, q6h, maximum daily dose 240 mg", 7),
        ("Starting dose 80 mg, dosing interval 8 dni, maximum daily dose 240 mg", 5),
        ("Starting dose: 8 hours, dosing interval: 80 mg, maximum daily dose 240 mg", 3),
    ],
)
def test_amounts_with_keys(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, ORVATIN).score == score


def test_a_key_with_another_number_takes_no_later_value() -> None:
    verdict = judge_by_rubric("Starting dose 45 drops, dosing interval 8 hours, top 240 mg", ORVATIN)
    assert (verdict.found, verdict.missing, verdict.wrong) == (("8 hours", "240 mg"), ("80 mg",), ())


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("₹350 for each person", 10),
        ("Rs. 350 per seat", 10),
        ("350 रुपये", 10),
        ("350 रुपए", 10),
        ("₹३५० प्रति व्यक्ति", 10),
        ("₹3,500 for each person", 1),
        ("350 euros", 1),
        ("250 रुपये", 1),
    ],
)
def test_rupees(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, SEAT).score == score
