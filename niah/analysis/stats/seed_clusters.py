"""Clusters of a night's seeds, comparable between sides: anchors and fresh seeds, tonight and last night.

Only strata (needle set, haystack, length, depth, strategy) with trials on all sides count. Scores are taken
from their stratum's mean; a cluster (needle set and seed) is the mean of its trials' deviations. Clusters of
one seed share luck, whatever their needle sets: the background begins in the same place.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from niah.analysis.stats.clusters import codes
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Key = TypeVar("_Key", bound=Hashable)
_NOTHING = 1e-9


class SeedCluster(NamedTuple):
    """Its needle set and seed, the mean of its deviations, and of how many trials."""

    needle_set: str
    seed: int
    value: float
    n: int


def scored_by_reader(records: Sequence[TrialRecord]) -> dict[str, list[TrialRecord]]:
    """Trials with a score, by reader in the order of names; a reader without any has none."""
    readers = sorted({record.reader for record in records})
    return {
        reader: [one for one in records if one.reader == reader and one.score is not None]
        for reader in readers
    }


def fresh_trials(records: Sequence[TrialRecord], anchors: Collection[int]) -> list[TrialRecord]:
    """The trials of all seeds but the anchors; questions over given documents have none."""
    return [record for record in records if record.seed is not None and record.seed not in anchors]


def _stratum(record: TrialRecord) -> Hashable:
    return (record.needle_set, record.haystack, record.context_length, record.depth, record.strategy)


def matched(sides: Sequence[Sequence[TrialRecord]]) -> list[list[SeedCluster]]:
    """The clusters of every side, from strata that all sides have."""
    common = set.intersection(*({_stratum(record) for record in side} for side in sides))
    kept = [[record for record in side if _stratum(record) in common] for side in sides]
    means = _means([(_stratum(record), score_of(record)) for side in kept for record in side])
    return [_clusters(side, means) for side in kept]


def _clusters(
    records: Sequence[TrialRecord], strata: Mapping[Hashable, tuple[float, int]]
) -> list[SeedCluster]:
    deviations = [
        ((record.needle_set or record.document_id or "", seed_of(record)), _deviation(record, strata))
        for record in records
    ]
    return [SeedCluster(*own, mean, n) for own, (mean, n) in sorted(_means(deviations).items())]


def _deviation(record: TrialRecord, strata: Mapping[Hashable, tuple[float, int]]) -> float:
    return score_of(record) - strata[_stratum(record)][0]


def _means(rows: Sequence[tuple[_Key, float]]) -> dict[_Key, tuple[float, int]]:
    groups: dict[_Key, list[float]] = {}
    for key, value in rows:
        groups.setdefault(key, []).append(value)
    return {key: (float(np.mean(values)), len(values)) for key, values in groups.items()}


def score_of(record: TrialRecord) -> float:
    """The score of a trial that has one."""
    assert record.score is not None
    return float(record.score)


def seed_of(record: TrialRecord) -> int:
    """The seed of a trial that has one."""
    assert record.seed is not None
    return record.seed


def values_and_sets(clusters: Sequence[SeedCluster]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shape (clusters,): the values; and shape (clusters, needle sets): 1 where a cluster is of the set."""
    places = codes(cluster.needle_set for cluster in clusters)
    return np.array([cluster.value for cluster in clusters]), np.eye(int(places.max()) + 1)[places]


def seed_places(clusters: Sequence[SeedCluster]) -> NDArray[np.int64]:
    """Shape (clusters,): the same number, from 0 on, for clusters of the same seed."""
    return codes(cluster.seed for cluster in clusters)


class Variance(NamedTuple):
    """Of an estimate, and with how many degrees of freedom it is known (Satterthwaite); 0 for not at all."""

    value: float
    free: float


def variance_of(
    contrast: NDArray[np.float64],
    values: NDArray[np.float64],
    fitted: NDArray[np.float64],
    seeds: NDArray[np.int64],
) -> Variance:
    """The variance of ``contrast @ values``, where clusters of one seed share luck.

    Squares of the seeds' sums of residuals, scaled to the contrast as they would be if half of a cluster's
    luck were its seed's (after Bell and McCaffrey 2002, bias-reduced linearisation). Where each seed has
    every needle set, or each has one, it does not matter how much is shared: the estimate is unbiased.

    Args:
        contrast: shape (clusters,).
        values: shape (clusters,).
        fitted: shape (clusters, means): 1 where a cluster is of one of the means that residuals are from.
        seeds: shape (clusters,), see ``seed_places``.
    """
    shared = np.eye(int(seeds.max()) + 1)[seeds]
    sums = shared.T - (shared.T @ fitted) @ np.linalg.pinv(fitted)
    expected = sums @ sums.T + (sums @ shared) @ (sums @ shared).T
    trace = float(np.trace(expected))
    if trace < _NOTHING:
        return Variance(0.0, 0.0)
    of_contrast = float(contrast @ contrast + ((contrast @ shared) ** 2).sum())
    squares = float(((sums @ values) ** 2).sum())
    return Variance(squares * of_contrast / trace, trace**2 / float((expected**2).sum()))


def around(estimate: float, variance: float, free: float) -> tuple[float, float]:
    """The 95 % interval of an estimate, by Student's t with ``free`` degrees of freedom."""
    from scipy.special import stdtrit

    reach = float(stdtrit(free, 0.975)) * sqrt(variance)
    return estimate - reach, estimate + reach
