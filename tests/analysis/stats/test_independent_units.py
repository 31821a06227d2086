"""As how many clusters those count that share luck."""

from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.bootstrap import mean_interval
from niah.analysis.stats.independent_units import independent_units, strata_of
from tests.examples import repeats

SETS, SEEDS = (one.ravel() for one in np.indices((6, 5)))
CLUSTERS = 5 * SETS + SEEDS
ONE = np.zeros(30, dtype=np.int64)


def _units(values: np.ndarray) -> int:
    return independent_units(values - values.mean(), CLUSTERS, SEEDS, ONE)


def test_luck_that_is_the_seeds_alone_leaves_as_many_as_seeds() -> None:
    assert _units(np.array([3.0, -1, 2, -5, 1])[SEEDS]) == 5


def test_luck_of_each_cluster_leaves_most_of_them() -> None:
    rng = np.random.default_rng(0)
    units = [_units(rng.normal(size=30)) for _ in range(100)]
    assert min(units) >= 5
    assert max(units) <= 30
    assert 18 < np.mean(units) < 30


def test_clusters_without_luck_are_taken_to_share_some() -> None:
    # Four seeds more than one, and half a one that says (1 + 6) / 2: (4 + 0.5 * 3.5) / 4.5 of 30.
    assert _units(np.zeros(30)) == round(30 / ((4 + 0.5 * 3.5) / 4.5))


@pytest.mark.parametrize("crossed", [np.zeros(30), np.arange(30)], ids=["one seed", "seeds of their own"])
def test_nothing_is_shared_or_nothing_known_of_it(crossed: np.ndarray) -> None:
    residuals = np.random.default_rng(1).normal(size=30)
    assert independent_units(residuals, CLUSTERS, crossed, ONE) == 30


def test_needle_sets_of_one_cluster_are_taken_together() -> None:
    clusters = np.array([0, 0, 1, 2, 3, 4])
    assert strata_of(clusters, ["a", "a", "b", "c", "c", "d"]).tolist() == [0, 0, 1, 1, 0]
    assert strata_of(clusters, None).tolist() == [0] * 5


def test_differences_hold_the_truth_where_seeds_share_luck() -> None:
    rng, tries = np.random.default_rng(2), repeats(100, 400)
    held = {"seeds": 0, "clusters": 0}
    for _ in range(tries):
        values = SETS + rng.normal(0, 1, 5)[SEEDS] + rng.normal(0, 0.5, 30)
        found = {
            "seeds": mean_interval(values, CLUSTERS, SEEDS, SETS, draws=499),
            "clusters": mean_interval(values, CLUSTERS, strata=SETS, draws=499),
        }
        for name, one in found.items():
            assert one.low is not None
            assert one.high is not None
            held[name] += one.low <= 2.5 <= one.high
    assert held["seeds"] / tries > 0.93 - 3 * (0.93 * 0.07 / tries) ** 0.5
    assert held["clusters"] / tries < 0.8
