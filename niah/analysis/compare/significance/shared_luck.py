"""What luck that clusters share does to the sums of a table's rows: draws of it, and their variance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level
from niah.analysis.compare.significance.luck_posterior import LuckPosterior

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class SharedLuck:
    """Of rows, in the units of their clusters' sums.

    Attributes:
        draws: shape (draws, rows): what luck adds to each row's sum; the rows of one draw belong together.
        variance: shape (rows,): of them, about 0.
        clusters: shape (rows,): those that have any pair of the row.
    """

    draws: NDArray[np.float64]
    variance: NDArray[np.float64]
    clusters: NDArray[np.int64]


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
    level: Level,
    readers: Sequence[ReaderLuck],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
    *,
    nights: float,
    draws: int,
    seed: int | Sequence[int],
) -> NDArray[np.float64]:
    """Shape (draws, rows): what luck adds to the sums of a level's rows, of the difference of two nights.

    Only what it adds between clusters: what luck does to a cluster by itself is among what clusters' signs
    flip. All readers are lucky together, since they read the same. The same ``seed`` draws the same luck for
    every level.

    Args:
        level: whose rows.
        readers: of all pairs.
        clusters, seeds: shape (n,): of the pairs; a cluster lies within a seed.
        nights: how many nights' luck is in a difference: 2, or less where the reference is a mean of several.
        draws: how many.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    count, rows = int(seeds.max()) + 1, len(level.names)
    by_seed, by_night = rng.normal(size=(draws, count)), rng.normal(size=draws)
    worth = np.sum([reader.worth for reader in readers], axis=0)
    cells = _sums(level.codes, clusters, worth, rows)
    within = np.zeros((rows, count))
    first = np.zeros(cells.shape[1], dtype=np.int64)
    first[clusters] = seeds
    np.add.at(within.T, first, cells.T**2)
    whole = _sums(level.codes, seeds, worth, rows)
    of_seeds, of_night = _between(within, whole), _between(within.sum(axis=1), whole.sum(axis=1))
    found = np.zeros((draws, rows))
    for reader in readers:
        seed_scale, night_scale = reader.posterior.drawn(draws, rng)
        sums = _sums(level.codes, seeds, reader.worth, rows)
        found += (by_seed * seed_scale[:, None]) @ (sums * of_seeds).T
        found += (by_night * night_scale)[:, None] * (sums.sum(axis=1) * of_night)
    return np.asarray(np.sqrt(nights) * found, dtype=np.float64)


def shared_luck(draws: Iterable[NDArray[np.float64]], clusters: NDArray[np.int64]) -> SharedLuck | None:
    """Of the rows of several levels, one after another; None where there is no luck at all."""
    every = np.concatenate(list(draws), axis=1)
    variance = np.einsum("ij,ij->j", every, every) / len(every)
    return SharedLuck(every, variance, clusters) if variance.any() else None


def _between(within: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """The root of the share of a sum's square that lies between clusters."""
    square = whole**2
    share = np.divide(square - within, np.where(square > 0, square, 1.0))
    return np.asarray(np.sqrt(np.clip(share, 0.0, 1.0)), dtype=np.float64)


def _sums(
    rows: NDArray[np.int64], groups: NDArray[np.int64], values: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Shape (rows, groups)."""
    width = int(groups.max()) + 1
    found = np.bincount(rows * width + groups, values, minlength=count * width)
    return found.reshape(count, width).astype(np.float64)
