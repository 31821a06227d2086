"""What rows explain of a drop, with luck that all cells share and without; beside general least squares."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.analysis.compare.significance.beyond_luck import Cells

N = np.array([30.0, 30, 20, 10])
ALL_LEFT = np.ones(4, dtype=np.bool_)
READER, FIRST = np.ones((1, 4), dtype=np.bool_), np.array([[True, False, False, False]])


def cells(drops: list[float], luck: list[float], variance: float = 20.0) -> Cells:
    """By mean drops."""
    return Cells(N * np.array(drops), N, np.array(luck), variance)


def general_least_squares(found: Cells, rows: NDArray[np.bool_]) -> float:
    """By the whole covariance matrix of the cells' sums."""
    factor = found.n * found.luck
    covariance = found.variance * np.diag(found.n) + np.outer(factor, factor)
    held = np.where(rows, found.n, 0.0).T
    asked = held.T @ np.linalg.solve(covariance, found.drop)
    squares = held.T @ np.linalg.solve(covariance, held)
    return found.variance * float(asked @ np.linalg.solve(squares, asked))


def test_without_luck_it_is_the_squared_sum_over_the_pairs() -> None:
    found = cells([2.0, 1.0, 0.5, -3.0], [0.0] * 4)
    assert found.explained(FIRST, ALL_LEFT) == pytest.approx(60.0**2 / 30)
    assert found.explained(READER, ALL_LEFT) == pytest.approx((60 + 30 + 10 - 30.0) ** 2 / 90)
    assert found.explained(READER, ~FIRST[0]) == pytest.approx((30 + 10 - 30.0) ** 2 / 60)
    assert found.explained(np.eye(4, dtype=np.bool_), ALL_LEFT) == pytest.approx(60**2 / 30 + 30 + 10**2 / 20)
    assert found.without_luck(ALL_LEFT) == pytest.approx(found.drop)


@pytest.mark.parametrize("rows", [READER, FIRST, np.eye(4, dtype=np.bool_)[:2], READER ^ FIRST])
def test_with_luck_it_is_general_least_squares(rows: NDArray[np.bool_]) -> None:
    found = cells([3.5, 2.2, 0.9, 1.1], [0.7, 0.7, 0.5, 0.6])
    assert found.explained(rows, ALL_LEFT) == pytest.approx(general_least_squares(found, rows))


def test_a_bad_night_hides_no_single_cause() -> None:
    """All lose a point, the first 3.5: as a whole more was lost, but a bad night does that, too."""
    drops = [3.5, 1.0, 1.0, 1.0]
    plain, lucky = cells(drops, [0.0] * 4), cells(drops, [0.8] * 4)
    assert plain.explained(READER, ALL_LEFT) * 1.25 > plain.explained(FIRST, ALL_LEFT)
    assert lucky.explained(READER, ALL_LEFT) * 1.25 < lucky.explained(FIRST, ALL_LEFT)
    # Once the first is named the others show the night's luck, which has taken most of what they lost.
    left = lucky.without_luck(~FIRST[0])
    assert left[0] > 2.3 * 30
    assert (left[1:] < 0.5 * N[1:]).all()


def test_a_drop_of_all_alike_stays_one_of_all_even_where_luck_is_great() -> None:
    found = cells([4.0] * 4, [0.8] * 4)
    assert found.explained(READER, ALL_LEFT) > 1.25 * found.explained(FIRST, ALL_LEFT)


def test_answers_that_do_not_vary_are_no_mistake() -> None:
    found = cells([9.0] * 4, [0.8] * 4, variance=0.0)
    assert found.explained(READER, ALL_LEFT) > found.explained(FIRST, ALL_LEFT)
    assert cells([0.0] * 4, [0.0] * 4, variance=0.0).explained(READER, ALL_LEFT) == 0.0
