"""The search for a threshold: where it is, how sure that is, and whether anything is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.patterns.steps import StepTable, gains, scores, spreads, threshold_interval
from niah.analysis.patterns.tree import find_tree
from niah.analysis.stats.permutation import max_sign_flip, studentised

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLIPS = 4999
"""Of clusters' signs."""

_DRAWS = 1999


@dataclass(frozen=True)
class Threshold:
    """A cut that was searched.

    Attributes:
        cut: where.
        low, high: 95 % of the cuts found in bootstrap draws; None with fewer than two clusters.
        tree_depth: as in ``Pattern``.
        above: whether the behaviour is higher above it; true where it must be.
        p: of no step at any cut.
    """

    cut: float
    low: float | None
    high: float | None
    tree_depth: int
    above: bool
    p: float


def search(table: StepTable, *, rising: bool, seed: int) -> Threshold:
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
    p = max_sign_flip(score, observed=abs(observed), draws=FLIPS, seed=seed)
    return Threshold(float(cuts[best]), low, high, tree.depth, rising or observed >= 0, p)


def _best(
    score: NDArray[np.float64], spread: NDArray[np.float64], split: NDArray[np.bool_], rising: bool
) -> int:
    """The cut that explains most; one where the behaviour rises, if it must and any does."""
    candidates = np.flatnonzero(split) if split.any() else np.arange(len(split))
    total = score.sum(axis=0)[candidates]
    gain = gains(total, spread.sum(axis=0)[candidates], rising and bool((total > 0).any()))
    return int(candidates[gain.argmax()])
