"""Depths that fail earlier around some place of the context: in its middle, at its end.

Neighbouring depths fail together more often than each by itself. A dip lowers the depths' thresholds, as a
bell does around its place: so the depths in it speak for each other, and few trials at each of them show what
as few at one do not. Thresholds lie on a grid, so a dip moves them by whole steps of it.
"""

from __future__ import annotations

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


def dips(along: Floats, step: float) -> NDArray[np.intp]:
    """By how many steps each dip lowers the depths' thresholds: shape (dips, depths), no two alike.

    Args:
        along: shape (depths,), where in the context they lie, from 0 to 1.
        step: of the thresholds' grid, in doublings of the length.
    """
    lowered = [
        most * np.exp(-0.5 * ((along - place) / width) ** 2)
        for place, width, most in product(_PLACES, _WIDTHS, _DOUBLINGS)
    ]
    steps = np.unique(np.round(np.array(lowered) / step).astype(np.intp), axis=0)
    # What lowers all depths alike is no dip.
    found: NDArray[np.intp] = steps[np.ptp(steps, axis=1) > 0]
    return found
