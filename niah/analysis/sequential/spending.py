"""Group-sequential boundaries by alpha spending (Lan and DeMets 1983), for one-sided tests."""

from __future__ import annotations

from functools import lru_cache
from math import expm1, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RATE = 8.0
"""Of Hwang, Shih and DeCani's family: the greater, the later is spent, and the closer is the last look to the
test at the end alone. Chosen by simulation (docs/adaptive-repeats.md)."""

_NODES = 600
_FAR = 9.0

_FINEST, _STEPS = 1e-8, 65
"""Of the levels whose boundaries are tabulated, up to one half."""


def spent(level: float, share: float) -> float:
    """The part of the level that may be spent by the time a share of the units is known.

    Hwang, Shih and DeCani (1990): level * (e^(g share) - 1) / (e^g - 1), g = 8.
    """
    return level * expm1(_RATE * share) / expm1(_RATE)


@lru_cache(maxsize=4096)
def boundaries(shares: tuple[float, ...], spending: tuple[float, ...]) -> tuple[float, ...]:
    """What a standard normal statistic must reach at each look.

    By the recursion of Armitage, McPherson and Rowe (1969), for statistics whose correlation is
    root(share / later share). With a greater correlation fewer false alarms come (Slepian 1962).

    Args:
        shares: of the information known at each look, never falling, above 0, 1 at the end.
        spending: the chance of any false alarm up to each look, never falling.

    Returns:
        One value for each look; infinite where nothing is spent.
    """
    found: list[float] = []
    places, weights, known, used = np.zeros(1), np.ones(1), 0.0, 0.0
    for share, total in zip(shares, spending, strict=True):
        if share <= known or total <= used:
            found.append(inf)
            continue
        spread = sqrt(share - known)
        reached = _boundary(places, weights, spread, total - used)
        places, weights = _stepped(places, weights, spread, reached, sqrt(share))
        found.append(reached / sqrt(share))
        known, used = share, total
    return tuple(found)


def p_value(shares: tuple[float, ...], look: int, z: float) -> float:
    """The smallest level at which ``z`` (below 0 is worse) is an alarm at that look, from 0; 1 for none.

    The least of an arm's p-values over its looks is itself one, whenever looking stopped: at level alpha no
    more than alpha is spent (the repeated p-value of Jennison and Turnbull 2000, section 9.2). None is
    smaller than 1e-8.
    """
    from scipy.special import ndtr, ndtri

    levels, reached = _table(shares)
    at_look = -reached[:, look]
    if not np.isfinite(at_look[0]) or z > at_look[-1]:
        return 1.0
    # Boundaries are nearly straight in the normal scores of the levels.
    return float(ndtr(np.interp(z, at_look, ndtri(levels))))


@lru_cache(maxsize=256)
def _table(shares: tuple[float, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Levels, rising, and the boundaries of each; shapes (levels,) and (levels, looks)."""
    levels = np.geomspace(_FINEST, 0.5, _STEPS)
    reached = [boundaries(shares, tuple(spent(level, share) for share in shares)) for level in levels]
    return levels, np.array(reached)


def _boundary(
    places: NDArray[np.float64], weights: NDArray[np.float64], spread: float, chance: float
) -> float:
    """Where a random walk that now stands at ``places`` has just that chance to exceed after one step."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    def excess(value: float) -> float:
        return float(weights @ ndtr((places - value) / spread)) - chance

    return float(brentq(excess, -_FAR, _FAR, xtol=1e-10))


def _stepped(
    places: NDArray[np.float64], weights: NDArray[np.float64], spread: float, reached: float, root: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The walk after the step, as far as it stayed below the boundary: nodes and masses (trapezoids)."""
    nodes = np.linspace(-_FAR * root, reached, _NODES)
    density = np.exp(-(((nodes[:, None] - places) / spread) ** 2) / 2) @ weights
    masses = density * (nodes[1] - nodes[0]) / (spread * sqrt(2 * np.pi))
    masses[[0, -1]] /= 2
    return nodes, masses
