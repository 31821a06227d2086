"""Groups numbered from 0 without gaps, in the order of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_SPARSE, _FEW = 4, 1000
"""Numbers that are spread wider than so many times their count, and so many more, are sorted."""


def numbered(names: ArrayLike) -> NDArray[np.intp]:
    """Shape (n,): of each name its place among the different ones, as ``numpy.unique``'s inverse.

    Whole numbers that lie close together, as those of clusters do, are counted and not sorted: a report asks
    thousands of times.
    """
    found = np.asarray(names)
    if found.dtype.kind == "i" and found.size:
        least = int(found.min())
        width = int(found.max()) - least + 1
        if width <= _SPARSE * found.size + _FEW:
            places = found.astype(np.int64) - least
            is_there = np.zeros(width, dtype=np.bool_)
            is_there[places] = True
            counted: NDArray[np.intp] = (np.cumsum(is_there) - 1)[places]
            return counted
    return np.unique(found, return_inverse=True)[1]
