"""Sign-flip tests of all rows at once, with the search for the worst row done again under every flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped
from niah.analysis.stats.permutation import studentised

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from niah.analysis.compare.families import Family

DRAWS = 9999

# So that rounding does not part what is equal.
_SLACK = 1e-9


@dataclass(frozen=True)
class Found:
    """What the tests say; every array has shape (rows,).

    Attributes:
        p: one-sided, of the row alone.
        adjusted: for the search among all rows: within the row's family, and over the families; NaN for a
            row in no family.
        families: p of each family, in their order.
    """

    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    families: NDArray[np.float64]


def search(
    worse: NDArray[np.float64],
    families: Sequence[Family],
    correct: Callable[[ArrayLike], NDArray[np.float64]],
    seed: int,
) -> Found:
    """Test every row for "worse", one-sided.

    All clusters' signs flip together in all rows, so that the rows' dependence is kept. Within a family the
    greatest statistic is compared with the greatest under each flip (Westfall and Young 1993, single-step
    max-T); over the families ``correct`` adjusts. A row's own p-value takes the family's place, times the
    family's correction.

    Args:
        worse: shape (clusters, rows): the clusters' sums, above 0 where the candidate is worse.
        families: a row is in one at most.
        correct: Holm, or Benjamini and Hochberg.
        seed: of the flips, where not all 2^clusters are taken.
    """
    draws, observed = _flips(worse, seed), studentised(worse)
    p = _share((draws >= observed - _SLACK).sum(axis=0), worse)
    within, best = np.full_like(p, np.nan), []
    for family in families:
        rows = list(family.rows)
        greatest = np.sort(draws[:, rows].max(axis=1))
        within[rows] = _share(len(greatest) - np.searchsorted(greatest, observed[rows] - _SLACK), worse)
        best.append(float(within[rows].min()))
    adjusted = np.full_like(p, np.nan)
    for family, own, after in zip(families, best, correct(best), strict=True):
        rows = list(family.rows)
        adjusted[rows] = np.minimum(within[rows] * after / own, 1.0)
    return Found(p, adjusted, np.array(best))


def least_statistics(
    worse: NDArray[np.float64], families: Sequence[Family], alpha: float, seed: int
) -> NDArray[np.float64]:
    """Shape (rows,): what a row's statistic must exceed for its family's p-value to be ``alpha`` at most.

    Infinite where no answers could reach it, and for a row in no family.
    """
    draws = _flips(worse, seed)
    least = np.full(worse.shape[1], np.inf)
    for family in families:
        rows = list(family.rows)
        least[rows] = _least(np.sort(draws[:, rows].max(axis=1)), alpha, _exact(worse))
    return least


def _flips(worse: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Shape (flips, rows): every row's statistic under every flip."""
    roots = np.sqrt((worse**2).sum(axis=0))
    return flipped(worse, DRAWS, seed) / np.where(roots > 0, roots, 1.0)


def _exact(worse: NDArray[np.float64]) -> bool:
    """Whether ``flipped`` takes all 2^clusters flips."""
    return bool(2 ** len(worse) <= DRAWS)


def _share(reached: NDArray[np.intp], worse: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value; what was observed is one of all flips, and counts beside those that were drawn."""
    share: NDArray[np.float64] = reached / 2 ** len(worse) if _exact(worse) else (reached + 1) / (DRAWS + 1)
    return share


def _least(greatest: NDArray[np.float64], alpha: float, exact: bool) -> float:
    """What a statistic must exceed for a p-value of at most ``alpha``; ``greatest`` rises."""
    may_reach = (
        int(alpha * len(greatest) + _SLACK) if exact else int(alpha * (len(greatest) + 1) - 1 + _SLACK)
    )
    if may_reach < (1 if exact else 0):
        return np.inf
    return float(greatest[-1 - may_reach])
