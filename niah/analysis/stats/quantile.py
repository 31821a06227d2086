"""Quantiles, as often as a report asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quantile(numbers: NDArray[np.float64], share: float) -> float:
    """As ``numpy.quantile``, to the last bit. A report asks thousands of times."""
    if len(numbers) == 1:
        return float(numbers[0])
    place = (len(numbers) - 1) * share
    at = min(int(place), len(numbers) - 2)
    below, above = np.partition(numbers, (at, at + 1))[at : at + 2].tolist()
    apart, way = above - below, place - at
    return float(below + apart * way if way < 0.5 else above - apart * (1 - way))
