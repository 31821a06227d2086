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
        "On reflection, I'm withdrawing my answer.",
        "I'm taking all of that back.",
        "I am retracting everything I said.",
        "Scratch that: none of these are on it.",
        "Strike that; none of them was one of the ingredients.",
        "Scratch that: none of these were used, and I withdraw my answer.",
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
        "I'm not withdrawing any of this.",
        "None of these is in doubt.",
        "None of these were used for the bread.",
    ],
)
def test_what_retracts_nothing_stands(end: str) -> None:
    assert judge_by_rubric(f"{FIGS} {end}", key_of("pizza-ingredients", 1)).score == 10


def test_a_name_with_without_is_not_what_withdraw_points_at() -> None:
    house = key_of("starlight-short@5", 8)
    named = ", ".join(element.name for element in house.elements)
    for name in (f"{named}. I withdraw my answer.", f"{named}. Scratch that, I withdraw this answer."):
        assert judge_by_rubric(name, house).score == 1
