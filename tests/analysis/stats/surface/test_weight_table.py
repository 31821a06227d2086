from __future__ import annotations

import numpy as np

from niah.analysis.stats.surface.weight_table import WeightTable, weight_table

WEIGHTS = np.exp(np.random.default_rng(0).normal(scale=5, size=(4, 3, 5, 2)))


def expected(draws: int, seed: int) -> tuple[np.ndarray, ...]:
    """Where draws lie by all weights cumulated."""
    cumulated = WEIGHTS.ravel().cumsum()
    at = np.searchsorted(cumulated, np.random.default_rng(seed).random(draws) * cumulated[-1])
    return np.unravel_index(at, WEIGHTS.shape)


def test_draws_lie_where_those_from_all_weights_cumulated_do() -> None:
    places = weight_table(WEIGHTS).places_of(3000, np.random.default_rng(1))
    np.testing.assert_array_equal(places, expected(3000, 1))


def test_rows_that_are_known_where_one_is_drawn_give_the_same_draws() -> None:
    rows = WEIGHTS.reshape(-1, 2)
    asked: list[int] = []

    def weights_of(places: np.ndarray) -> np.ndarray:
        asked.extend(places.tolist())
        found: np.ndarray = rows[places]
        return found

    table = WeightTable(WEIGHTS.shape, rows.sum(axis=1), weights_of)
    np.testing.assert_array_equal(table.places_of(3000, np.random.default_rng(1)), expected(3000, 1))
    assert abs(table.total - WEIGHTS.sum()) < 1e-9 * WEIGHTS.sum()
    # No row twice, and none on which no draw falls.
    assert sorted(asked) == np.unique(np.ravel_multi_index(expected(3000, 1), WEIGHTS.shape) // 2).tolist()


def test_an_empty_table_has_no_weight_and_no_draws() -> None:
    table = weight_table(np.empty((0, 3, 2)))
    assert table.total == 0
    assert [len(axis) for axis in table.places_of(0, np.random.default_rng(0))] == [0, 0, 0]
