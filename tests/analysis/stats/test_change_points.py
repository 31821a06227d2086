from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.change_points import best_split, change_points


def test_a_step_is_found_where_it_is() -> None:
    (change,) = change_points([9.0, 9.2] * 8 + [6.0, 6.2] * 8)
    assert change.place == 16
    assert change.p <= change.level == pytest.approx(0.05)


def test_p_by_hand() -> None:
    # Of the 20 orders of three 0 and three 1, only 000111 and 111000 are as marked: 10 %.
    p, place = best_split(np.array([0.0, 0, 0, 1, 1, 1]), draws=9999, seed=0)
    assert place == 3
    assert p == pytest.approx(0.1, abs=0.01)


def test_two_steps() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, 45)
    found = change_points(np.repeat([9.0, 7.0, 8.0], 15) + noise)
    assert [change.place for change in found] == [15, 30]
    # The first cut is tested at 5 %, the parts at their share of it.
    assert sorted(change.level for change in found) == pytest.approx([0.1 / 3, 0.05])


def test_one_night_alone_is_no_change() -> None:
    assert change_points([9.0, 9.1] * 10 + [1.0]) == []


@pytest.mark.parametrize("values", [[], [9.0], [9.0, 1.0, 1.0], [9.0] * 30])
def test_nothing_to_find(values: list[float]) -> None:
    assert change_points(values) == []


def test_flat_series_have_few_changes() -> None:
    # 400 series at 5 %: more than 30 have a chance of 1 %.
    series = np.random.default_rng(0).choice([9.2, 9.4, 9.6], (400, 30), p=[0.1, 0.3, 0.6])
    assert sum(bool(change_points(one, draws=499)) for one in series) <= 30


def test_a_missing_value_is_refused() -> None:
    with pytest.raises(ValueError, match="a missing night is a break"):
        change_points([9.0, float("nan")])
