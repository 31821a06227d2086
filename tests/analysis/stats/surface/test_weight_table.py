from __future__ import annotations

import numpy as np

from niah.analysis.stats.surface.weight_table import weight_table


def test_draws_lie_where_those_from_all_weights_cumulated_do() -> None:
    logs = np.random.default_rng(0).normal(scale=5, size=(4, 3, 5, 2))
    cumulated = np.exp(logs).ravel().cumsum()
    at = np.searchsorted(cumulated, np.random.default_rng(1).random(3000) * cumulated[-1])
    places = weight_table(logs.copy()).places_of(3000, np.random.default_rng(1))
    np.testing.assert_array_equal(places, np.unravel_index(at, logs.shape))


def test_the_total_is_of_all_weights_however_small_they_are() -> None:
    table = weight_table(np.log([[1.0, 2.0], [3.0, 4.0]]) - 2000)
    assert abs(table.total(-2000) - 10) < 1e-9
    assert table.total(-1000) == 0


def test_an_empty_table_has_no_weight_and_no_draws() -> None:
    table = weight_table(np.empty((0, 3, 2)))
    assert table.total(0.0) == 0
    assert [len(axis) for axis in table.places_of(0, np.random.default_rng(0))] == [0, 0, 0]
