from __future__ import annotations

import pytest

from niah.analysis.causes.empty_answers import EmptyAnswers, empty_answers
from niah.plots.headlines.empty_words import empty_words


@pytest.mark.parametrize(
    ("empty", "scored", "told"), [(3, 1000, True), (2, 41, False), (2, 40, True), (0, 9, False)]
)
def test_three_or_a_twentieth_are_told(empty: int, scored: int, told: bool) -> None:
    answers = [("m", "empty" if place < empty else "nonsense") for place in range(scored)]
    found = [EmptyAnswers("m", empty, scored)] if told else []
    assert list(empty_answers([("other", None), *answers])) == found


def test_one_is_one() -> None:
    assert empty_words(EmptyAnswers("m", 1, 1)).startswith("1 of 1 answer is empty")
