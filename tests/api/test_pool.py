"""Nights that are compared with the mean of several before them."""

from __future__ import annotations

import shutil
from datetime import date

import pytest

from niah.errors import UserError
from tests.api.nights import FIRST, FOURTH, SECOND, SUITE, THIRD, Nights

ALONE, TWO = "the last accepted night", "the mean of the last 2 accepted nights"


def test_nights_are_pooled_as_far_as_there_are_any(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    third = nights.run(THIRD, pool=5)
    assert third.kind == "no regression"
    (note,) = (line for line in third.comparisons[TWO].notes if "reference" in line)
    assert note == f"the reference is {TWO}: {SECOND}, {FIRST}; 5 were asked for, and there are no more"


def test_a_regression_is_not_pooled_until_it_is_accepted(nights: Nights) -> None:
    with nights.handicapped():
        assert nights.run(SECOND, pool=3).kind == "regression"
        third = nights.run(THIRD, pool=3)
        fourth = nights.run(FOURTH, pool=3, accepted_since=date.fromisoformat(SECOND))
    assert third.kind == "regression"
    (note,) = (line for line in third.comparisons[ALONE].notes if "reference" in line)
    assert note.endswith(f"left out as a regression: {SECOND}")
    assert (fourth.kind, *fourth.comparisons) == ("no regression", TWO)


def test_nights_of_other_texts_are_not_pooled(nights: Nights) -> None:
    nights.write_config(suite=SUITE.replace("[essays]", "[starlight]"))
    assert nights.run(SECOND, pool=3).hindrances.keys() == {ALONE}
    third = nights.run(THIRD, pool=3)
    (note,) = (line for line in third.comparisons[ALONE].notes if "reference" in line)
    assert note == f"the reference is {ALONE}: {SECOND}; 3 were asked for, and there are no more"


def test_without_a_night_before_there_is_nothing_to_pool(nights: Nights) -> None:
    nights.path(FIRST).unlink()
    assert nights.run(SECOND, pool=3).comparisons == {}
    assert "no whole night to pool yet." in nights.said


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({"pool": 3, "adaptive": True}, "Leave out --pool or --adaptive."),
        ({"accepted_since": date(2026, 11, 20)}, "Name how many: --pool N."),
    ],
)
def test_what_does_not_go_together(nights: Nights, options: dict[str, object], remedy: str) -> None:
    with pytest.raises(UserError) as found:
        nights.run(SECOND, **options)
    assert found.value.remedy == remedy
    assert nights.server.prompts == []
