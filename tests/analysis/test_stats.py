"""Intervals, flips and their relatives, on numbers worked out by hand or by another library."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from scipy.optimize import isotonic_regression

from niah.analysis.stats import (
    DIFFERENCES,
    below_nights,
    clusters_of,
    detectable,
    flip_tests,
    isotonic_prefix,
    mean_interval,
)


def test_clusters_are_summed_before_they_are_squared() -> None:
    # Six clusters of two, sums of residuals -2, -2, -2, 2, 2, 2: root(6 / 5 * 24) / 12.
    found = mean_interval([1, 1] * 3 + [3, 3] * 3, np.repeat(range(6), 2))
    assert found.error == pytest.approx(sqrt(6 / 5 * 24) / 12)


def test_clusters_that_are_alike_are_a_point() -> None:
    found = mean_interval([3.7 + 1e-9 * place for place in range(8)], range(8))
    assert found.low is not None
    assert found.shown == replace(found, low=None, high=None)


def test_no_mean_of_nothing_nor_of_nan() -> None:
    for values in ([], [1.0, float("nan")]):
        with pytest.raises(ValueError, match="finite"):
            mean_interval(values, range(len(values)))


def test_the_seed_is_the_cluster_from_eight_on() -> None:
    for seeds, clusters in ((7, 14), (8, 8)):
        asked = pd.DataFrame(product("ab", range(seeds)), columns=["needle_set", "seed"])
        assert len(set(clusters_of(asked).tolist())) == clusters
    assert clusters_of(pd.DataFrame({"document_id": ["one", "other", "one"]})).tolist() == [0, 1, 0]


def test_flips_are_exact_for_few_clusters() -> None:
    # Of 32 ways to flip five equal sums, one is as far above 0.
    assert flip_tests(np.ones((5, 1)), 0.05).p.tolist() == [1 / 32]
    # 3 + 2 - 1 is 4; of the eight ways, 3 + 2 + 1 and this one are at least that.
    assert flip_tests(np.array([[3.0], [2.0], [-1.0]]), 0.05).p.tolist() == [2 / 8]


def test_many_clusters_are_drawn_and_nothing_is_never_found() -> None:
    found = flip_tests(np.ones((20, 2)) * [1.0, 0.0], 0.05)
    assert found.p.tolist() == [1 / 4096, 1.0]
    assert found.adjusted[1] == 1


def test_a_night_is_compared_with_a_prediction_interval() -> None:
    nights = [8.0, 8.2, 7.9, 8.3]
    spread = np.std(nights, ddof=1)
    expected = scipy_stats.t.cdf((7.0 - np.mean(nights)) / (spread * sqrt(1 + 1 / 4)), 3)
    assert below_nights(7.0, nights, 0.0) == pytest.approx(expected)
    assert below_nights(7.0, nights, 1.0) > below_nights(7.0, nights, 0.0)
    assert below_nights(8.0, [8.0] * 3, 0.0) == 1
    assert below_nights(7.9, [8.0] * 3, 0.0) == 0


def test_the_least_detectable_change_is_millers_where_one_row_is_tested() -> None:
    # A critical sum of 1.9 of 60 clusters is a t below 1.96; a great n adds no variance of its own.
    found = detectable(0.1, 10**9, 60, 1.9, 9.0)
    assert found == pytest.approx(2.8 * 0.1, rel=0.001)
    assert detectable(0.1, 100, 4, 2.0, 9.0) is None
    assert detectable(0.1, 100, 60, np.inf, 9.0) is None


def test_the_prefix_is_that_of_scipys_isotonic_regression() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        y, weights = rng.integers(0, 11, 6).astype(float), rng.integers(1, 5, 6).astype(float)
        level = float(rng.integers(0, 11)) + 0.5
        fitted = isotonic_regression(y, weights=weights, increasing=False).x
        assert isotonic_prefix(weights * (y - level)) == (fitted >= level - 1e-9).sum()


def test_differences_are_clipped_to_their_own_scale() -> None:
    found = mean_interval([9, 9, 9, 9, 9, -9], range(6), DIFFERENCES)
    assert found.high == 9
