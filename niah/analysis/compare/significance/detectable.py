"""How large a drop must be to be found in four nights of five (power 80 %)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.compare.moments import Moments
    from niah.analysis.compare.significance.shared_luck import SharedLuck

POWER = 0.85
"""More than the 80 % that are promised: a night knows its noise by a few clusters, and nights that take it
for more than it is lose more than the others win."""

_DRAWS = 1999

_BEYOND = 30.0
"""A critical t-value that no drop is sure to pass; SciPy takes seconds for greater ones."""


def detectable(
    found: Moments,
    least: NDArray[np.float64],
    room: NDArray[np.float64],
    alpha: float,
    luck: SharedLuck | None = None,
) -> NDArray[np.float64]:
    """Shape (rows,): the minimum detectable worsening, above 0; infinite where none could be seen.

    A drop d is found when its t-value exceeds the critical one, which a noncentral t-distribution tells. Its
    standard error is the noise that is there, and what the drop itself adds when it strikes some trials and
    spares others: at most d (room - d) for each pair (Bhatia and Davis 2000). So identical answers, which
    have no noise at all, do not promise that anything can be seen.

    Args:
        found: the rows.
        least: shape (rows,): the sign-flip statistic to be exceeded, sum over root of sum of squares.
        room: shape (rows,): the greatest mean drop that there could be.
        alpha: of the whole table.
        luck: that clusters share; then draws of it take the place of the noncentral t-distribution.
    """
    from scipy.special import nctdtrinc, ndtri

    degrees = np.maximum(found.even - 1, 1e-9)
    critical = _as_t(least, found.even)
    possible = (critical < _BEYOND) & (2.0**found.clusters * alpha >= 1) & (found.n > 0)
    away = np.full(len(least), np.inf)
    error = found.error
    if luck is None:
        away[possible] = nctdtrinc(degrees[possible], 1 - POWER, critical[possible])
    else:
        error = np.sqrt(found.error**2 + luck.variance / np.maximum(found.n, 1) ** 2)
        away[possible] = _away_with_luck(found, luck, error, degrees, critical)[possible]
    # Where a single flip may reach the statistic, every cluster must be worse.
    all_worse = np.sqrt(found.clusters) * ndtri(POWER ** (1 / np.maximum(found.clusters, 1)))
    away = np.where(alpha * 2.0**found.clusters < 2, np.maximum(away, all_worse), away)
    drop = np.full(len(least), np.inf)
    drop[possible] = least_drop(away[possible], error[possible], found.n[possible], room[possible])
    return np.where((drop <= room) & (room > 0), drop, np.inf)


def _away_with_luck(
    found: Moments,
    luck: SharedLuck,
    error: NDArray[np.float64],
    degrees: NDArray[np.float64],
    critical: NDArray[np.float64],
) -> NDArray[np.float64]:
    """So many standard errors must a drop be away from 0; NaN where there is no error."""
    draws = luck.draws[:_DRAWS]
    rng = np.random.default_rng(0)
    own = (found.error / np.where(error > 0, error, np.nan)) ** 2
    normal, other = rng.normal(size=(2, len(draws), 1))
    # A chi-square variable over its degrees of freedom (Wilson and Hilferty 1931).
    chi_square = np.maximum(1 - 2 / (9 * degrees) + np.sqrt(2 / (9 * degrees)) * normal, 0.0) ** 3
    seen = np.sqrt(own * chi_square + 1 - own)
    shared = draws / (np.maximum(found.n, 1) * np.where(error > 0, error, np.nan))
    off = (np.sqrt(own) * other + shared) * np.sqrt(luck.left((found.error * found.n) ** 2))
    return np.asarray(np.quantile(np.where(np.isfinite(critical), critical, 0.0) * seen + off, POWER, axis=0))


def _as_t(statistic: NDArray[np.float64], even: NDArray[np.float64]) -> NDArray[np.float64]:
    """The t-value of a sum over the root of the sum of squares; infinite beyond the root of the clusters."""
    left = even - statistic**2
    inside = left > 0
    finite = np.where(inside, statistic, 0.0)
    found = finite * np.sqrt(np.maximum(even - 1, 0) / np.where(inside, left, 1.0))
    return np.where(inside, found, np.inf)


def least_drop(
    away: NDArray[np.float64], error: NDArray[np.float64], n: NDArray[np.float64], room: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The drop d at which d = away * root(error^2 + d (room - d) / n); all of one shape.

    Args:
        away: so many standard errors must the drop be away from 0.
        error: standard error of the mean difference before any drop.
        n: pairs.
        room: the greatest mean drop that there could be.
    """
    square = away**2
    a, b = 1 + square / n, square * room / n
    drop: NDArray[np.float64] = (b + np.sqrt(b**2 + 4 * a * square * error**2)) / (2 * a)
    return drop
