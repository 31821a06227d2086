"""How large a drop must be to be found in four nights of five (power 80 %)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.compare.moments import Moments

POWER = 0.82
"""A little more than the 80 % that are promised, for what the noncentral t-distribution leaves out."""

_BEYOND = 30.0
"""A critical t-value that no drop is sure to pass; SciPy takes seconds for greater ones."""


def detectable(
    found: Moments,
    least: NDArray[np.float64],
    room: NDArray[np.float64],
    alpha: float,
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
    """
    from scipy.special import nctdtrinc, ndtri

    degrees = np.maximum(found.even - 1, 1e-9)
    critical = _as_t(least, found.even)
    possible = (critical < _BEYOND) & (2.0**found.clusters * alpha >= 1) & (found.n > 0)
    away = np.full(len(least), np.inf)
    away[possible] = nctdtrinc(degrees[possible], 1 - POWER, critical[possible])
    # Where a single flip may reach the statistic, every cluster must be worse.
    all_worse = np.sqrt(found.clusters) * ndtri(POWER ** (1 / np.maximum(found.clusters, 1)))
    away = np.where(alpha * 2.0**found.clusters < 2, np.maximum(away, all_worse), away)
    drop = np.full(len(least), np.inf)
    drop[possible] = least_drop(away[possible], found.error[possible], found.n[possible], room[possible])
    return np.where((drop <= room) & (room > 0), drop, np.inf)


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
