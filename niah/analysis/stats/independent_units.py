"""How many independent draws clusters are worth, where some of them share luck: needle sets with one seed.

The background of a seed begins in the same place for all needle sets, so a bad seed may be bad in all of
them. Then twelve clusters of four seeds are worth some number between four and twelve. The variance of the
trials' sum is taken apart as for two-way clusters (Cameron, Gelbach and Miller 2011: by cluster, and by seed,
less what both have in common), and set against that of independent clusters: a design effect (Kish 1965).
Few seeds say little about it. So it is drawn towards the middle of what is possible, as if half a seed more
had been seen that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.numbered import numbered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ASSUMED = 0.5
"""Seeds that are assumed beside those seen."""


def independent_units(
    residuals: NDArray[np.float64],
    clusters: NDArray[np.int64],
    crossed: ArrayLike,
    strata: NDArray[np.int64],
) -> int:
    """As how many clusters that share nothing they count: no more than there are, nor fewer than seeds.

    Args:
        residuals: shape (n,), of trials.
        clusters: shape (n,), numbered from 0 without gaps.
        crossed: shape (n,), what trials of different clusters share luck by: seeds. Of a single one nothing
            can be known, and all clusters count.
        strata: shape (clusters,), from whose means the residuals are, see ``strata_of``.
    """
    groups = numbered(crossed)
    count, seeds = int(clusters.max()) + 1, int(groups.max()) + 1
    most = count / seeds
    if seeds < 2 or most <= 1:
        return count
    cells = numbered(clusters * seeds + groups)
    own = _variance_of_sum(residuals, clusters, strata)
    # Where a cluster has one seed alone, it is itself the cell that it shares with that seed.
    apart = own if int(cells.max()) < count else _variance_of_sum(residuals, cells)
    shared = max(_variance_of_sum(residuals, groups) - apart, 0.0)
    seen = (own + shared) / own if own > 0 else 1.0
    effect = ((seeds - 1) * seen + _ASSUMED * (1 + most) / 2) / (seeds - 1 + _ASSUMED)
    return round(count / min(effect, most))


def strata_of(clusters: NDArray[np.int64], strata: ArrayLike | None) -> NDArray[np.int64]:
    """Shape (clusters,): each one's stratum, numbered from 0 without gaps; those of one cluster are together.

    Alone they tell nothing of how much clusters vary.

    Args:
        clusters: shape (n,), of trials, numbered from 0 without gaps.
        strata: shape (n,), in which each cluster is a draw; without, all are of one.
    """
    if strata is None:
        return np.zeros(int(clusters.max()) + 1, dtype=np.int64)
    first = np.empty(int(clusters.max()) + 1, dtype=np.intp)
    first[clusters[::-1]] = np.arange(len(clusters))[::-1]
    own = numbered(np.asarray(strata)[first])
    merged = np.where(np.bincount(own)[own] == 1, -1, own)
    return numbered(merged).astype(np.int64)


def stratum_means(values: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shape (n,): of each trial its stratum's mean; strata are numbered from 0 without gaps."""
    means: NDArray[np.float64] = np.bincount(strata, weights=values) / np.bincount(strata)
    return means[strata]


def spread_by_stratum(strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shape (clusters,): by how much squares of residuals from so few clusters' means are too small."""
    sizes = np.bincount(strata)[strata]
    spread: NDArray[np.float64] = sizes / np.maximum(sizes - 1, 1)
    return spread


def _variance_of_sum(
    residuals: NDArray[np.float64], by: NDArray[np.int64], strata: NDArray[np.int64] | None = None
) -> float:
    """With independent groups ``by``, each of one stratum."""
    sums = np.bincount(by, weights=residuals)
    every = np.zeros(len(sums), dtype=np.int64) if strata is None else strata
    return float((sums**2 * spread_by_stratum(every)).sum())
