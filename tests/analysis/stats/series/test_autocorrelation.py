from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.analysis.stats.series.autocorrelation import Segmented, autocorrelation, innovations


def remembering(rho: float, count: int, nights: int, seed: int = 0) -> NDArray[np.float64]:
    rows = np.random.default_rng(seed).normal(size=(count, nights + 30))
    for at in range(1, nights + 30):
        rows[:, at] = rho * rows[:, at - 1] + (1 - rho**2) ** 0.5 * rows[:, at]
    return rows[:, 30:]


def whole(rows: NDArray[np.float64], first_night: int = 0) -> list[Segmented]:
    nights = rows.shape[1]
    return [(row, [slice(0, nights)], range(first_night, first_night + nights)) for row in rows]


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.6])
def test_many_series_say_how_much_nights_are_alike(rho: float) -> None:
    assert autocorrelation(whole(remembering(rho, 30, 60))) == pytest.approx(rho, abs=0.08)


def test_a_change_of_level_is_no_autocorrelation() -> None:
    rows = remembering(0.0, 30, 60)
    rows[:, 30:] += 5
    assert autocorrelation(whole(rows)) == pytest.approx(0.0, abs=0.08)


def test_a_few_nights_say_little_and_what_is_usual_stands() -> None:
    assert autocorrelation(whole(remembering(0.9, 1, 10))) == pytest.approx(0.28)
    assert autocorrelation([]) == pytest.approx(0.28)


def test_series_that_move_together_count_as_one() -> None:
    row = remembering(0.6, 1, 40, seed=3)
    alone, copied = autocorrelation(whole(row)), autocorrelation(whole(np.tile(row, (20, 1))))
    assert copied == pytest.approx(alone)


def test_nothing_varies() -> None:
    assert autocorrelation(whole(np.full((2, 20), 9.0))) == pytest.approx(0.28)


def test_innovations_have_no_mean_and_no_memory() -> None:
    left = np.array([innovations(row, 0.5) for row in remembering(0.5, 400, 50)])
    assert np.abs(left.mean(axis=1)).max() < 1e-12
    assert np.mean(left[:, 1:] * left[:, :-1]) / np.mean(left**2) == pytest.approx(0, abs=0.04)
