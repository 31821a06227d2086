"""A complete answer that is taken back at its end, in so many words, and one that only sounds so."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

FIGS = "Figs, prosciutto and goat cheese."


@pytest.mark.parametrize(
    "end",
    [
        "Forget that, I made it up.",
        "Actually, please disregard my answer.",
        "I must retract this.",
        "Please consider this answer withdrawn.",
    ],
)
def test_what_is_retracted_does_not_stand(end: str) -> None:
    assert judge_by_rubric(f"{FIGS} {end}", key_of("pizza-ingredients", 1)).score == 1


@pytest.mark.parametrize(
    "end",
    [
        "Do not forget that the cheese goes on last.",
        "Nobody made them up, they are all in the text.",
        "The cook would never take them back to the shop.",
        "Please consider this answer complete.",
    ],
)
def test_what_retracts_nothing_stands(end: str) -> None:
    assert judge_by_rubric(f"{FIGS} {end}", key_of("pizza-ingredients", 1)).score == 10
