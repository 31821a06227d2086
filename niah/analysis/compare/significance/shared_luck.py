"""What luck that clusters share does to the sums of a table's rows: draws of it, and their variance.

And what has been seen of the reference, which is one of the nights that tell of luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level
from niah.analysis.compare.significance.luck_estimate import LuckEstimate

if TYPE_CHECKING:
    from numpy.typing import NDArray


_LEAST_LEFT = 0.5

_BEYOND_MIDDLE, _BEYOND_FAR = 1 / 6, 0.01
"""The part of the draws above where they are measured: Student's variance may be infinite."""


@dataclass(frozen=True)
class SharedLuck:
    """Of rows, in the units of their clusters' sums.

    Attributes:
        draws: shape (draws, rows): what luck adds to each row's sum; the rows of one draw belong together.
        variance: shape (rows,): of a normal distribution that has two thirds of the draws where they are.
        clusters: shape (rows,): those that have any pair of the row.
        tail: shape (rows,): how much further out than that one's the quantile of 99 % is; at least 1.
        seen: shape (rows,): variance of each row's sum that clusters and luck have by themselves, and that
            is not there, since the reference was seen to be near the mean of all nights.
    """

    draws: NDArray[np.float64]
    variance: NDArray[np.float64]
    clusters: NDArray[np.int64]
    tail: NDArray[np.float64]
    seen: NDArray[np.float64]

    def left(self, squares: NDArray[np.float64]) -> NDArray[np.float64]:
        """The share of the variance of a row's sum, of the shape of ``squares``, that has not been seen.

        At least half: of two nights one is tonight's, of which nothing is known.
        """
        whole = squares + self.variance
        return np.asarray(np.maximum(1 - self.seen / np.where(whole > 0, whole, np.inf), _LEAST_LEFT))

    def heaviness(self, squares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much further out the tail of a row's sum is than a normal one, of the shape of ``squares``.

        Those are the variance that clusters have by themselves, whose tail is a normal one.
        """
        whole = squares + self.variance
        share = self.variance / np.where(whole > 0, whole, 1.0)
        return np.asarray(1 + (self.tail - 1) * share**2)


@dataclass(frozen=True)
class ReaderLuck:
    """What is known of one reader's luck, and whose it is.

    Attributes:
        worth: shape (n,): what a logit is worth in points; 0 for pairs of other readers and those not known.
        estimate: of its standard deviations.
    """

    worth: NDArray[np.float64]
    estimate: LuckEstimate


def row_luck(
    levels: Sequence[Level],
    readers: Sequence[ReaderLuck],
    clusters: NDArray[np.int64],
    seeds: NDArray[np.int64],
    *,
    reference_nights: int,
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
        reference_nights: how many nights' mean the reference is; so much less luck is in it.
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
        seed_scale, night_scale = reader.estimate.drawn(draws, reference_nights, rng)
        sums = _sums(levels, seeds, reader.worth)
        joint = np.concatenate([sums * of_seeds, (sums.sum(axis=1) * of_night)[:, None]], axis=1)
        lucky = np.concatenate([by_seed * seed_scale[:, None], (by_night * night_scale)[:, None]], axis=1)
        found += joint @ lucky.T
    # A row's draws lie one after another in memory: they are sorted row by row.
    return found.T


def row_seen(levels: Sequence[Level], readers: Sequence[ReaderLuck]) -> NDArray[np.float64]:
    """Shape (rows,): variance of the levels' rows' sums that is not there: the reference has been seen."""
    together = np.zeros_like(levels[0].codes)
    squares = [
        reader.estimate.seen_of_reference * _sums(levels, together, reader.worth)[:, 0] ** 2
        for reader in readers
    ]
    return np.asarray(np.sum(squares, axis=0), dtype=np.float64)


def shared_luck(
    draws: NDArray[np.float64], clusters: NDArray[np.int64], seen: NDArray[np.float64]
) -> SharedLuck | None:
    """Of all rows; None where there is no luck at all, and nothing has been seen."""
    from scipy.special import ndtri

    middle, far = np.quantile(np.abs(draws), (1 - 2 * _BEYOND_MIDDLE, 1 - 2 * _BEYOND_FAR), axis=0)
    normal_middle, normal_far = -ndtri((_BEYOND_MIDDLE, _BEYOND_FAR))
    away = middle / normal_middle
    tail = np.divide(far, away * normal_far, out=np.ones(len(away)), where=away > 0)
    if not away.any() and not seen.any():
        return None
    return SharedLuck(draws, away**2, clusters, np.maximum(tail, 1.0), seen)


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
