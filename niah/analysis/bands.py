"""Bands of context length (u-niah, tables 1, 2 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import Coded

if TYPE_CHECKING:
    from numpy.typing import NDArray

BANDS = ("1-16k", "16-32k", "32-64k", "64-128k", "over 128k")

# A k is 1024 tokens, so that a band holds both ways to say its upper border: 16,000 and 16,384 tokens.
_BORDERS = np.array([16, 32, 64, 128]) * 1024


def band_places(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each length in tokens its place in ``BANDS``, shape (n,); on a border, the band below it."""
    return np.searchsorted(_BORDERS, lengths, side="left").astype(np.int64)


def bands(lengths: NDArray[np.int64]) -> Coded:
    """The band of each length in tokens, shape (n,)."""
    return Coded(band_places(lengths), BANDS)
