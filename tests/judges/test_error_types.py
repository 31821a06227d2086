from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.error_types import error_type, paper_error_type
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.needles.needle_set import Distractor, Element, Needle

WELL = AnswerKey(
    name="well",
    question="Who dug the two wells behind the tannery, and in which year?",
    references=("Hanne Oster and Piet Lammers dug them.",),
    elements=(Element("Hanne Oster"), Element("Piet Lammers", ("Lammers",))),
    needles=(Needle("n1", "Hanne Oster dug the first.", ("Hanne Oster",)),),
    distractors=(Distractor("d1", "Odo Fenn dug the pond.", (Element("Odo Fenn", ("Fenn",)),)),),
)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Hanne Oster and Piet Lammers.", "correct"),
        ("Perhaps it was Hanne Oster and Piet Lammers.", "self_doubt_complete"),
        ("Hanne Oster and Piet Lammers. I take that back.", "taken_back"),
        ("The text does not say.", "self_doubt_incomplete"),
        ("Hanne Oster.", "missing_only"),
        ("Odo Fenn.", "missing_and_wrong"),  # planted
        ("Hanne Oster, Piet Lammers and Odo Fenn.", "wrong_only"),
        ("It happened in 1822.", "wrong_answer"),
        ("two masons", "wrong_answer"),
        ("Das waren die Söhne von Gerbermeister Kroll.", "wrong_answer"),
        (" \n", "empty"),
        ("<think>Hanne Oster and Piet Lammers.</think>", "empty"),
        ("...", "nonsense"),
        ("dug dug wells dug dug wells dug dug wells", "nonsense"),
        ("Who dug the two wells behind the tannery, and in which year?", "nonsense"),
        ("<think>Barnaby Cruse?", "empty"),
    ],
)
def test_error_type_of_an_answer(answer: str, kind: str) -> None:
    assert error_type(judge_by_rubric(answer, WELL), answer, WELL) == kind


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("two masons", "wrong_answer"),
        ("fenn", "missing_and_wrong"),
        ("Piet Lammers (the first well)", "missing_and_wrong"),
        ("Fenn's cousin", "wrong_answer"),
    ],
)
def test_a_wrong_answer_names_nothing_that_stands_in_the_needle_set(wrong: str, kind: str) -> None:
    judged = Verdict(1, (), ("Hanne Oster", "Piet Lammers"), (wrong,), False, "any/model", "1", "")
    assert error_type(judged, wrong, WELL) == kind
    assert paper_error_type(judged) == "missing_and_wrong"
