"""What luck that clusters share does to the sums of a table's rows: draws of it, and their variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level
from niah.analysis.compare.significance.luck_posterior import LuckPosterior

if TYPE_CHECKING:
    from numpy.typing import NDArray


_TAIL = 0.1


@dataclass(frozen=True)
class SharedLuck:
    """Of rows, in the units of their clusters' sums.

    Attributes:
        draws: shape (draws, rows): what luck adds to each row's sum; the rows of one draw belong together.
        variance: shape (rows,): of them, about 0.
        clusters: shape (rows,): those that have any pair of the row.
        kurtosis: shape (rows,): of luck, beyond a normal distribution's 0.
    """

    draws: NDArray[np.float64]
    variance: NDArray[np.float64]
    clusters: NDArray[np.int64]
    kurtosis: NDArray[np.float64]

    def heaviness(self, squares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much further out the tail of a row's sum is than a normal one, of the shape of ``squares``.

        By its excess kurtosis (Cornish and Fisher 1938), near the quantile of 99 %; ``squares`` is the
        variance that clusters have by themselves.
        """
        whole = squares + self.variance
        share = self.variance / np.where(whole > 0, whole, 1.0)
        return np.asarray(1 + _TAIL * self.kurtosis * share**2)


@dataclass(frozen=True)
class ReaderLuck:
    """What is known of one reader's luck, and whose it is.

    Attributes:
        worth: shape (n,): what a logit is worth in points; 0 for pairs of other readers and those not known.
        posterior: of its standard deviations.
    """

    worth: NDArray[np.float64]
    posterior: LuckPosterior


def row_luck(
    levels: Sequence[Level],
    readers: Sequence[ReaderLuck],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
    *,
    nights: float,
    draws: int,
    seed: int | Sequence[int],
) -> NDArray[np.float64]:
    """Shape (draws, rows): what luck adds to the sums of the levels' rows, of the difference of two nights.

    Only what it adds between clusters: what luck does to a cluster by itself is among what clusters' signs
    flip. All readers are lucky together, since they read the same.

    Args:
        levels: whose rows, one after another.
        readers: of all pairs.
        clusters, seeds: shape (n,): of the pairs; a cluster lies within a seed.
        nights: how many nights' luck is in a difference: 2, or less where the reference is a mean of several.
        draws: how many.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    count = int(seeds.max()) + 1
    by_seed, by_night = rng.normal(size=(draws, count)), rng.normal(size=draws)
    worth = np.sum([reader.worth for reader in readers], axis=0)
    first = np.zeros(int(clusters.max()) + 1, dtype=np.int64)
    first[clusters] = seeds
    within = np.zeros((sum(len(level.names) for level in levels), count))
    np.add.at(within.T, first, _sums(levels, clusters, worth).T ** 2)
    whole = _sums(levels, seeds, worth)
    of_seeds, of_night = _between(within, whole), _between(within.sum(axis=1), whole.sum(axis=1))
    found = np.zeros((len(whole), draws))
    for reader in readers:
        seed_scale, night_scale = reader.posterior.drawn(draws, rng)
        sums = _sums(levels, seeds, reader.worth)
        joint = np.concatenate([sums * of_seeds, (sums.sum(axis=1) * of_night)[:, None]], axis=1)
        lucky = np.concatenate([by_seed * seed_scale[:, None], (by_night * night_scale)[:, None]], axis=1)
        found += joint @ lucky.T
    # A row's draws lie one after another in memory: they are sorted row by row.
    return np.asarray(np.sqrt(nights) * found.T, dtype=np.float64)


def shared_luck(draws: NDArray[np.float64], clusters: NDArray[np.int64]) -> SharedLuck | None:
    """Of all rows; None where there is no luck at all."""
    squares = draws**2
    variance = squares.mean(axis=0)
    fourth = np.einsum("ij,ij->j", squares, squares) / len(draws)
    kurtosis = np.divide(fourth, variance**2, out=np.full(len(variance), 3.0), where=variance > 0) - 3
    return SharedLuck(draws, variance, clusters, np.maximum(kurtosis, 0.0)) if variance.any() else None


def _between(within: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """The root of the share of a sum's square that lies between clusters."""
    square = whole**2
    share = np.divide(square - within, np.where(square > 0, square, 1.0))
    return np.asarray(np.sqrt(np.clip(share, 0.0, 1.0)), dtype=np.float64)


def _sums(
    levels: Sequence[Level], groups: NDArray[np.int64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shape (rows, groups), of all levels' rows, one level after another."""
    width = int(groups.max()) + 1
    found = (
        np.bincount(level.codes * width + groups, values, minlength=len(level.names) * width)
        for level in levels
    )
    return np.concatenate([each.reshape(-1, width) for each in found])
