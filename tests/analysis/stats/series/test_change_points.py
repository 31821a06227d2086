from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.analysis.stats.series.autocorrelation import innovations
from niah.analysis.stats.series.change_points import ChangePoint, Series, change_points


def series(values: Iterable[float], breaks: tuple[int, ...] = ()) -> Series:
    listed = tuple(values)
    return Series(listed, tuple(range(len(listed))), breaks)


def changes(values: Iterable[float], breaks: tuple[int, ...] = ()) -> list[ChangePoint]:
    (found,) = change_points([series(values, breaks)])
    return found


def test_a_step_is_found_where_it_is() -> None:
    (change,) = changes([9.0, 9.2] * 8 + [6.0, 6.2] * 8)
    assert change.place == 16
    assert change.p <= 0.05


def test_p_counts_the_orders_that_are_as_marked() -> None:
    # Of seven nights, all 5,040 orders of what is new in each: so few nights count as alike by 0.28.
    values = np.array([1.6, 0.9, 1.1, 3.0, 3.9, 3.4, 3.6])
    new = innovations(values, 0.28)
    marked = average_likelihood_ratios(np.array(list(permutations(new))).T, 0.28)
    (change,) = changes(values)
    assert change.place == 3
    assert 0.01 < np.mean(marked >= marked[0] * (1 - 1e-9)) == pytest.approx(change.p, abs=0.01)


def average_likelihood_ratios(orders: NDArray[np.float64], rho: float) -> NDArray[np.float64]:
    """Of each column: by least squares, night for night less rho of the night before, step by step."""
    n = len(orders)
    whiten = np.eye(n) - rho * np.eye(n, k=-1)
    whiten[0, 0] = (1 - rho**2) ** 0.5
    level = whiten @ np.ones((n, 1))
    ratios = []
    for place in range(2, n - 1):
        step = whiten @ (np.arange(n) >= place)[:, None]
        explained = left_over(level, orders) - left_over(np.hstack([level, step]), orders)
        ratios.append((1 - explained / (orders**2).sum(axis=0)) ** (-(n - 1) / 2))
    return np.asarray(np.mean(ratios, axis=0))


def left_over(columns: NDArray[np.float64], orders: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(((orders - columns @ np.linalg.pinv(columns) @ orders) ** 2).sum(axis=0))


def test_two_steps() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, 45)
    found = changes(np.repeat([9.0, 7.0, 8.0], 15) + noise)
    assert [change.place for change in found] == [15, 30]


def test_one_night_alone_is_no_change() -> None:
    assert changes([9.0, 9.1] * 10 + [1.0]) == []


@pytest.mark.parametrize("values", [[], [9.0], [9.0, 1.0, 1.0], [9.0] * 30])
def test_nothing_to_find(values: list[float]) -> None:
    assert changes(values) == []


def test_breaks_are_no_changes_and_changes_are_found_between_them() -> None:
    noise = np.random.default_rng(2).normal(0, 0.1, 24)
    levels = np.repeat([9.0, 5.0, 5.0, 2.0, 2.0, 8.0], 4)
    found = changes(levels + noise, breaks=(8, 16))
    assert [change.place for change in found] == [4, 12, 20]


def test_flat_series_have_few_changes() -> None:
    # 400 series at 5 %: more than 30 have a chance of 1 %.
    flat = np.random.default_rng(0).choice([9.2, 9.4, 9.6], (400, 30), p=[0.1, 0.3, 0.6])
    assert sum(bool(changes(one)) for one in flat) <= 30


def test_series_of_one_page_share_the_level() -> None:
    # 150 pages of 12 flat series at 5 % each page: more than 14 have a chance of 1 %.
    rng = np.random.default_rng(3)
    pages = [change_points([series(one) for one in rng.normal(size=(12, 20))], draws=199) for _ in range(150)]
    assert sum(any(page) for page in pages) <= 14


def test_nights_that_are_like_the_last_have_few_changes() -> None:
    # 300 series at 7 %: more than 31 have a chance of 1 %. Taken as independent, 18 % would have one.
    rng, flagged = np.random.default_rng(4), 0
    for _ in range(300):
        nights = rng.normal(size=45)
        for at in range(1, 45):
            nights[at] = 0.3 * nights[at - 1] + (1 - 0.09) ** 0.5 * nights[at]
        flagged += bool(changes(nights[15:]))
    assert flagged <= 31


def test_a_change_of_one_series_among_many_is_found() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(24, 30))
    values[7, 18:] -= 3
    found = change_points([series(one) for one in values])
    assert [at for at, own in enumerate(found) if own] == [7]
    assert abs(found[7][0].place - 18) <= 1


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="a missing night is no value"):
        changes([9.0, float("nan")])
