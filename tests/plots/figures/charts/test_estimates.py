"""Groups and their means."""

from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.bootstrap import Interval, mean_interval
from niah.plots.figures.charts.estimates import bands_label, groups, means, n_label, row_of

NAN = float("nan")


def test_groups_are_the_rows_that_are_alike() -> None:
    first, second = np.array([1, 0, 1, 0, 1]), np.array([2.5, 1, 2.5, 1, 0])
    found = groups(np.array([True, True, True, False, True]), first, second)
    assert {key: rows.tolist() for key, rows in found.items()} == {(0, 1): [1], (1, 0): [4], (1, 2.5): [0, 2]}
    assert groups(np.zeros(5, dtype=bool), first) == {}


def test_means_leave_out_what_is_not_known() -> None:
    found = means(np.array([10, NAN, 7, NAN]), np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1]))
    assert list(found) == [(0,)]
    assert (found[0,].estimate, found[0,].n, found[0,].clusters) == (8.5, 2, 2)


def test_the_interval_is_the_cluster_bootstraps() -> None:
    values, clusters = np.array([1.0, 3, 5, 7, 10, 10]), np.array([0, 0, 1, 1, 2, 2])
    assert means(values, clusters, np.zeros(6))[0,] == mean_interval(values, clusters)


def test_a_row_has_empty_bounds_where_there_are_none() -> None:
    assert row_of(Interval(1 / 3, None, None, 3, 1)) == (0.333333, None, None, 3, 1)


@pytest.mark.parametrize(
    ("counts", "label"),
    [
        ((1, 1), "n = 1 trial a point"),
        ((3, 3), "n = 3 trials a point"),
        ((1, 1200), "n = 1–1,200 trials a point"),
    ],
)
def test_n_is_a_number_or_a_range(counts: tuple[int, int], label: str) -> None:
    assert n_label({(k,): Interval(1, None, None, n, 1) for k, n in enumerate(counts)}) == label


def test_the_label_says_why_there_are_no_bands() -> None:
    few, many = Interval(5, 1, 9, 9, 4), Interval(5, 4, 6, 9, 5)
    assert bands_label({(0,): few}).startswith("no bands: fewer than 5")
    assert bands_label({(0,): many}).startswith("bands: 95 %")
    assert "none for fewer than 5" in bands_label({(0,): many, (1,): few})
