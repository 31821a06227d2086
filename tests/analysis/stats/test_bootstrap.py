from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t as student

from niah.analysis.stats.bootstrap import mean_interval, paired_difference, ratio_interval
from niah.analysis.stats.interval import Interval


def _clustered(clusters: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    places = np.repeat(np.arange(clusters), rng.integers(10, 40, clusters))
    return rng.normal(0, 1, clusters)[places] + rng.normal(0, 1, len(places)), places


def _width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return interval.high - interval.low


def test_many_clusters_of_one_are_students_interval() -> None:
    values = np.random.default_rng(0).normal(5, 2, 400)
    found = mean_interval(values, np.arange(400), draws=9999)
    reach = student.ppf(0.975, 399) * values.std(ddof=1) / 20
    assert found.estimate == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.03)
    assert (found.n, found.clusters) == (400, 400)


def test_trials_that_share_a_cluster_count_once() -> None:
    values, clusters = _clustered(10, 1)
    alike = mean_interval(np.repeat(values, 9), np.repeat(clusters, 9))
    once = mean_interval(values, clusters)
    assert (alike.low, alike.high) == pytest.approx((once.low, once.high))
    assert _width(once) > 2 * _width(mean_interval(values, np.arange(len(values))))


@pytest.mark.parametrize("clusters", [8, 20])
def test_intervals_hold_the_truth(clusters: int) -> None:
    tables = [mean_interval(*_clustered(clusters, seed), draws=499) for seed in range(300)]
    held = [t.low is not None and t.high is not None and t.low <= 0 <= t.high for t in tables]
    # Of 300 at 95 %, three standard errors are 3.8 %.
    assert np.mean(held) == pytest.approx(0.95, abs=0.038)


def test_level_and_seed() -> None:
    values, clusters = _clustered(12, 2)
    assert _width(mean_interval(values, clusters, level=0.8)) < _width(mean_interval(values, clusters))
    assert mean_interval(values, clusters, seed=4) == mean_interval(values, clusters, seed=4)
    assert mean_interval(values, clusters, seed=4) != mean_interval(values, clusters, seed=5)


def test_units_and_names_change_nothing() -> None:
    values, clusters = _clustered(12, 3)
    plain, other = mean_interval(values, clusters), mean_interval(10 * values + 3, clusters + 7)
    assert plain.low is not None
    assert other.low == pytest.approx(10 * plain.low + 3)


def test_paired_difference_by_hand() -> None:
    found = paired_difference([7, 10, 5], [5, 10, 7], [0, 1, 2])
    assert (found.estimate, found.n, found.clusters) == (0, 3, 3)


def test_two_clusters_say_little() -> None:
    # Means 0 and 1: the standard error is 0.5, and Student's t with one degree of freedom 12.7.
    found = mean_interval([0, 0, 1, 1], [0, 0, 1, 1])
    assert (found.low, found.high) == pytest.approx((0.5 - 12.706 / 2, 0.5 + 12.706 / 2), abs=0.001)


def test_one_cluster_says_nothing_of_others() -> None:
    assert mean_interval([1, 2, 3], [0, 0, 0]) == Interval(2.0, None, None, 3, 1)


def test_a_ratio_of_sums() -> None:
    found = ratio_interval([1, 2, 3], [2, 2, 4], [0, 1, 2])
    assert found.estimate == 6 / 8


def test_nothing_to_divide_by() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean_interval([], [])
    with pytest.raises(ValueError, match="nothing to divide"):
        ratio_interval([1.0, 2.0], [0.0, 0.0], [0, 1])


def test_clusters_that_nearly_all_agree_give_no_endless_interval() -> None:
    # Of five clusters of 20 trials, one has two wrong and the others one: draws without it have no error.
    wrong = np.array([1, 1, 1, 1, 2])
    values = np.concatenate([np.repeat([1.0, 10.0], [each, 20 - each]) for each in wrong])
    found = mean_interval(values, np.repeat(np.arange(5), 20))
    reach = 2 * student.ppf(0.975, 4) * np.std(wrong * 9 / 20, ddof=1) / np.sqrt(5)
    assert _width(found) <= 2 * reach + 1e-9


def test_no_difference_reaches_beyond_the_scale() -> None:
    found = paired_difference([10, 10, 1], [1, 1, 10], [0, 1, 2])
    assert (found.low, found.high) == (-9, 9)
