"""Values that tell by their kind what they are are given to no other key by their place; labels are."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

TERMS = AnswerKey(
    "terms",
    "How many stalls may a trader rent, how many weeks' notice is asked for, and which town's court decides?",
    references=("Four stalls, nine weeks' notice, and the court of Orme.",),
    elements=(
        Element("4 stalls", key="stalls"),
        Element("9 weeks", key="notice"),
        Element("Orme", key="court"),
    ),
    needles=(
        Needle("a", "A trader may rent at most 4 stalls.", ()),
        Needle("b", "Either side may end the lease with 9 weeks' notice.", ()),
        Needle("c", "The court of Orme decides.", ()),
    ),
    distractors=(Distractor("d", "On feast days a trader may rent 2 stalls.", (Element("2 stalls"),)),),
)
LEASE = AnswerKey(
    "lease",
    "What do the weekly rent, the security deposit and the late fee come to? Name each with its amount.",
    references=("The weekly rent is $230, the security deposit $460 and the late fee $15.",),
    elements=(
        Element("$230", key="weekly rent"),
        Element("$460", key="security deposit"),
        Element("$15", key="late fee"),
    ),
    needles=(
        Needle("a", "The weekly rent of the boathouse is $230.", ()),
        Needle("b", "A security deposit of $460 is held by the harbour master.", ()),
        Needle("c", "A late fee of $15 is charged.", ()),
    ),
    distractors=(Distractor("d", "For a dog a pet deposit of $90 is taken.", (Element("$90"),)),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Up to 4 stalls, 9 weeks' notice, Orme", 10),
        ("9 weeks, 4 stalls, Orme", 10),
        ("Up to 3 stalls, 9 weeks' notice, Orme", 5),
        ("3 stalls; 9 weeks; Orme", 5),
        ("9 weeks' notice and the court of Orme", 7),
        ("Not 3 stalls; 9 weeks; Orme", 7),
        ("On feast days 2 stalls; 9 weeks; Orme", 7),
        ("Stalls: 9 weeks, notice: 4 stalls, court: Orme", 3),
    ],
)
def test_a_wrong_value_moves_no_other(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, TERMS).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Rent: $230\nDeposit: $460\nLate fee: $15", 10),
        ("Rent: $460\nDeposit: $230\nLate fee: $15", 3),
        ("They pay $230 in weekly rent, a $460 security deposit, and $15 for late payments.", 10),
        ("They pay $460 in weekly rent, a $230 security deposit, and $15 for late payments.", 3),
        ("Weekly rent $230, security deposit $460, late fee $15", 10),
    ],
)
def test_a_label_is_a_keys_word(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, LEASE).score == score
