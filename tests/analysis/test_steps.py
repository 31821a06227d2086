from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from niah.analysis.patterns.steps import (
    StepTable,
    cuts_between,
    gains,
    scores,
    spreads,
    step_table,
    threshold_interval,
)
from niah.analysis.patterns.thresholds import find_tree


def _table(cut: float, step: float, clusters: int, seed: int, strata_each: int = 4) -> StepTable:
    """50 rows a stratum; strata differ in level, and in where x lies."""
    rng = np.random.default_rng(seed)
    strata = np.repeat(np.arange(clusters * strata_each), 50)
    x = np.clip(rng.random(len(strata)) + 0.4 * rng.normal(size=strata.max() + 1)[strata], 0, 1).round(2)
    y = 3 * rng.normal(size=strata.max() + 1)[strata] + step * (x > cut) + rng.normal(0, 1, len(strata))
    return step_table(x, y, strata, strata // strata_each, cuts_between(x))


def test_cuts_lie_between_values() -> None:
    assert cuts_between(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [1.5, 2.5]
    assert len(cuts_between(np.ones(5))) == 0
    many = cuts_between(np.random.default_rng(0).random(5000))
    assert 90 <= len(many) <= 96
    assert np.diff(many).max() < 0.02


def test_sums_by_hand() -> None:
    # y~ is -1, -1, 0, 2: above 1.5 -1 + 0 + 2 = 1, above 2.5 2. Spreads are 3 - 9 / 4 and 1 - 1 / 4.
    table = step_table(
        np.array([1.0, 2.0, 2.0, 3.0]),
        np.array([1.0, 1.0, 2.0, 4.0]),
        np.zeros(4, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.array([1.5, 2.5]),
    )
    assert scores(table).tolist() == [[1, 2]]
    assert spreads(table).tolist() == [[0.75, 0.75]]
    assert gains(scores(table), spreads(table), rising=True) == pytest.approx(np.array([[4 / 3, 16 / 3]]))
    assert gains(-scores(table), spreads(table), rising=True).tolist() == [[0, 0]]


def test_one_stratum_has_sklearns_split() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.random(300), rng.normal(size=300)
    y += x > 0.7
    one = np.zeros(300, dtype=np.int64)
    cuts = np.sort(x)[:-1] + np.diff(np.sort(x)) / 2
    table = step_table(x, y, one, one, cuts)
    best = cuts[gains(scores(table), spreads(table), rising=False).argmax()]
    tree = DecisionTreeRegressor(max_depth=1).fit(x[:, None], y)
    assert best == pytest.approx(tree.tree_.threshold[0])


def test_strata_are_taken_out() -> None:
    """Levels that differ three times as much as the step do not move it."""
    table = _table(cut=0.6, step=0.8, clusters=12, seed=1)
    gain = gains(scores(table).sum(axis=0), spreads(table).sum(axis=0), rising=True)
    assert table.cuts[gain.argmax()] == pytest.approx(0.605, abs=0.011)
    low, high = threshold_interval(scores(table), spreads(table), table.cuts, rising=True, draws=300, seed=0)
    assert low <= 0.605 <= high
    assert high - low < 0.1


def test_a_tree_finds_the_step_and_its_depth() -> None:
    table = _table(cut=0.6, step=0.8, clusters=12, seed=1)
    tree = find_tree(table)
    assert tree.depth >= 1
    assert min(abs(table.cuts[list(tree.splits)] - 0.605)) <= 0.011


def test_a_tree_of_nothing_has_no_depth() -> None:
    assert sum(find_tree(_table(0.6, 0.0, 10, seed)).depth == 0 for seed in range(10)) >= 6


def test_several_steps_need_a_deeper_tree() -> None:
    rng = np.random.default_rng(0)
    strata = np.repeat(np.arange(20), 100)
    x = rng.random(2000).round(2)
    y = 2 * np.floor(3 * x) * (x < 0.66) + rng.normal(0, 0.5, 2000)
    table = step_table(x, y, strata, strata // 2, cuts_between(x))
    assert find_tree(table).depth >= 2


def test_a_single_cluster_cannot_be_held_out() -> None:
    assert find_tree(_table(0.5, 1.0, 1, 0)).depth == 0
