"""Tests that need no normal distribution: the signs of whole clusters are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So that rounding does not part what is equal.
_SLACK = 1e-9


def max_sign_flip(
    scores: NDArray[np.float64],
    *,
    observed: float | None = None,
    draws: int = 9999,
    seed: int = 0,
) -> float:
    """The two-sided p-value of the greatest of several statistics: the search is done again under every flip.

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
    scale = _scale(scores)
    found = np.abs(flipped(scores, draws, seed) / scale).max(axis=-1)
    exact = 2 ** len(scores) <= draws
    reached = int((found >= observed - _SLACK).sum())
    return reached / len(found) if exact else (reached + 1) / (len(found) + 1)


def studentised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (statistics,): the sums over clusters, over the root of the sums of squares."""
    ratios: NDArray[np.float64] = scores.sum(axis=0) / _scale(scores)
    return ratios


def _scale(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    roots = np.sqrt((scores**2).sum(axis=0))
    return np.where(roots > 0, roots, 1.0)
