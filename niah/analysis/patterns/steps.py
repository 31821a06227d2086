"""Thresholds: where a behaviour steps up, beyond a mean for each stratum.

The model is y = mean of the stratum + step * [x > threshold]. Its least-squares gain at a threshold is
sum(y~ d~)^2 / sum(d~^2), where d = [x > threshold] and ~ takes the stratum's mean out: for a single stratum
the criterion of a regression tree's split. Both sums are sums over strata, so they are tabulated once, by
stratum and bin, for every threshold and every resample of the clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import resampled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_CUTS = 96
LEAST_SHARE = 0.05
"""Of the rows, on either side of a cut."""


@dataclass(frozen=True)
class StepTable:
    """Rows by stratum and bin; the bins lie between cuts.

    Attributes:
        cuts: shape (cuts,), rising; each halfway between neighbouring values of x.
        counts: shape (strata, cuts + 1), rows.
        sums: the same shape, sums of y with the stratum's mean taken out.
        cluster: shape (strata,), rising.
        allowed: shape (cuts,), whether both sides have at least 5 % of the rows.
    """

    cuts: NDArray[np.float64]
    counts: NDArray[np.float64]
    sums: NDArray[np.float64]
    cluster: NDArray[np.int64]
    allowed: NDArray[np.bool_]

    def select(self, strata: NDArray[np.bool_]) -> StepTable:
        """The rows of some strata."""
        return StepTable(
            self.cuts, self.counts[strata], self.sums[strata], self.cluster[strata], self.allowed
        )


def step_table(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    strata: NDArray[np.int64],
    cluster: NDArray[np.int64],
    cuts: NDArray[np.float64],
) -> StepTable:
    """Tabulate rows; all arrays of rows have shape (n,). Strata are numbered by cluster, without gaps."""
    bins = len(cuts) + 1
    count = int(strata.max()) + 1
    places = strata * bins + np.searchsorted(cuts, x, side="left")
    counts = np.bincount(places, minlength=count * bins).reshape(count, bins).astype(np.float64)
    sums = np.bincount(places, weights=centred(y, strata), minlength=count * bins)
    first = np.unique(strata, return_index=True)[1]
    above = counts.sum(axis=0)[::-1].cumsum()[::-1][1:]
    share = above / len(x)
    allowed = (share >= LEAST_SHARE) & (share <= 1 - LEAST_SHARE)
    return StepTable(cuts, counts, sums.reshape(count, bins).astype(np.float64), cluster[first], allowed)


def cuts_between(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cuts halfway between neighbouring values; where there are too many, those at even steps of rank."""
    values, counts = np.unique(x, return_counts=True)
    cuts = (values[1:] + values[:-1]) / 2
    if len(cuts) <= _MOST_CUTS:
        return cuts
    ranks = np.cumsum(counts)[:-1] / len(x)
    chosen = np.searchsorted(ranks, np.linspace(0, 1, _MOST_CUTS + 2)[1:-1])
    spread: NDArray[np.float64] = cuts[np.unique(np.minimum(chosen, len(cuts) - 1))]
    return spread


def scores(table: StepTable) -> NDArray[np.float64]:
    """Shape (clusters, cuts): each cluster's part of sum(y~ d~)."""
    return _by_cluster(table, _above(table.sums))


def spreads(table: StepTable) -> NDArray[np.float64]:
    """Shape (clusters, cuts): each cluster's part of sum(d~^2)."""
    above = _above(table.counts)
    sizes = table.counts.sum(axis=1, keepdims=True)
    parts: NDArray[np.float64] = above - above**2 / sizes
    return _by_cluster(table, parts)


def gains(score: NDArray[np.float64], spread: NDArray[np.float64], rising: bool) -> NDArray[np.float64]:
    """Squares explained by a step at each cut; none by one that falls, if it must rise."""
    kept = np.maximum(score, 0) if rising else score
    gain: NDArray[np.float64] = kept**2 / np.where(spread > 0, spread, np.inf)
    return gain


def threshold_interval(
    score: NDArray[np.float64],
    spread: NDArray[np.float64],
    cuts: NDArray[np.float64],
    *,
    rising: bool,
    draws: int,
    seed: int,
) -> tuple[float, float]:
    """95 % of the best cuts in bootstrap draws; scores and spreads have shape (clusters, cuts)."""
    drawn = resampled(np.hstack([score, spread]), draws, seed)
    best = gains(drawn[:, : len(cuts)], drawn[:, len(cuts) :], rising).argmax(axis=1)
    low, high = np.quantile(cuts[best], (0.025, 0.975))
    return float(low), float(high)


def _above(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over the bins above each cut."""
    above: NDArray[np.float64] = table[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    return above


def _by_cluster(table: StepTable, parts: NDArray[np.float64]) -> NDArray[np.float64]:
    starts = np.unique(table.cluster, return_index=True)[1]
    sums: NDArray[np.float64] = np.add.reduceat(parts, starts, axis=0)
    return sums


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
