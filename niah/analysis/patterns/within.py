"""Comparisons within strata: what is left of a behaviour once strata's means are taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def centred(values: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shape (n,): values minus their stratum's mean; strata are numbered from 0, without gaps."""
    sizes = np.bincount(strata)
    centred: NDArray[np.float64] = values - (np.bincount(strata, weights=values) / sizes)[strata]
    return centred


def varied(values: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Shape (n,): whether the row's stratum has more than one value."""
    count = int(strata.max(initial=-1)) + 1
    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, strata, values)
    np.maximum.at(most, strata, values)
    varied: NDArray[np.bool_] = (least < most)[strata]
    return varied


def renumbered(strata: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same strata, in the same order, numbered from 0 without gaps."""
    return np.unique(strata, return_inverse=True)[1].astype(np.int64)


def without(values: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """``values`` minus their projection on ``other``: what they say beyond it (Frisch, Waugh and Lovell)."""
    square = float(other @ other)
    return values - (float(values @ other) / square) * other if square > 0 else values
