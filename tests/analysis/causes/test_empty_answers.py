from __future__ import annotations

import pytest

from niah.analysis.causes.empty_answers import EmptyAnswers, Scored, empty_answers


@pytest.mark.parametrize(
    ("empty", "scored", "told"), [(3, 1000, True), (2, 41, False), (2, 40, True), (0, 9, False)]
)
def test_three_or_a_twentieth_are_told(empty: int, scored: int, told: bool) -> None:
    answers = [Scored("m", "lc", "lc", "empty" if place < empty else "nonsense") for place in range(scored)]
    found = [EmptyAnswers("m", empty, scored)] if told else []
    assert list(empty_answers([Scored("other", "lc", "", None), *answers])) == found
