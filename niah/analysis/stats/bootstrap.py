"""Intervals by cluster bootstrap: of means, ratios, paired differences and win rates.

Whole clusters are resampled, and the studentised error is (Hall 1992: the symmetric bootstrap-t): trials of
a cluster are not independent, and with 8 to 20 clusters percentile and BCa intervals are too narrow
(coverages: docs/error-patterns.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import resampled, totals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DRAWS = 2000


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval.

    Attributes:
        estimate: over all trials, each with the same weight.
        low, high: the interval; None with fewer than two clusters, which say nothing of others.
        n: trials (or pairs).
        clusters: how many.
    """

    estimate: float
    low: float | None
    high: float | None
    n: int
    clusters: int


def mean_interval(
    values: ArrayLike, clusters: ArrayLike, *, level: float = 0.95, draws: int = _DRAWS, seed: int = 0
) -> Interval:
    """The mean of ``values``, shape (n,), of trials in ``clusters``, shape (n,).

    Raises ValueError without values, or where one is not finite.
    """
    numbers = np.asarray(values, dtype=np.float64)
    return ratio_interval(numbers, np.ones(len(numbers)), clusters, level=level, draws=draws, seed=seed)


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = _DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean of first minus second, of pairs in ``clusters``; all of shape (n,). Raises ValueError."""
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    return mean_interval(differences, clusters, level=level, draws=draws, seed=seed)


def win_rate(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = _DRAWS,
    seed: int = 0,
) -> Interval:
    """The share of pairs whose first score is as high as the second or higher (u-niah, section 5.1.2).

    A share near 0 or 1 has no symmetric interval: this is Clopper and Pearson's for as many independent pairs
    as the clusters are worth (Korn and Graubard 1998), with the bootstrap's critical value. Where every pair
    is won, or none, that is one for each cluster. Raises ValueError.
    """
    won = (np.asarray(first) >= np.asarray(second)).astype(np.float64)
    above, below = totals(clusters, won, np.ones(len(won))).T
    if not len(won):
        raise ValueError("there are no pairs.")
    share, n, count = float(won.mean()), len(won), len(above)
    if count < 2:
        return Interval(share, None, None, n, count)
    worth = _worth(share, _reach(above, below, level, draws, seed), level)
    low, high = _clopper_pearson(share, min(worth, n) if worth else count, level)
    return Interval(share, low, high, n, count)


def ratio_interval(
    numerators: ArrayLike,
    denominators: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = _DRAWS,
    seed: int = 0,
) -> Interval:
    """The sum of the numerators over the sum of the denominators; all of shape (n,).

    Raises ValueError where the denominators' sum is not above 0, or a number is not finite.
    """
    above, below = totals(clusters, numerators, denominators).T
    if not below.sum() > 0:
        raise ValueError("there is nothing to divide by.")
    estimate = float(above.sum() / below.sum())
    n, count = len(np.asarray(clusters)), len(above)
    if count < 2:
        return Interval(estimate, None, None, n, count)
    reach = _reach(above, below, level, draws, seed)
    return Interval(estimate, estimate - reach, estimate + reach, n, count)


def _worth(share: float, reach: float, level: float) -> float:
    """How many independent pairs reach as far; 0 where nothing varies."""
    from scipy.stats import norm

    error = reach / float(norm.ppf((1 + level) / 2))
    return share * (1 - share) / error**2 if error > 0 else 0.0


def _clopper_pearson(share: float, n: float, level: float) -> tuple[float, float]:
    from scipy.stats import beta

    won, tail = share * n, (1 - level) / 2
    low = float(beta.ppf(tail, won, n - won + 1)) if share > 0 else 0.0
    high = float(beta.ppf(1 - tail, won + 1, n - won)) if share < 1 else 1.0
    return low, high


def _reach(
    above: NDArray[np.float64], below: NDArray[np.float64], level: float, draws: int, seed: int
) -> float:
    """How far the interval of a ratio reaches on either side."""
    error = float(_error(_moments(above, below).sum(axis=0), len(above)))
    return _critical(above, below, level, draws, seed) * error


def _critical(
    above: NDArray[np.float64], below: NDArray[np.float64], level: float, draws: int, seed: int
) -> float:
    """How many standard errors the interval reaches: at least Student's, for where clusters are very few."""
    count = len(above)
    sums = resampled(_moments(above, below), draws, seed)
    errors = _error(sums, count)
    off = np.abs(_ratio(sums) - above.sum() / below.sum())
    told = errors > 1e-9 * errors.max()
    bootstrapped = float(np.quantile(off[told] / errors[told], level)) if told.any() else 0.0
    return max(bootstrapped, _student((1 + level) / 2, count - 1))


@lru_cache(maxsize=256)
def _student(share: float, freedom: int) -> float:
    """Student's quantile; scipy takes longer for it than for the resampling."""
    from scipy.stats import t as student

    return float(student.ppf(share, freedom))


def _moments(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (clusters, 5): what a ratio and its standard error are sums of."""
    return np.column_stack([above, below, above**2, above * below, below**2])


def _ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    below = sums[..., 1]
    ratio: NDArray[np.float64] = sums[..., 0] / np.where(below > 0, below, np.inf)
    return ratio


def _error(sums: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The linearised standard error: root(C / (C - 1) * sum of squared residuals) / sum of denominators."""
    ratio = _ratio(sums)
    squares = sums[..., 2] - 2 * ratio * sums[..., 3] + ratio**2 * sums[..., 4]
    below = np.where(sums[..., 1] > 0, sums[..., 1], np.inf)
    error: NDArray[np.float64] = np.sqrt(np.maximum(squares, 0) * count / (count - 1)) / below
    return error
