"""Tests that need no normal distribution: the signs of whole clusters are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So that rounding does not part what is equal.
_SLACK = 1e-9


@dataclass(frozen=True)
class FlipTest:
    """What came of a test by flipped signs.

    Attributes:
        p: two-sided.
        maxima: shape (flips,), rising: the greatest statistic under each flip.
        exact: whether these are all flips there are.
    """

    p: float
    maxima: NDArray[np.float64]
    exact: bool

    def critical(self, level: float) -> float:
        """What a statistic must exceed for a p of at most ``level``; infinite where none could."""
        count = len(self.maxima)
        allowed = int(level * count + _SLACK) if self.exact else int(level * (count + 1) + _SLACK) - 1
        if allowed < (2 if self.exact else 0):
            return np.inf
        return float(self.maxima[count - 1 - min(allowed, count - 1)])


def max_sign_flip(
    scores: NDArray[np.float64],
    *,
    observed: float | None = None,
    draws: int = 9999,
    seed: int = 0,
) -> FlipTest:
    """The test of the greatest of several statistics: the search is done again under every flip.

    The statistics are ``studentised`` sums; all flip together, so their dependence is kept (Kline and Santos
    2012: the score form of the wild cluster bootstrap).

    Args:
        scores: shape (clusters, statistics): each cluster's share of each statistic, of mean 0 if nothing is
            there.
        observed: of the one that was chosen; without it, of the most extreme.
        draws: of signs; all 2^clusters are taken instead where they are no more.
        seed: of the draws.
    """
    if observed is None:
        observed = float(np.abs(studentised(scores)).max())
    found = np.sort(np.abs(flipped(scores, draws, seed) / _scale(scores)).max(axis=-1))
    exact = 2 ** len(scores) <= draws
    reached = int((found >= observed - _SLACK).sum())
    p = reached / len(found) if exact else (reached + 1) / (len(found) + 1)
    return FlipTest(p, found, exact)


def studentised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (statistics,): the sums over clusters, over the root of the sums of squares."""
    ratios: NDArray[np.float64] = scores.sum(axis=0) / _scale(scores)
    return ratios


def _scale(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    roots = np.sqrt((scores**2).sum(axis=0))
    return np.where(roots > 0, roots, 1.0)
