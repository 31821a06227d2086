from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from niah.cases.case import Case
from niah.runs.seeds import FIRST_ROTATING, MOST_ROTATING, Seeds, rotating_seeds, with_seeds

NIGHTS = st.dates(date(2000, 1, 1), date(2147, 12, 30))


def test_a_rotating_seed_spells_its_night_out() -> None:
    assert rotating_seeds(date(2026, 11, 22), 2) == (2026112201, 2026112202)


@given(NIGHTS)
def test_neighbouring_nights_share_no_seed_and_no_anchor_is_one(night: date) -> None:
    tonight = rotating_seeds(night, MOST_ROTATING)
    tomorrow = rotating_seeds(night + timedelta(days=1), MOST_ROTATING)
    assert len({*tonight, *tomorrow}) == 2 * MOST_ROTATING
    assert all(FIRST_ROTATING <= seed < 2**31 for seed in (*tonight, *tomorrow))


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
