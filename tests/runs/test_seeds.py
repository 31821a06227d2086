from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.case import Case
from niah.errors import UserError
from niah.runs.seeds import FIRST_ROTATING, MOST_ROTATING, Seeds, rotating_seeds, seeds_of, with_seeds

NIGHTS = st.dates(date(2000, 1, 1), date(2147, 12, 30))


def test_a_rotating_seed_spells_its_night_out() -> None:
    assert rotating_seeds(date(2026, 11, 22), 2) == (2026112201, 2026112202)


@given(NIGHTS)
def test_neighbouring_nights_share_no_seed_and_no_anchor_is_one(night: date) -> None:
    tonight = rotating_seeds(night, MOST_ROTATING)
    tomorrow = rotating_seeds(night + timedelta(days=1), MOST_ROTATING)
    assert len({*tonight, *tomorrow}) == 2 * MOST_ROTATING
    assert all(FIRST_ROTATING <= seed < 2**31 for seed in (*tonight, *tomorrow))


def test_seeds_take_the_place_of_the_suites() -> None:
    cases = [Case("three-gates", "essays", 600, depth, seed) for seed in (7, 8) for depth in (0, 50)]
    assert seeds_of(cases) == Seeds((7, 8))
    assert [(case.seed, case.depth) for case in with_seeds(cases, Seeds((1,), (2026112201,)))] == [
        (1, 0), (1, 50), (2026112201, 0), (2026112201, 50)
    ]  # fmt: skip


def test_spread_seeds_go_with_one_needle_set_each() -> None:
    cases = [Case(name, "essays", 600, 0, 7) for name in ("three-gates", "ferry-lanterns")]
    spread = with_seeds(cases, Seeds((1, 2, 3), (2026112201, 2026112202), spread=True))
    assert [(case.seed, case.needle_set) for case in spread] == [
        (1, "three-gates"),
        (2, "ferry-lanterns"),
        (3, "three-gates"),
        (2026112201, "three-gates"),
        (2026112202, "ferry-lanterns"),
    ]


def test_too_few_seeds_to_spread() -> None:
    cases = [Case(name, "essays", 600, 0, 7) for name in ("three-gates", "ferry-lanterns")]
    with pytest.raises(UserError, match="rotating: 1 cannot be spread over 2 needle sets"):
        with_seeds(cases, Seeds((1, 2), (2026112201,), spread=True))
