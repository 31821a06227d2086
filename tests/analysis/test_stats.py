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
    SHARES,
    below_nights,
    clusters_of,
    detectable,
    flip_tests,
    holm,
    isotonic_prefix,
    mean_interval,
)


def test_an_interval_of_clusters_of_one_is_students() -> None:
    values = np.array([1, 3, 5, 7, 10, 10.0])
    found = mean_interval(values, np.arange(6), (-np.inf, np.inf))
    low, high = scipy_stats.t.interval(0.95, 5, values.mean(), scipy_stats.sem(values))
    assert (found.estimate, found.n, found.clusters) == (6.0, 6, 6)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_clusters_are_summed_before_they_are_squared() -> None:
    # Six clusters of two, sums of residuals -2, -2, -2, 2, 2, 2: root(6 / 5 * 24) / 12.
    found = mean_interval([1, 1] * 3 + [3, 3] * 3, np.repeat(range(6), 2))
    assert found.error == pytest.approx(sqrt(6 / 5 * 24) / 12)


def test_an_interval_is_clipped_and_missing_below_five_clusters() -> None:
    found = mean_interval([0, 1, 1, 1, 1, 1], range(6), SHARES)
    assert found.high == 1
    assert mean_interval([9, 9, 9, 9, 9, -9], range(6), DIFFERENCES).high == 9
    few = mean_interval([1, 10, 1, 10], range(4))
    assert (few.low, few.high) == (None, None)
    assert mean_interval([5, 5], [0, 0]).error is None


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


def test_step_down_is_that_of_all_flips_written_out() -> None:
    sums = np.random.default_rng(4).normal(0.4, 1, (7, 3))
    found = flip_tests(sums, 0.05)
    scale = np.sqrt((sums**2).sum(axis=0))
    every = np.array([np.array(signs) @ sums / scale for signs in product((1, -1), repeat=7)])
    order = np.argsort(-every[0])
    adjusted: dict[int, float] = {}
    for place, row in enumerate(order):
        left = order[place:]
        p = (every[:, left].max(axis=1) >= every[0, row] - 1e-9).mean()
        adjusted[int(row)] = max([p, *adjusted.values()])
    assert [adjusted[row] for row in range(3)] == pytest.approx(found.adjusted.tolist())


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


def test_holm_is_the_textbooks() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_the_prefix_is_that_of_scipys_isotonic_regression() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        y, weights = rng.integers(0, 11, 6).astype(float), rng.integers(1, 5, 6).astype(float)
        level = float(rng.integers(0, 11)) + 0.5
        fitted = isotonic_regression(y, weights=weights, increasing=False).x
        assert isotonic_prefix(weights * (y - level)) == (fitted >= level - 1e-9).sum()
