"""What of an answer is not claimed, and which part is taken for the answer."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.normalise import spaced, tidy
from niah.judges.rubric.reading.answer_reading import AnswerReading, read_answer

PIZZA, LAMPS = key_of("pizza-ingredients", 1), key_of("ferry-lanterns", 1)


def read(answer: str, key: AnswerKey) -> AnswerReading:
    tidied = tidy(answer)
    return read_answer(answer, tidied, find_mentions(spaced(tidied), names_of(key)), set(), key)


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("It could be 582. Final answer: 347", 'the conclusion after "final answer"'),
        ("It is 582. No, wait, it is 347.", 'the correction after "no, wait"'),
        ("One of them counted 582, another 347: \\boxed{347}", "the boxed value"),
        ("Some say 582, others **347**.", "the bold text"),
    ],
)
def test_the_part_that_says_of_itself_that_it_is_the_answer_is_taken(answer: str, label: str) -> None:
    reading = read(answer, LAMPS)
    assert reading.final is not None
    assert reading.final.label == label
    assert reading.final.names == {"347"}


@pytest.mark.parametrize(
    "answer",
    [
        "Previously 582; now it lights 347 of them.",
        "The number was raised from 582 to 347.",
        "I first thought 582. It lights 347.",
        "Is it 582? It lights 347.",
        "582 was my first guess. It lights 347.",
    ],
)
def test_what_is_only_shown_on_the_way_is_overruled(answer: str) -> None:
    assert {mention.name for mention in read(answer, LAMPS).overruled} == {"582"}


def test_several_plain_statements_leave_the_answer_open() -> None:
    reading = read("It could be 347. It could be 582.", LAMPS)
    assert reading.final is None
    assert not reading.overruled
    assert not reading.apart


@pytest.mark.parametrize(
    "answer",
    [
        "- figs\n- prosciutto\n- goat cheese\n\nMentioned but not required:\n- anchovies",
        "| item | needed |\n| --- | --- |\n| figs | yes |\n| prosciutto | yes |\n| goat cheese | yes |\n"
        "| anchovies | no |",
        "Figs, prosciutto and goat cheese. Anchovies. That is what the rival swears by.",
    ],
)
def test_structure_sets_apart_what_does_not_count(answer: str) -> None:
    reading = read(answer, PIZZA)
    wrong = {mention.name for mention in reading.apart | reading.overruled}
    assert wrong == {"anchovies"}


def test_lines_on_the_way_are_blanked_and_all_others_keep_their_place() -> None:
    answer = "Draft: anchovies and figs\n\nFinal answer: figs, prosciutto, goat cheese"
    reading = read(answer, PIZZA)
    assert reading.answer.split("\n") == ["", "", "Final answer: figs, prosciutto, goat cheese"]
    assert reading.before == tidy(answer).index("figs, prosciutto") - 1


def test_right_names_once_each_without_any_structure_are_not_read_further() -> None:
    assert read("figs, prosciutto and goat cheese", PIZZA) == AnswerReading(
        "figs, prosciutto and goat cheese"
    )
