from __future__ import annotations

import pytest

from niah.analysis.causes.empty_answers import EmptyAnswers, Scored, empty_answers
from niah.plots.headlines.empty_words import empty_line, empty_words


@pytest.mark.parametrize(
    ("empty", "scored", "told"), [(3, 1000, True), (2, 41, False), (2, 40, True), (0, 9, False)]
)
def test_three_or_a_twentieth_are_told(empty: int, scored: int, told: bool) -> None:
    answers = [Scored("m", "lc", "lc", "empty" if place < empty else "nonsense") for place in range(scored)]
    found = [EmptyAnswers("m", empty, scored)] if told else []
    assert list(empty_answers([Scored("other", "lc", "", None), *answers])) == found


def test_one_is_one() -> None:
    assert empty_words(EmptyAnswers("m", 1, 1)).startswith("1 of 1 answer is empty")


def test_empty_answers_of_an_application_are_its_own() -> None:
    answers = [Scored("m", "app", "system:py:app:answer", "empty")] * 9 + [Scored("m", "lc", "lc", None)] * 9
    (found,) = empty_answers(answers)
    assert found == EmptyAnswers("app", 9, 9, is_application=True)
    line = empty_line(found, "another --out")
    assert line.startswith("app: 9 of 9 answers are empty, as the application gave them: they are scored")
    assert "endpoint" not in line
    assert "See what it returns" in line
