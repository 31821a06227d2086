"""Answers that go on with questions of their own."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges.rubric.rubric import without_other_questions

KEY = key_of("pizza-ingredients", 1)


def test_what_follows_a_question_of_its_own_is_cut() -> None:
    answer = "Figs.\n\n**Question 2:** What does the rival baker want?\nAnswer: anchovies"
    assert without_other_questions(answer, KEY) == "Figs.\n\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"Figs come up.\nQuestion: {KEY.question}\nAnswer: figs",
        f"Figs come up.\nQ: {KEY.question[:30]}\nA: figs",
        "Let me read.\nQuestion: which things does the baker want?\nAnswer: figs",
        "Question: which things does the baker want?\nAnswer: figs",
        "The question: figs or pears? Figs.",
    ],
)
def test_the_question_that_was_asked_may_be_repeated(answer: str) -> None:
    assert without_other_questions(answer, KEY) == answer
