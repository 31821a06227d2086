"""Clusters: trials that share luck. They are resampled, and their signs flipped, as a whole.

A trial's cluster is its needle set and seed (design, section 9): the same names and numbers, the same
background; of a question over a given document, the document. All statistics here are ratios of sums,
so that a cluster's totals are all they need.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.numbered import numbered
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Numbers drawn at once: 32 MB.
_BLOCK = 4_000_000
_KEPT = 500_000


def clusters_of(records: Sequence[TrialRecord]) -> NDArray[np.int64]:
    """Shape (n,): each record's cluster, numbered from 0."""
    return codes(map(cluster_of, records))


def cluster_of(record: TrialRecord) -> Hashable:
    """What a trial shares luck with others by: needle set and seed, or the given document."""
    return record.document_id or (record.needle_set, record.seed)


def seed_of_luck(record: TrialRecord) -> Hashable:
    """What a trial shares luck with trials of other clusters by: the seed; a given document has its own."""
    return record.document_id or record.seed


def set_of_luck(record: TrialRecord) -> Hashable:
    """What a trial's cluster is a draw of: needle set or question set."""
    return record.needle_set or record.question_set


def codes(keys: Iterable[Hashable]) -> NDArray[np.int64]:
    """Shape (n,): the keys numbered from 0, in the order of their first appearance."""
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    return np.fromiter(map(numbers.__getitem__, keys), dtype=np.int64)


def totals(clusters: ArrayLike, *columns: ArrayLike) -> NDArray[np.float64]:
    """Shape (clusters, columns): the sums of every column by cluster; clusters without any row are left out.

    Raises ValueError where lengths differ or a number is not finite.
    """
    inverse = numbered(clusters)
    return np.column_stack([_sums(inverse, np.asarray(column, dtype=np.float64)) for column in columns])


def resampled(sums: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    """Shape (draws, columns): totals over as many clusters as there are, drawn with replacement.

    Args:
        sums: shape (clusters, columns), see ``totals``.
        draws: how often.
        seed: of the draws.
    """
    count = len(sums)
    if count * draws <= _KEPT:
        return _drawn(count, draws, seed) @ sums
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [_weights(rng.integers(0, count, (block, count))) @ sums for block in _blocks(draws, count)]
    )


def flipped(sums: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    """Shape (flips, columns): totals with every cluster's sign drawn, or in all 2^clusters ways if fewer.

    A column's totals lie one after another in memory, for those who look at it alone.

    Args:
        sums: shape (clusters, columns), see ``totals``.
        draws: how often.
        seed: of the draws.
    """
    count = len(sums)
    if 2**count <= draws:
        bits = np.arange(2**count)[:, None] >> np.arange(count) & 1
        return (sums.T @ (1.0 - 2.0 * bits).T).T
    rng = np.random.default_rng(seed)
    blocks = [
        (sums.T @ (2.0 * rng.integers(0, 2, (block, count), dtype=np.int8) - 1.0).T).T
        for block in _blocks(draws, count)
    ]
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)


def _sums(inverse: NDArray[np.intp], column: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(column) != len(inverse):
        raise ValueError(f"{len(column)} values for {len(inverse)} clusters' rows.")
    if not np.isfinite(column).all():
        raise ValueError("a value is not a finite number; leave out what has none.")
    return np.bincount(inverse, weights=column).astype(np.float64)


@lru_cache(maxsize=8)
def _drawn(count: int, draws: int, seed: int) -> NDArray[np.float64]:
    """The weights of all draws at once: hundreds of means of a report have as many clusters."""
    return _weights(np.random.default_rng(seed).integers(0, count, (draws, count)))


def _weights(drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often each cluster is in each row of ``drawn``."""
    draws, count = drawn.shape
    places = (drawn + count * np.arange(draws)[:, None]).ravel()
    return np.bincount(places, minlength=draws * count).reshape(draws, count).astype(np.float64)


def _blocks(draws: int, count: int) -> Iterator[int]:
    size = max(_BLOCK // max(count, 1), 1)
    for start in range(0, draws, size):
        yield min(size, draws - start)
