"""Metrics as judges of given questions."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.error_types import paper_error_type
from niah.judges.registry import resolve_judge, rule_judges
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure, Usage

CITY = AnswerKey(
    name="city",
    question="Which city is it?",
    references=("Paris",),
    options=("London", "Paris", "Paris, Texas", "7"),
    answer_index=1,
)
DARCY = AnswerKey(name="who", question="Who?", references=("Fitzwilliam Darcy of Pemberley", "Mr. Darcy"))


def verdict(judge: str, answer: str, key: AnswerKey) -> Verdict:
    return rule_judges()[judge].verdict(answer, key)


@pytest.mark.parametrize(
    "answer",
    [
        "[[2]]",
        "(B)",
        "I choose b.",
        "paris.",
        "The answer is Paris, not London.",
        "It is in Paris.",
        "<think>London? [[1]]</think>[[2]]",
    ],
)
def test_accuracy_takes_the_letter_the_number_or_the_text(answer: str) -> None:
    found = verdict("accuracy", answer, CITY)
    assert (found.score, found.value, found.found, found.missing, found.wrong) == (10, 1, ("Paris",), (), ())
    assert paper_error_type(found) == "correct"


@pytest.mark.parametrize(
    ("answer", "chosen"), [("[[1]]", "London"), ("Paris, Texas", "Paris, Texas"), ("The answer is 7.", "7")]
)
def test_another_option_is_wrong(answer: str, chosen: str) -> None:
    found = verdict("accuracy", answer, CITY)
    assert (found.score, found.value, found.missing, found.wrong) == (1, 0, ("Paris",), (chosen,))
    assert paper_error_type(found) == "missing_and_wrong"
    assert found.reason == f"chose {chosen}"


@pytest.mark.parametrize("answer", ["", "I cannot tell.", "London or Paris", "[[1]] or [[2]]", "[[5]]"])
def test_an_answer_that_chooses_none_is_no_wrong_choice(answer: str) -> None:
    found = verdict("accuracy", answer, CITY)
    assert (found.score, found.missing, found.wrong) == (1, ("Paris",), ())
    assert paper_error_type(found) == "other"
    assert found.reason == "no option chosen"


@pytest.mark.parametrize(
    ("judge", "answer", "value"),
    [
        ("exact-match", "mr darcy", 1),
        ("exact-match", "It was Mr. Darcy.", 0),
        # mr, darcy of "it was mr darcy" and of "mr darcy": 2 * 2 / (4 + 2)
        ("squad-f1", "It was Mr. Darcy.", 2 / 3),
        ("token-f1", "Darcy", 2 / 3),
        ("contained-match", "It was Mr. Darcy.", 1),
        ("contained-match", "Emma", 0),
        ("set-f1", "Mr. Darcy and Emma", 2 / 3),
        ("rouge-l", "Darcy of Pemberley", 6 / 7),
        ("rouge-l-sum", "Pemberley\nDarcy", 2 / 3),
        # 7/8, 6/7 ... 2/3 of the runs of "Mr.Darcy", on average r: 5 r / (4 + r)
        ("chrf", "Mr. Darc", 0.8307482),
        ("mrcr", "Mr. Darcy", 1),
    ],
)
def test_a_value_becomes_a_score_from_1_to_10_and_is_kept(judge: str, answer: str, value: float) -> None:
    found = verdict(judge, answer, DARCY)
    assert found.value == pytest.approx(value)
    assert found.score == pytest.approx(1 + 9 * value)
    assert (found.found, found.missing, found.wrong, found.judge) == ((), (), (), judge)


@pytest.mark.parametrize(("answer", "kind"), [("Mr. Darcy", "correct"), ("Darcy", None), ("Emma", None)])
def test_words_that_differ_are_no_type_of_error(answer: str, kind: str | None) -> None:
    assert paper_error_type(verdict("squad-f1", answer, DARCY)) == kind


def test_a_question_that_does_not_suit_gets_a_failure_and_no_number() -> None:
    unknown = AnswerKey(name="why", question="Why?", kind="unanswerable")
    for judge, key, why in (
        ("accuracy", DARCY, "it has no options"),
        ("squad-f1", unknown, "it has no reference answer"),
        ("rubric", CITY, "it has options, and the rubric does not read their letters"),
    ):
        given = asyncio.run(resolve_judge(judge).judge("Paris", key))
        assert given == Failure("judge_error", f"{judge} cannot judge {key.name}: {why}.")


def test_rules_take_no_tokens_and_no_money() -> None:
    given = asyncio.run(resolve_judge("squad-f1").judge("Darcy", DARCY))
    assert isinstance(given, Verdict)
    assert (given.usage, given.cost) == (Usage(0, 0, 0), Decimal(0))
