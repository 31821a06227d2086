"""Sums in dollars: another one in a sum's place is wrong, and cents are written in several ways."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

FACTS = (
    "The season ticket costs $117.50, towel included.",
    "A locker is $42 a year, without the padlock.",
    "Whoever brings a friend buys a guest pass for $8.75.",
)
CLUB = AnswerKey(
    "club",
    "What do the season ticket, the locker and the guest pass of the club cost? Give each price.",
    references=("The season ticket costs $117.50, the locker $42 and the guest pass $8.75.",),
    elements=(
        Element("$117.50", key="season ticket"),
        Element("$42", key="locker"),
        Element("$8.75", key="guest pass"),
    ),
    needles=tuple(Needle(f"n{place}", fact, ()) for place, fact in enumerate(FACTS)),
    distractors=(Distractor("d", "The sauna costs $96.25 a season.", (Element("$96.25"),)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "Season ticket $117.50, locker $42.00, guest pass $8.75",
        "Season ticket: US$117.50; locker: US$42; guest pass: US$8.75",
        "Season ticket: 117.50 USD; locker: 42.00 USD; guest pass: 8.75 USD",
        "Season ticket 117 dollars and 50 cents, locker forty-two dollars, guest pass 8 dollars 75.",
        "$117.5 for the season ticket, 42 dollars for a locker, $8.75 for a guest pass",
        "Season ticket $117.50, locker $42 and guest pass $8.75, so $168.25 in all.",
    ],
)
def test_sums_are_the_same_however_they_are_written(answer: str) -> None:
    assert judge_by_rubric(answer, CLUB).score == 10


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Season ticket $117.50, locker $42.50, guest pass $8.75", ("$42.50",)),
        ("Season ticket $117, locker $42, guest pass $8.75", ("$117",)),
        ("Season ticket $117.50, locker 24 dollars, guest pass $8.75", ("$24",)),
        ("Season ticket $1,175, locker $42, guest pass $8.75", ("$1175",)),
        # About so much, a total of others, no amount.
        ("Season ticket about $118, locker $42, guest pass $8.75", ()),
        ("Season ticket $117.50, guest pass $8.75, $126.25 together. The locker isn't priced.", ()),
        ("Season ticket $117.50, guest pass $8.75 for 24 visits. The locker isn't priced.", ()),
    ],
)
def test_a_sum_that_no_text_has_is_wrong_in_place_of_one_that_is_missing(
    answer: str, wrong: tuple[str, ...]
) -> None:
    verdict = judge_by_rubric(answer, CLUB)
    assert (len(verdict.found), verdict.wrong) == (2, wrong)
