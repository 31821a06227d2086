"""The search for a threshold: where it is, how sure that is, and whether anything is there.

A regression tree finds it (u-niah, section 5.2.4), with its depth cross-validated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.patterns.steps import (
    LEAST_SHARE,
    StepTable,
    gains,
    scores,
    spreads,
    threshold_interval,
)
from niah.analysis.stats.permutation import FlipTest, max_sign_flip, studentised

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLIPS = 4999
"""Of clusters' signs."""

_DRAWS = 1999
_DEPTHS = (1, 2, 3)
_FOLDS = 5
# Strata's means and tree change little after that.
_ROUNDS = 3


@dataclass(frozen=True)
class Threshold:
    """A cut that was searched.

    Attributes:
        cut: where.
        low, high: 95 % of the cuts found in bootstrap draws; None with fewer than two clusters.
        tree_depth: as in ``Pattern``.
        above: whether the behaviour is higher above it; true where it must be.
        test: of no step at any cut.
    """

    cut: float
    low: float | None
    high: float | None
    tree_depth: int
    above: bool
    test: FlipTest


def find_threshold(table: StepTable, *, rising: bool, seed: int) -> Threshold:
    """The cut of the tree's that explains most, tested against the best of all cuts under flipped signs.

    Args:
        table: with at least one cut that is allowed.
        rising: whether the behaviour must rise there.
        seed: of flips and draws.
    """
    score, spread = scores(table)[:, table.allowed], spreads(table)[:, table.allowed]
    cuts, tree = table.cuts[table.allowed], find_tree(table)
    best = _best(score, spread, np.isin(np.flatnonzero(table.allowed), tree.splits), rising)
    observed = float(studentised(score)[best])
    low, high = (
        threshold_interval(score, spread, cuts, rising=rising, draws=_DRAWS, seed=seed)
        if len(score) > 1
        else (None, None)
    )
    test = max_sign_flip(score, observed=abs(observed), draws=FLIPS, seed=seed)
    return Threshold(float(cuts[best]), low, high, tree.depth, rising or observed >= 0, test)


def _best(
    score: NDArray[np.float64], spread: NDArray[np.float64], split: NDArray[np.bool_], rising: bool
) -> int:
    """The cut that explains most; one where the behaviour rises, if it must and any does."""
    candidates = np.flatnonzero(split) if split.any() else np.arange(len(split))
    total = score.sum(axis=0)[candidates]
    gain = gains(total, spread.sum(axis=0)[candidates], rising and bool((total > 0).any()))
    return int(candidates[gain.argmax()])


@dataclass(frozen=True)
class Tree:
    """A tree over x.

    Attributes:
        depth: with the least error on held-out clusters; 0 where none beats no tree.
        splits: places in ``StepTable.cuts``; of a tree of depth 1 where ``depth`` is 0.
    """

    depth: int
    splits: tuple[int, ...]


def find_tree(table: StepTable) -> Tree:
    """Fit sklearn's DecisionTreeRegressor to the bins' means, beyond a mean for each stratum.

    Clusters are held out whole (GroupKFold). With a single cluster the depth is 0.
    """
    depth = _best_depth(table)
    return Tree(depth, _fit(table, max(depth, 1))[0])


def _best_depth(table: StepTable) -> int:
    from sklearn.model_selection import GroupKFold

    folds = min(_FOLDS, len(np.unique(table.cluster)))
    if folds < 2:
        return 0
    errors = np.zeros(1 + len(_DEPTHS))
    for train, test in GroupKFold(folds).split(table.cluster, groups=table.cluster):
        learnt, held_out = (
            table.select(np.isin(np.arange(len(table.cluster)), part)) for part in (train, test)
        )
        for depth in _DEPTHS:
            errors[depth] += _error(held_out, _fit(learnt, depth)[1])
    return int(errors.argmin())


def _fit(table: StepTable, depth: int) -> tuple[tuple[int, ...], NDArray[np.float64]]:
    """The tree's splits, and its value in every bin: tree and strata's means in turn."""
    from sklearn import config_context
    from sklearn.tree import DecisionTreeRegressor

    weights = table.counts.sum(axis=0)
    filled = np.flatnonzero(weights)
    places = np.arange(len(weights), dtype=np.float32)[:, None]
    values = np.zeros(len(weights))
    tree = DecisionTreeRegressor(max_depth=depth, min_weight_fraction_leaf=LEAST_SHARE, random_state=0)
    # To check a few dozen numbers takes sklearn longer than to fit them.
    with config_context(skip_parameter_validation=True):
        for _ in range(_ROUNDS):
            target = table.sums.sum(axis=0) + table.counts.T @ _stratum_means(table, values)
            means = target[filled] / weights[filled]
            tree.fit(places[filled], means, sample_weight=weights[filled], check_input=False)
            values = tree.predict(places, check_input=False)
    inner = tree.tree_.children_left >= 0
    return tuple(sorted({int(cut) for cut in tree.tree_.threshold[inner]})), values


def _stratum_means(table: StepTable, values: NDArray[np.float64]) -> NDArray[np.float64]:
    means: NDArray[np.float64] = table.counts @ values / table.counts.sum(axis=1)
    return means


def _error(table: StepTable, values: NDArray[np.float64]) -> float:
    """Squared error of the tree beyond strata's means, less that of the means alone."""
    sizes = table.counts.sum(axis=1)
    explained = 2 * float(table.sums.sum(axis=0) @ values)
    spread = float(table.counts.sum(axis=0) @ values**2)
    return spread - float(sizes @ _stratum_means(table, values) ** 2) - explained
