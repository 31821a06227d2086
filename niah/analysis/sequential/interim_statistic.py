"""How an arm stands after some of its units: statistic, information, and how it may end."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.detectable import POWER, least_drop
from niah.analysis.stats.clusters import totals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MIN_CLUSTERS = 3
"""With two clusters ties between them raise false alarms above the level; with one there is no variance."""

_FAR = 8.0

_TIED = 1e-20
"""Of the squared mean: a variance that is no greater is rounding."""


@dataclass(frozen=True)
class InterimStatistic:
    """An arm at one look.

    Attributes:
        mean: of the differences, tonight minus baseline; None without any.
        z: the cluster-robust t statistic, as the standard normal of the same p-value; below 0 is worse, 0
            with fewer than three clusters.
        information: what is known of the last look's statistic, from 0 to 1: the squared correlation.
        n, clusters: differences, and the clusters they come from.
        error: standard error of the mean; 0 with fewer than three clusters.
    """

    mean: float | None
    z: float
    information: float
    n: int
    clusters: int
    error: float = 0.0


def interim_statistic(differences: ArrayLike, clusters: ArrayLike, share: float) -> InterimStatistic:
    """From differences of one arm, tonight minus baseline, in their clusters; both of shape (n,).

    Where all clusters have the same mean, differences are taken as independent.

    Args:
        differences: of units that have a score on both sides.
        clusters: their clusters.
        share: of all units of the arm, how many are done, with or without scores.
    """
    values = np.asarray(differences, dtype=np.float64)
    if not len(values):
        return InterimStatistic(None, 0.0, share, 0, 0)
    sums, squares, counts = totals(clusters, values, values**2, np.ones(len(values))).T
    mean = float(values.mean())
    if len(sums) < MIN_CLUSTERS:
        return InterimStatistic(mean, 0.0, share, len(values), len(sums))
    variance = _variance(sums, counts, mean)
    if variance <= _TIED * mean**2:  # by chance, it may be: three clusters of a few trials tie often
        variance = float(values.var(ddof=1) / len(values))
    known = _information(variance, sums, squares, counts, share)
    return InterimStatistic(
        mean, _z(mean, variance, len(values), len(sums)), known, len(values), len(sums), sqrt(variance)
    )


def chance_of_alarm(at: InterimStatistic, boundary: float) -> float:
    """How likely the last look's z is at or below minus the boundary, if things go on as so far.

    The predictive chance with a flat prior (Spiegelhalter, Freedman and Blackburn 1986): with information t
    the last z is normal about z / root(t), with variance (1 - t) / t. It can go either way after looks
    without a unit, as the first may be where units are few.
    """
    from scipy.special import ndtr

    t = at.information
    if t == 0:
        return 0.5
    off = -boundary - at.z / sqrt(t)
    return float(ndtr(off / sqrt((1 - t) / t))) if t < 1 else float(off >= 0)


def detectable_at_end(at: InterimStatistic, boundary: float, units: int, room: float) -> float | None:
    """The minimum drop that all trials of an arm find in four nights of five; None where none could be seen.

    By a noncentral t-distribution with C - 1 degrees of freedom, as in
    ``niah.analysis.compare.significance.detectable``;
    the standard error is that of now, less what further trials will take from it.

    Args:
        at: the arm at its last look.
        boundary: what minus z must reach at the last look.
        units: of the full design.
        room: the greatest mean drop that there could be.
    """
    from scipy.special import nctdtrinc, ndtr, stdtrit

    if at.clusters < MIN_CLUSTERS or room <= 0:
        return None
    degrees = at.clusters - 1
    away = nctdtrinc(degrees, 1 - POWER, stdtrit(degrees, ndtr(boundary)))
    error = at.error * sqrt(at.information)
    drop = float(least_drop(*(np.array([each]) for each in (away, error, float(units), room)))[0])
    return drop if np.isfinite(drop) and drop <= room else None


def _variance(sums: NDArray[np.float64], counts: NDArray[np.float64], mean: float) -> float:
    """Of the mean, between clusters: C / (C - 1) * sum of squared residuals / n^2."""
    residuals = sums - mean * counts
    return float(len(sums) / (len(sums) - 1) * (residuals**2).sum() / counts.sum() ** 2)


def _z(mean: float, variance: float, n: int, clusters: int) -> float:
    """Student's t with C - 1 degrees of freedom, by its p-value (Jennison and Turnbull 2000, section 3.8).

    Of n equal differences it is 4^-n, since two draws from one distribution differ by a given value above 0
    with a chance of 1/4 at most: three could be equal by chance.
    """
    from scipy.special import ndtri, stdtr

    if mean == 0:
        return 0.0
    if variance <= _TIED * mean**2:
        return float(np.copysign(min(-ndtri(0.25**n), _FAR), mean))
    return float(np.clip(ndtri(stdtr(clusters - 1, mean / sqrt(variance))), -_FAR, _FAR))


def _information(
    variance: float,
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
    counts: NDArray[np.float64],
    share: float,
) -> float:
    """The last look's variance of the mean over that of now: only trials within clusters are still missing.

    The share itself where nothing has varied yet, or no cluster has two units.
    """
    free = float((counts - 1).sum())
    if variance <= 0 or free <= 0:
        return share
    within = float((squares - sums**2 / counts).sum()) / free
    gained = within * (1 - share) / float(counts.sum())
    return float(np.clip(1 - gained / variance, share, 1))
