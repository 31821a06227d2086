"""Tests that need no normal distribution: the signs of whole clusters are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.clusters import flipped, totals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Alternative = Literal["two-sided", "greater", "less"]

# So that rounding does not part what is equal.
_SLACK = 1e-9


def sign_flip(
    differences: ArrayLike,
    clusters: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    draws: int = 9999,
    seed: int = 0,
) -> float:
    """The p-value of paired differences whose mean is 0, the signs of whole clusters drawn at random.

    Exact where a cluster's differences are as likely to be negated, all together. With few clusters it cannot
    be small: 5 give 1/32 one-sided at best.

    Args:
        differences: shape (n,), first minus second.
        clusters: shape (n,).
        alternative: "greater" where the mean is suspected above 0.
        draws: of signs; all 2^clusters are taken instead where they are no more.
        seed: of the draws.
    """
    return max_sign_flip(totals(clusters, differences), alternative=alternative, draws=draws, seed=seed)


def max_sign_flip(
    scores: NDArray[np.float64],
    *,
    observed: float | None = None,
    alternative: Alternative = "two-sided",
    draws: int = 9999,
    seed: int = 0,
) -> float:
    """The p-value of the greatest of several statistics: the search is done again under every flip.

    The statistics are ``studentised`` sums; all flip together, so their dependence is kept (Kline and Santos
    2012: the score form of the wild cluster bootstrap).

    Args:
        scores: shape (clusters, statistics): each cluster's share of each statistic, of mean 0 if nothing is
            there.
        observed: of the one that was chosen; without it, of the most extreme.
        alternative: "greater" where the sums are suspected above 0.
        draws: of signs; all 2^clusters are taken instead where they are no more.
        seed: of the draws.
    """
    if observed is None:
        observed = float(_extreme(studentised(scores), alternative))
    scale = _scale(scores)
    found = _extreme(flipped(scores, draws, seed) / scale, alternative)
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


def _extreme(statistics: NDArray[np.float64], alternative: Alternative) -> NDArray[np.float64]:
    match alternative:
        case "greater":
            signed = statistics
        case "less":
            signed = -statistics
        case _:
            signed = np.abs(statistics)
    greatest: NDArray[np.float64] = signed.max(axis=-1)
    return greatest
