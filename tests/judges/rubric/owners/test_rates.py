"""A right number at another rate than was asked, as a change, or told of another thing alone."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle


def _asking(question: str, fact: str, value: str, other: str, owner: str) -> AnswerKey:
    return AnswerKey(
        "rate",
        question,
        references=(fact,),
        elements=(Element(value),),
        needles=(Needle("n", fact, ()),),
        distractors=(Distractor("d", owner, (Element(other),)),),
    )


LOFT = _asking(
    "What is the monthly rent of the loft in Cobb Lane?",
    "The monthly rent of the loft in Cobb Lane is 1,340 crowns.",
    "1,340 crowns",
    "2,400 crowns",
    "The deposit for the loft in Cobb Lane is 2,400 crowns.",
)
FARM = _asking(
    "How many eggs does the farm of Holm sell per day?",
    "The farm of Holm sells 620 eggs per day.",
    "620",
    "480",
    "The farm of Birk sells 480 eggs per day.",
)
WORKSHOP = _asking(
    "Wie hoch ist die Monatsmiete der Werkstatt im Torweg?",
    "Die Monatsmiete der Werkstatt im Torweg beträgt 730 Taler.",
    "730 Taler",
    "1500 Taler",
    "Die Kaution für die Werkstatt im Torweg beträgt 1500 Taler.",
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (LOFT, "The yearly rent is 1,340 crowns."),
        (LOFT, "1,340 crowns a year."),
        (LOFT, "The tenant pays 1,340 crowns every quarter."),
        (LOFT, "The rent was raised by 1,340 crowns."),
        (LOFT, "The deposit amounts to 1,340 crowns."),
        (LOFT, "Deposit: 1,340 crowns"),
        (LOFT, "Between 1,100 and 1,340 crowns."),
        (FARM, "It sells 620 eggs per week."),
        (FARM, "The farm of Birk sells 620 eggs per day."),
        (WORKSHOP, "Die Jahresmiete beträgt 730 Taler."),
        (WORKSHOP, "730 Taler pro Woche."),
    ],
)
def test_a_right_number_of_something_else_is_not_found(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1


@pytest.mark.parametrize(
    "answer",
    ["It is either 1,340 or 2,400 crowns.", "2,400 or 1,340 crowns", "Between 1,340 and 2,400 crowns."],
)
def test_a_unit_may_be_of_two_numbers(answer: str) -> None:
    assert judge_by_rubric(answer, LOFT).score == 5


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (LOFT, "1,340 crowns per month, i.e. 16,080 crowns a year."),
        (LOFT, "The yearly rent is 16,080 crowns, so 1,340 crowns a month."),
        (LOFT, "1,340 crowns a month. The lease runs for a year."),
        (LOFT, "1,340 crowns plus a yearly fee."),
        (LOFT, "1,340 crowns, for a year-long lease."),
        (LOFT, "In the annual report the rent is given as 1,340 crowns."),
        (LOFT, "1,340 crowns and, once a year, the chimney sweep."),
        (LOFT, "The rent was raised to 1,340 crowns."),
        (LOFT, "It costs 1,340 crowns, deposit aside."),
        (LOFT, "The rent is 1,340 crowns; the deposit is 2,400 crowns."),
        (FARM, "Every week of the year the farm sells 620 eggs per day."),
        (FARM, "Unlike Birk, it sells 620 eggs per day."),
        (FARM, "620 eggs a day, 4,340 a week."),
        (WORKSHOP, "Im Jahr 2020 betrug sie 730 Taler."),
        (WORKSHOP, "Monatlich 730 Taler."),
        (WORKSHOP, "730 Taler am Tag der Übergabe."),
    ],
)
def test_a_right_number_as_it_was_asked_stands(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


DOSE = _asking(
    "What dose is Orla given per day, and how often?",
    "Orla is given 300 mg twice a day.",
    "300 mg",
    "500 mg",
    "Runa is given 500 mg once a week.",
)
FAIR = _asking(
    "How many eggs does the yearly fair of Holm sell?",
    "The yearly fair of Holm sells 620 eggs per day.",
    "620",
    "480",
    "The fair of Birk sells 480 eggs.",
)


TOLL = _asking(
    "How much cheaper did the bridge of Orr become in May?",
    "In May the toll of the bridge of Orr was cut by 14 pence.",
    "14 pence",
    "9 pence",
    "In June the toll of Tofta was cut by 9 pence.",
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (TOLL, "The toll was cut by 14 pence."),
        (DOSE, "300 mg twice a day."),
        (DOSE, "300 mg, two times a day"),
        (FAIR, "It sells 620 eggs per day."),
        (FAIR, "620 eggs a day"),
    ],
)
def test_the_rate_that_the_needles_tell_is_no_other_one(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10
