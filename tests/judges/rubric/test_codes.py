"""Codes that an answer misreads by a sign."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.codes import misread_codes
from niah.judges.rubric.normalise import tidy
from niah.needles.needle_set import Distractor, Element


def misread(answer: str, *missing: str, planted: str = "") -> frozenset[str]:
    key = AnswerKey(
        name="s",
        question="Which lockers are free?",
        elements=tuple(Element(name) for name in missing),
        distractors=(Distractor("d", planted, ()),) if planted else (),
    )
    return misread_codes(tidy(answer), missing, key)


@pytest.mark.parametrize(
    ("answer", "missing", "expected"),
    [
        ("Locker 27F is free.", "Locker 27H", "27f"),
        ("It is QT-3381-B.", "QT-3381-E", "qt3381b"),
        ("шкаф 27Б", "шкаф 27В", "27б"),
        ("VR-6620", "VR-6629", "vr6620"),
    ],
)
def test_one_other_sign_is_another_code(answer: str, missing: str, expected: str) -> None:
    assert misread(answer, missing) == {expected}


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("Locker 27H is free.", "Locker 27H"),
        ("It weighs 27 kg and opens at 9am on the 27th.", "Locker 27H"),
        ("VR-7720", "VR-6629"),
        ("VR-66201", "VR-6629"),
        ("one of the lockers", "Locker 27H"),
    ],
)
def test_what_is_no_misread_code(answer: str, missing: str) -> None:
    assert misread(answer, missing) == frozenset()


def test_what_the_set_says_itself_may_be_quoted() -> None:
    assert misread("Locker 27F is taken.", "Locker 27H", planted="Locker 27F is taken.") == frozenset()


def test_a_misread_code_is_wrong_besides_names_in_words() -> None:
    names = (Element("Locker 27H"), Element("the Blue Chest"), Element("Shelf 9"))
    key = AnswerKey(name="s", question="Where are the nets, the oars and the sails?", elements=names)
    verdict = judge_by_rubric("The nets: locker 27F; the oars: the Blue Chest; the sails: shelf 9.", key)
    assert (len(verdict.found), verdict.wrong) == (2, ("27f",))
