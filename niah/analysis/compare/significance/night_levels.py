"""Means of nights in a row, whose level may have made steps: an accepted change is no night's luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEP_CHANCE = 0.02
"""The prior chance that the level is another one from a given night on."""

_LEVEL_SCALE = 1.0
"""How far levels are from 0, in logits: those after a step as well as the first."""

_GRID = np.geomspace(1e-4, 1e3, 200)
"""Variances, in sums of squares of the nights."""


def mean_square_of_nights(means: NDArray[np.float64]) -> float:
    """The variance of nights' means about their level, over all ways to part them into stretches.

    The geometric mean of its posterior, put right: it is the usual mean square where no step is likely.

    Args:
        means: shape (nights,): in their order, about 0.
    """
    from scipy.special import digamma

    square, free = float(((means - means.mean()) ** 2).sum()), len(means) - 1
    if square <= 0:
        return 0.0
    logs = _log_likelihood_of_nights(means, square * _GRID)
    chances = np.exp(logs - logs.max())
    of_log = float(chances @ np.log(_GRID) / chances.sum()) + float(digamma(free / 2)) + np.log(2 / free)
    return float(square * np.exp(of_log))


def _log_likelihood_of_nights(
    means: NDArray[np.float64], variances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shape (variances,): how likely each makes the nights, over all ways to part them into stretches.

    Within a stretch means are normal about one level. The sum over all ways goes from night to night (a
    product partition model; Barry and Hartigan 1992).

    Args:
        means: shape (nights,): in their order, about 0.
        variances: of a night's mean about its level.
    """
    up_to = [np.zeros(len(variances))]
    for end in range(1, len(means) + 1):
        ways = [
            up_to[start] + _stretch(means[start:end], variances) + _log_chance(start, end)
            for start in range(end)
        ]
        up_to.append(np.logaddexp.reduce(ways, axis=0))
    return up_to[-1]


def _log_chance(start: int, end: int) -> float:
    """Of one stretch: a step before it, unless it is the first, and none within."""
    return float((start > 0) * np.log(_STEP_CHANCE) + (end - start - 1) * np.log1p(-_STEP_CHANCE))


def _stretch(means: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log density of a stretch's means, whose unknown level is integrated over; but for constants."""
    count, mean = len(means), float(means.mean())
    square = float(((means - mean) ** 2).sum())
    of_mean = _LEVEL_SCALE**2 + variances / count
    return np.asarray(
        -((count - 1) * np.log(variances) + square / variances + np.log(of_mean) + mean**2 / of_mean) / 2
        - np.log(count) / 2
    )
