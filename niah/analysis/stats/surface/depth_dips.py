"""Depths that fail earlier: around some place of the context, or one alone.

Neighbouring depths fail together more often than each by itself. A dip lowers the depths' thresholds, as a
bell does around its place: so the depths in it speak for each other, and few trials at each of them show what
as few at one do not. And one depth may fail early while its neighbours stand. Thresholds lie on a grid, so a
dip moves them by whole steps of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.surface.weight_table import WeightTable

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


NO_DIPS = WeightTable((0, 0, 0, 0), np.zeros(0))
"""The table where no dip is looked for."""


class Dips(NamedTuple):
    """All dips there may be.

    Attributes:
        lowered: shape (dips, depths), by how many steps each lowers the depths' thresholds.
        shares: shape (dips,), how probable each is.
        distinct: the rows of ``lowered`` that differ, in the order of the first depth, the second ...
        at: shape (dips,), which of them each dip is.
        as_before: of each how many depths, from the first on, it lowers as the one before it does.
    """

    lowered: NDArray[np.intp]
    shares: Floats
    distinct: list[list[int]]
    at: NDArray[np.intp]
    as_before: list[int]


@lru_cache(maxsize=8)
def dips(along: tuple[float, ...], step: float) -> Dips:
    """Of depths that lie ``along`` the context, from 0 to 1.

    Args:
        along: where in the context the depths lie.
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
    lowered = np.concatenate(kinds)
    distinct, at = np.unique(lowered, axis=0, return_inverse=True)
    # No dip lowers by less than nothing: the first has nothing in common with the one before it.
    before = np.vstack([np.full((1, len(along)), -1), distinct])[: len(distinct)]
    same = np.cumprod(distinct == before, axis=1).sum(axis=1)
    return Dips(lowered, np.concatenate(shares), distinct.tolist(), at, same.tolist())


def _distinct(lowered: Floats) -> NDArray[np.intp]:
    """In whole steps, no two alike."""
    steps = np.unique(np.round(lowered).astype(np.intp), axis=0)
    # What lowers all depths alike is no dip.
    found: NDArray[np.intp] = steps[np.ptp(steps, axis=1) > 0]
    return found


def dip_table(around: Floats, known: Dips, prior: Floats) -> WeightTable:
    """Weights of shape (dips, means, spreads, falls), where there is a dip.

    A weight is a product over the depths. All are summed, and known only where one is drawn.

    Args:
        around: shape (depths, thresholds, spreads, falls), how likely each depth's trials are with its
            threshold around each of these, every other of which is a mean.
        known: the dips.
        prior: shape (falls,), of each combination of what is not of dips.
    """
    means = np.arange(0, around.shape[1], 2)
    totals = _totals(around, known, prior)[known.at] * known.shares[:, None, None]

    def weights_of(rows: NDArray[np.intp]) -> Floats:
        dip, mean, spread = np.unravel_index(rows, totals.shape)
        found = known.shares[dip, None] * prior
        for depth, lowered in zip(around, known.lowered.T, strict=True):
            found *= depth[np.maximum(means[mean] - lowered[dip], 0), spread]
        return found

    return WeightTable((*totals.shape, len(prior)), totals.ravel(), weights_of)


def _totals(around: Floats, known: Dips, prior: Floats) -> Floats:
    """Shape (distinct dips, means, spreads): sums over falls of products over the depths.

    A dip takes over the product as far as it lowers the depths as the one before it. What a dip would move
    off the thresholds stays at their end.
    """
    depths, thresholds, spreads, falls = around.shape
    means, most = (thresholds + 1) // 2, known.lowered.max(initial=0)
    ends, row = (most + 1) // 2, spreads * falls
    # Even thresholds, then odd ones, with the first as often again as dips reach beyond it: each depth
    # lowered by so many steps is one block of them.
    order = np.maximum(2 * np.arange(-ends, means) + np.array([[0], [1]]), 0)
    lines = around[:, np.minimum(order, thresholds - 1)].reshape(depths, 2, -1)
    starts = [(steps % 2, (ends - (steps + 1) // 2) * row) for steps in range(most + 1)]
    blocks = [[line[odd, start : start + means * row] for odd, start in starts] for line in lines]
    products = list(np.empty((depths, means * row)))
    products[0][:] = np.tile(prior, means * spreads)
    rows = means * spreads, falls
    totals = np.empty((len(known.distinct), means, spreads))
    for total, lowered, same in zip(totals, known.distinct, known.as_before, strict=True):
        for depth in range(same, depths - 1):
            np.multiply(products[depth], blocks[depth][lowered[depth]], out=products[depth + 1])
        last = blocks[-1][lowered[-1]]
        total.flat = np.vecdot(products[-1].reshape(rows), last.reshape(rows))
    return totals
