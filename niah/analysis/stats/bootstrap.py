"""Intervals by cluster bootstrap: of ratios, paired differences, and of means on no scale that ends.

Whole clusters are resampled, and the studentised error is (Hall 1992: the symmetric bootstrap-t): trials of
a cluster are not independent, and with 8 to 20 clusters percentile and BCa intervals are too narrow
(coverages: docs/error-patterns.md). Where nearly all clusters agree, a draw's error may be next to nothing
and the studentised error without bounds: its quantile counts for at most twice Student's. Means of scores
and of shares have an interval of their own (``niah.analysis.stats.bounded_mean``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import resampled, totals
from niah.analysis.stats.independent_units import (
    independent_units,
    spread_by_stratum,
    strata_of,
    stratum_means,
)
from niah.analysis.stats.interval import Interval
from niah.analysis.stats.numbered import numbered
from niah.analysis.stats.quantiles import quantile, students_quantile
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_DRAWS = 2000
SCORE_DIFFERENCES = (float(LOWEST - HIGHEST), float(HIGHEST - LOWEST))
_MOST = 2.0
"""Times Student's quantile that the bootstrapped one counts for."""


def mean_interval(
    values: ArrayLike,
    clusters: ArrayLike,
    crossed: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    within: tuple[float, float] = (-np.inf, np.inf),
    level: float = 0.95,
    draws: int = _DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean of ``values``, shape (n,), of trials in ``clusters``, shape (n,).

    Args:
        values: any numbers.
        clusters, crossed, strata: as in ``niah.analysis.stats.bounded_mean``.
        within: the least and the greatest mean that can be; no interval reaches beyond.
        level: how often the interval holds the mean.
        draws, seed: of resamples.

    Raises ValueError without values, or where one is not finite.
    """
    numbers = np.asarray(values, dtype=np.float64)
    places = numbered(clusters)
    if not len(numbers):
        raise ValueError("there are no values.")
    own, mean = strata_of(places, strata), float(numbers.mean())
    residuals, count = numbers - stratum_means(numbers, own[places]), len(own)
    grown = np.sqrt(spread_by_stratum(own) * (count - 1) / count)[places]
    found = ratio_interval(
        mean + residuals * grown, np.ones(len(numbers)), places, level=level, draws=draws, seed=seed
    )
    if found.low is None or found.high is None:
        return found
    units = count if crossed is None else independent_units(residuals, places, crossed, own)
    fewer = students_quantile((1 + level) / 2, units - 1) / students_quantile((1 + level) / 2, count - 1)
    reach = float((found.high - found.estimate) * fewer * np.sqrt(count / units))
    return replace(
        found, low=max(found.estimate - reach, within[0]), high=min(found.estimate + reach, within[1])
    )


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    crossed: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = _DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean of first minus second, of pairs of scores in ``clusters``; all of shape (n,).

    Raises ValueError.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    return mean_interval(
        differences,
        clusters,
        crossed,
        strata,
        within=SCORE_DIFFERENCES,
        level=level,
        draws=draws,
        seed=seed,
    )


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


def _reach(
    above: NDArray[np.float64], below: NDArray[np.float64], level: float, draws: int, seed: int
) -> float:
    """How far the interval of a ratio reaches on either side."""
    error = float(_error(_moments(above, below).sum(axis=0), len(above)))
    return _critical(above, below, level, draws, seed) * error


def _critical(
    above: NDArray[np.float64], below: NDArray[np.float64], level: float, draws: int, seed: int
) -> float:
    """How many standard errors the interval reaches: Student's at least, and not without bounds."""
    count = len(above)
    # Column by column: what is looked at alone lies together.
    sums = np.ascontiguousarray(resampled(_moments(above, below), draws, seed).T).T
    errors = _error(sums, count)
    off = np.abs(_ratio(sums) - above.sum() / below.sum())
    told = errors > 1e-9 * errors.max()
    bootstrapped = quantile(off[told] / errors[told], level) if told.any() else 0.0
    student = students_quantile((1 + level) / 2, count - 1)
    return min(max(bootstrapped, student), _MOST * student)


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
