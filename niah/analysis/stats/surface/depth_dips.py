"""Depths that fail earlier: around some place of the context, or one alone.

Neighbouring depths fail together more often than each by itself. A dip lowers the depths' thresholds, as a
bell does around its place: so the depths in it speak for each other, and few trials at each of them show what
as few at one do not. And one depth may fail early while its neighbours stand. Thresholds lie on a grid, so a
dip moves them by whole steps of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of the context, from its beginning."""
_WIDTHS = (0.12, 0.25, 0.45)
"""The bell's standard deviation, of the context: from a depth of eleven and its neighbours to half of all."""
_DOUBLINGS = (1.0, 2.0, 3.0)
"""By how much the threshold is lower at a dip's place."""
_ALONE = 0.3
"""How probable it is, beforehand, that a dip is of one depth alone."""


@lru_cache(maxsize=8)
def dips(along: tuple[float, ...], step: float) -> tuple[NDArray[np.intp], Floats]:
    """By how many steps each dip lowers the depths' thresholds, shape (dips, depths); how probable each is.

    Args:
        along: where in the context the depths lie, from 0 to 1.
        step: of the thresholds' grid, in doublings of the length.
    """
    bells = [
        most * np.exp(-0.5 * ((np.array(along) - place) / width) ** 2)
        for place, width, most in product(_PLACES, _WIDTHS, _DOUBLINGS)
    ]
    singles = [most * alone for alone, most in product(np.eye(len(along)), _DOUBLINGS)]
    kinds = [_distinct(np.array(lowered) / step) for lowered in (bells, singles)]
    shares = [
        np.full(len(kind), share / max(len(kind), 1))
        for kind, share in zip(kinds, (1 - _ALONE, _ALONE), strict=True)
    ]
    return np.concatenate(kinds), np.concatenate(shares)


def _distinct(lowered: Floats) -> NDArray[np.intp]:
    """In whole steps, no two alike."""
    steps = np.unique(np.round(lowered).astype(np.intp), axis=0)
    # What lowers all depths alike is no dip.
    found: NDArray[np.intp] = steps[np.ptp(steps, axis=1) > 0]
    return found
