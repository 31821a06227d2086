from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.compare.significance.flip_tests import asked_of, flip_tests, least_beyond
from niah.analysis.compare.significance.null_draws import NullDraws, null_draws, row_statistics


def test_the_next_row_is_compared_with_those_that_are_left() -> None:
    """Three rows of one weight, eight draws that are all there are.

    The first row's 3 is reached by one draw of any row, itself: 1/8. Of the two others the greatest of each
    draw is 2, 1, 1, 0, 0, 0, 0, -1: the second row's 2 is reached once. The third's own 1 is reached twice.
    """
    draws = np.array(
        [[3, 2, 1], [2, 0, 1], [1, 1, 0], [0, 0, 0], [0, 0, -1], [0, -1, 0], [-1, 0, 0], [-3, -2, -1]]
    )
    drawn = NullDraws(np.array([3.0, 2.0, 1.0]), draws.astype(float), (draws.astype(float),), is_exact=True)
    found = flip_tests(drawn, np.full(3, 1 / 3), correction="holm", alpha=0.25)
    assert found.adjusted.tolist() == [1 / 8, 1 / 8, 2 / 8]
    assert found.p.tolist() == [1 / 8, 1 / 8, 2 / 8]
    # Of all rows the greatest are 3, 2, 1 ...: two of eight draws may exceed what the worst row must: 1.
    assert found.critical == pytest.approx(1.0)


def test_the_heavier_row_needs_less() -> None:
    rng = np.random.default_rng(1)
    drawn = null_draws(rng.normal(size=(12, 2)), [rng.normal(size=(12, 2))], seed=0)
    found = flip_tests(drawn, np.array([0.9, 0.1]), correction="holm", alpha=0.04)
    assert found.critical[0] + 0.3 < found.critical[1]


def test_a_row_without_weight_is_not_tested_and_disturbs_none() -> None:
    rng = np.random.default_rng(2)
    worse = rng.normal(0.5, 1, size=(10, 3))
    some = flip_tests(
        null_draws(worse, [worse], seed=0), np.array([0.5, 0.5, 0.0]), correction="holm", alpha=0.04
    )
    two = flip_tests(
        null_draws(worse[:, :2], [worse[:, :2]], seed=0), np.array([0.5, 0.5]), correction="holm", alpha=0.04
    )
    assert some.adjusted[:2].tolist() == two.adjusted.tolist()
    assert np.isnan(some.adjusted[2])
    assert np.isinf(some.critical[2])


def test_benjamini_and_hochberg_with_weights() -> None:
    """Of 10,000 draws 100, 200 and 3,000 reach the rows: p 0.01, 0.02, 0.3, over weights of 1.5, 1.2 and 0.3.

    0.00667, 0.01667 and 1; times three over their ranks 0.02, 0.025 and 1.
    """
    draws = np.zeros((10_000, 3))
    for row, reached in enumerate((100, 200, 3000)):
        draws[:reached, row] = 1
    drawn = NullDraws(np.ones(3), draws, (draws,), is_exact=True)
    found = flip_tests(drawn, np.array([0.5, 0.4, 0.1]), correction="bh", alpha=0.04)
    assert found.adjusted == pytest.approx([0.02, 0.025, 1.0])


def test_two_clusters_can_show_nothing() -> None:
    worse = np.ones((2, 1))
    found = flip_tests(null_draws(worse, [worse], seed=0), np.ones(1), correction="holm", alpha=0.04)
    assert (found.p[0], found.critical[0]) == (1 / 4, np.inf)


def test_the_worst_row_is_found_from_the_least_that_is_beyond_on() -> None:
    weights, found_once = np.array([0.7, 0.3, 0.0]), []
    for seed in range(40):
        for clusters in (8, 15):
            worse = np.random.default_rng(seed).normal(0.5, 1, (clusters, 3))
            drawn = null_draws(worse, [worse], seed=seed)
            adjusted = flip_tests(drawn, weights, correction="holm", alpha=0.04).adjusted
            beyond = row_statistics(worse, None) - asked_of(weights, 0.04)
            is_found = beyond.max() >= least_beyond(drawn, weights, 0.04)
            assert is_found == (np.nanmin(adjusted) <= 0.04)
            found_once.append(is_found)
    assert 10 < sum(found_once) < 70


def test_nothing_is_found_where_no_draw_may_be_reached() -> None:
    worse = np.ones((2, 1))
    assert least_beyond(null_draws(worse, [worse], seed=0), np.ones(1), 0.04) == np.inf


def test_statistics_of_several_tables_at_once() -> None:
    tables = np.random.default_rng(0).normal(size=(3, 6, 2))
    expected = [table.sum(axis=0) / np.sqrt((table**2).sum(axis=0)) for table in tables]
    assert row_statistics(tables, None) == pytest.approx(np.array(expected))
