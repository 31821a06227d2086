"""All curves along which a score may fall with context length, and how likely trials are of each.

Parameters lie on grids, which makes a posterior a sum and no search: nothing has to converge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SLOPES = np.array([0.7, 1.2, 2.0, 3.5, 6.0, 12.0])
"""Per doubling of the length: from a fall over five doublings to a cliff."""
_TOPS = np.array([0.02, 0.1, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.88, 0.94, 0.98, 0.995])
_FLOORS = np.array([0.0, 0.15, 0.35, 0.6])
"""Of the top."""
FLOOR_PRIOR = np.array([0.4, 0.2, 0.2, 0.2])
_SPREADS = np.array([0.15, 0.5, 1.0, 2.0])
"""Of the depths' thresholds, in doublings."""
_OFF_DIPS = np.array([0.15, 0.5])
"""The same, around a dip."""
_BEFORE, _BEYOND = 1.5, 3.0
"""Doublings that thresholds may lie off the lengths."""
STEP = 0.25
"""Doublings between thresholds."""
_SURE = 0.004
"""No share is nearer to 0 or 1: a single slip must not rule a threshold out."""


@dataclass(frozen=True)
class Curves:
    """All curves there are, and how likely their thresholds are.

    Attributes:
        shares: shape (slopes x tops, floors, thresholds, lengths), of the scale.
        logarithms: shape (2 x lengths, slopes x tops x floors x thresholds), of the shares at each length,
            then of what is left to 1.
        priors: shape (spreads x means, thresholds), around every other threshold.
        off_dips: shape (thresholds, spreads, thresholds), the same around every threshold, with the spreads
            around dips.
    """

    shares: Floats
    logarithms: Floats
    priors: Floats
    off_dips: Floats


@lru_cache(maxsize=8)
def curves_over(doublings: tuple[float, ...]) -> Curves:
    """Over lengths of which these are the binary logarithms, rising."""
    thresholds = np.arange(doublings[0] - _BEFORE, doublings[-1] + _BEYOND + STEP / 2, STEP)
    off = np.array(doublings) - thresholds[:, None]
    falls = 1 / (1 + np.exp(np.minimum(_SLOPES[:, None, None] * off, 50.0)))
    left = _FLOORS[:, None, None] + (1 - _FLOORS[:, None, None]) * falls[:, None]
    shares = np.clip(_TOPS[:, None, None, None] * left[:, None], _SURE, 1 - _SURE)
    shares = shares.reshape(-1, *shares.shape[2:])
    priors = _normal(thresholds, thresholds[::2], _SPREADS).reshape(-1, len(thresholds))
    flat = shares.reshape(-1, len(doublings)).T
    logarithms = np.ascontiguousarray(np.vstack([np.log(flat), np.log1p(-flat)]))
    off_dips = np.ascontiguousarray(_normal(thresholds, thresholds, _OFF_DIPS).swapaxes(0, 1))
    return Curves(shares, logarithms, priors, off_dips)


def _normal(thresholds: Floats, means: Floats, spreads: Floats) -> Floats:
    """How likely thresholds are: shape (spreads, means, thresholds)."""
    density = np.exp(-0.5 * ((thresholds - means[:, None]) / spreads[:, None, None]) ** 2)
    found: Floats = density / density.sum(axis=-1, keepdims=True)
    return found


def log_likelihood(
    curves: Curves, shares: Floats, lengths: NDArray[np.intp], depths: NDArray[np.intp]
) -> Floats:
    """Of trials at each depth, along each curve: shape (depths, slopes x tops, floors, thresholds).

    A share counts as so much of a success (quasi-binomial).
    """
    rows, count = int(depths.max()) + 1, curves.shares.shape[-1]
    places = depths * count + lengths
    right = np.bincount(places, weights=shares, minlength=rows * count).reshape(rows, count)
    every = np.bincount(places, minlength=rows * count).reshape(rows, count)
    found: Floats = np.hstack([right, every - right]) @ curves.logarithms
    return found.reshape(rows, *curves.shares.shape[:-1])
