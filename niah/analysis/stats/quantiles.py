"""Quantiles: of numbers, and Student's, each worked out once."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@lru_cache(maxsize=256)
def students_quantile(share: float, freedom: float) -> float:
    """Student's quantile, the normal one at infinity; scipy takes longer for it than for a resampling."""
    from scipy.special import (
        ndtri,
        stdtrit,
    )  # scipy.stats, which asks the same, takes half a second to import

    return float(stdtrit(freedom, share) if isfinite(freedom) else ndtri(share))


def quantile(numbers: NDArray[np.float64], share: float) -> float:
    """As ``numpy.quantile``, to the last bit. A report asks thousands of times."""
    if len(numbers) == 1:
        return float(numbers[0])
    place = (len(numbers) - 1) * share
    at = min(int(place), len(numbers) - 2)
    below, above = np.partition(numbers, (at, at + 1))[at : at + 2].tolist()
    apart, way = above - below, place - at
    return float(below + apart * way if way < 0.5 else above - apart * (1 - way))
