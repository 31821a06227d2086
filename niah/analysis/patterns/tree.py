"""The regression tree that finds a threshold (u-niah, section 5.2.4), with its depth cross-validated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.patterns.steps import LEAST_SHARE, StepTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DEPTHS = (1, 2, 3)
_FOLDS = 5
# Strata's means and tree change little after that.
_ROUNDS = 3


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
    from sklearn.tree import DecisionTreeRegressor

    weights = table.counts.sum(axis=0)
    filled = np.flatnonzero(weights)
    places = np.arange(len(weights))[:, None]
    values = np.zeros(len(weights))
    tree = DecisionTreeRegressor(max_depth=depth, min_weight_fraction_leaf=LEAST_SHARE, random_state=0)
    for _ in range(_ROUNDS):
        target = table.sums.sum(axis=0) + table.counts.T @ _stratum_means(table, values)
        tree.fit(places[filled], target[filled] / weights[filled], sample_weight=weights[filled])
        values = tree.predict(places)
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
