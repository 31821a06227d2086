"""Anchor seeds against fresh ones: has a model seen the anchors, and did the model or the facts change?

A seed draws names, numbers and background. Before a model has seen any of them, anchors and fresh seeds of
one needle set are alike: any of its seeds could as well have been the anchor. That is what is tested.

Only strata (needle set, haystack, length, depth, strategy) with trials on all sides count. Scores are taken
from their stratum's mean; a cluster (needle set and seed) is the mean of its trials' deviations. Let a_g, f_g
and f'_g be the means over the A_g, F_g and F'_g clusters of needle set g for anchors tonight, fresh seeds
tonight and fresh seeds last night:

    contamination = sum_g w_g (a_g - f_g) / sum_g w_g,     w_g = A_g F_g / (A_g + F_g)
    drift         = mean over pairs of anchor trials of (tonight - last night)
    novelty       = mean_g ((f_g - f'_g) - d_g),           d_g the change of the anchors' clusters
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from niah.analysis.bootstrap import Interval, paired_difference
from niah.analysis.clusters import clusters_of, codes
from niah.analysis.corrections import holm
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALPHA = 0.05
_SLACK = 1e-9
_DRAWS = 9999
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True)
class Contamination:
    """Whether a reader is better at anchors than at fresh seeds.

    Attributes:
        difference: mean score of anchors minus fresh seeds; None where nothing can be compared.
        low, high: 95 % interval by Student's t over clusters; None with too few of them.
        p: of anchors no better than fresh seeds, which are anchors being drawn anew within needle sets.
        p_adjusted: for the number of readers (Holm).
        least_p: what p can be at best with so few clusters; where it is above 5 % nothing can be flagged.
        anchors, fresh: how many clusters.
        n: trials that were compared.
    """

    reader: str
    difference: float | None
    low: float | None
    high: float | None
    p: float
    p_adjusted: float
    least_p: float
    anchors: int
    fresh: int
    n: int

    @property
    def flagged(self) -> bool:
        """Possibly contaminated: better at what it may have seen."""
        return self.p_adjusted <= ALPHA


@dataclass(frozen=True)
class Drift:
    """How a reader changed from one night to the next, and how the facts did.

    Attributes:
        drift: change of the anchors; None without a pair of trials.
        novelty: change of the fresh seeds beyond the anchors' change; None where a side is missing.
        low, high: 95 % interval of the novelty (Welch and Satterthwaite); None with too few clusters.
        p: of no novelty, two-sided; 1 without an interval.
    """

    reader: str
    drift: Interval | None
    novelty: float | None
    low: float | None
    high: float | None
    p: float


def contamination(
    records: Sequence[TrialRecord], anchors: Collection[int], *, seed: int = 0
) -> list[Contamination]:
    """One row for each reader, by name, from a night's scored trials; ``anchors`` are the anchor seeds."""
    tables = {
        reader: _matched([[one for one in own if one.seed in anchors], _fresh(own, anchors)])
        for reader, own in _by_reader(records).items()
    }
    found = {reader: _compared(*sides, seed=seed) for reader, sides in tables.items()}
    adjusted = holm([one.p for one in found.values()])
    return [
        Contamination(
            reader,
            one.difference,
            one.low,
            one.high,
            one.p,
            float(p),
            one.least_p,
            len(tables[reader][0]),
            len(tables[reader][1]),
            sum(cluster.n for side in tables[reader] for cluster in side),
        )
        for (reader, one), p in zip(found.items(), adjusted, strict=True)
    ]


def drift_and_novelty(
    tonight: Sequence[TrialRecord], last_night: Sequence[TrialRecord], anchors: Collection[int]
) -> list[Drift]:
    """One row for each reader that is in both nights, by name."""
    now, before = _by_reader(tonight), _by_reader(last_night)
    return [_drift(reader, now[reader], before[reader], anchors) for reader in now if reader in before]


class _Cluster(NamedTuple):
    """Its needle set, the mean of its deviations, and of how many trials."""

    needle_set: str
    value: float
    n: int


class _Comparison(NamedTuple):
    difference: float | None
    low: float | None
    high: float | None
    p: float
    least_p: float


def _by_reader(records: Sequence[TrialRecord]) -> dict[str, list[TrialRecord]]:
    readers = sorted({record.reader for record in records})
    return {
        reader: [one for one in records if one.reader == reader and one.score is not None]
        for reader in readers
    }


def _fresh(records: Sequence[TrialRecord], anchors: Collection[int]) -> list[TrialRecord]:
    return [record for record in records if record.seed not in anchors]


def _stratum(record: TrialRecord) -> Hashable:
    return (record.needle_set, record.haystack, record.context_length, record.depth, record.strategy)


def _matched(sides: Sequence[Sequence[TrialRecord]]) -> list[list[_Cluster]]:
    """The clusters of every side, from strata that all sides have."""
    common = set.intersection(*({_stratum(record) for record in side} for side in sides))
    kept = [[record for record in side if _stratum(record) in common] for side in sides]
    means = _means([(_stratum(record), _score(record)) for side in kept for record in side])
    return [_clusters(side, means) for side in kept]


def _clusters(records: Sequence[TrialRecord], strata: Mapping[Hashable, tuple[float, int]]) -> list[_Cluster]:
    deviations = [
        ((record.needle_set, record.seed), _score(record) - strata[_stratum(record)][0]) for record in records
    ]
    return [_Cluster(name, mean, n) for (name, _), (mean, n) in sorted(_means(deviations).items())]


def _means(rows: Sequence[tuple[_Key, float]]) -> dict[_Key, tuple[float, int]]:
    groups: dict[_Key, list[float]] = {}
    for key, value in rows:
        groups.setdefault(key, []).append(value)
    return {key: (float(np.mean(values)), len(values)) for key, values in groups.items()}


def _score(record: TrialRecord) -> float:
    assert record.score is not None
    return float(record.score)


def _compared(anchors: Sequence[_Cluster], fresh: Sequence[_Cluster], *, seed: int) -> _Comparison:
    """Anchors minus fresh seeds within needle sets, by permutation and by Student's t."""
    if not anchors:
        return _Comparison(None, None, None, 1.0, 1.0)
    values, sets = _values([*anchors, *fresh])
    labels = np.repeat([1.0, 0.0], [len(anchors), len(fresh)])
    difference = float(_difference(labels[None], values, sets)[0])
    drawn = _labels(labels, sets, seed)
    reached = int((_difference(drawn, values, sets) >= difference - _SLACK).sum())
    exact = _ways(labels, sets) <= _DRAWS
    p = reached / len(drawn) if exact else (reached + 1) / (len(drawn) + 1)
    least = 1 / len(drawn) if exact else 1 / (len(drawn) + 1)
    return _Comparison(difference, *_interval(difference, labels, values, sets), p, least)


def _values(clusters: Sequence[_Cluster]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shape (clusters,): the values; and shape (clusters, needle sets): 1 where a cluster is of the set."""
    places = codes(cluster.needle_set for cluster in clusters)
    return np.array([cluster.value for cluster in clusters]), np.eye(int(places.max()) + 1)[places]


def _weights(labels: NDArray[np.float64], sets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (needle sets,): w_g."""
    anchors = labels @ sets
    weights: NDArray[np.float64] = anchors * (sets.sum(axis=0) - anchors) / sets.sum(axis=0)
    return weights


def _difference(
    labels: NDArray[np.float64], values: NDArray[np.float64], sets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shape (draws,): for rows of labels (1 for an anchor), all with as many anchors in each needle set."""
    anchors = labels[0] @ sets
    above = (labels * values) @ sets
    gaps = above / anchors - (values @ sets - above) / (sets.sum(axis=0) - anchors)
    weights = _weights(labels[0], sets)
    differences: NDArray[np.float64] = gaps @ weights / weights.sum()
    return differences


def _ways(labels: NDArray[np.float64], sets: NDArray[np.float64]) -> int:
    return prod(comb(int(one.sum()), int(labels @ one)) for one in sets.T)


def _labels(labels: NDArray[np.float64], sets: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Shape (draws, clusters): anchors drawn anew within needle sets, in all ways where they are few."""
    members = [np.flatnonzero(one) for one in sets.T]
    if _ways(labels, sets) <= _DRAWS:
        chosen = product(*(combinations(places, int(labels[places].sum())) for places in members))
        rows = [np.isin(np.arange(len(labels)), np.concatenate(one)) for one in chosen]
        return np.array(rows, dtype=np.float64)
    rng, drawn = np.random.default_rng(seed), np.tile(labels, (_DRAWS, 1))
    for places in members:
        drawn[:, places] = rng.permuted(drawn[:, places], axis=1)
    return drawn


def _interval(
    difference: float, labels: NDArray[np.float64], values: NDArray[np.float64], sets: NDArray[np.float64]
) -> tuple[float | None, float | None]:
    """By least squares of clusters with needle sets as fixed effects."""
    free = len(values) - sets.shape[1] - 1
    if free < 1:
        return None, None
    centred = values - sets @ ((values @ sets) / sets.sum(axis=0))
    sides = labels - sets @ ((labels @ sets) / sets.sum(axis=0))
    variance = ((centred - difference * sides) ** 2).sum() / free / _weights(labels, sets).sum()
    return _around(difference, float(variance), free)


def _around(estimate: float, variance: float, free: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    reach = float(stdtrit(free, 0.975)) * sqrt(variance)
    return estimate - reach, estimate + reach


def _drift(
    reader: str, now: Sequence[TrialRecord], before: Sequence[TrialRecord], anchors: Collection[int]
) -> Drift:
    earlier = {_pair(record): record for record in before if record.seed in anchors}
    paired = [record for record in now if record.seed in anchors and _pair(record) in earlier]
    partners = [earlier[_pair(record)] for record in paired]
    if not paired:
        return Drift(reader, None, None, None, None, 1.0)
    drift = paired_difference(
        [_score(record) for record in paired], [_score(record) for record in partners], clusters_of(paired)
    )
    sides = _matched([paired, partners, _fresh(now, anchors), _fresh(before, anchors)])
    return Drift(reader, drift, *_novelty(*sides))


def _pair(record: TrialRecord) -> tuple[str, str, int]:
    return record.case_id, record.strategy, record.repeat


def _novelty(
    anchors: Sequence[_Cluster],
    anchors_before: Sequence[_Cluster],
    fresh: Sequence[_Cluster],
    fresh_before: Sequence[_Cluster],
) -> tuple[float | None, float | None, float | None, float]:
    """Estimate, interval and p; needle sets count the same."""
    if not anchors:
        return None, None, None, 1.0
    changes = [
        now._replace(value=now.value - then.value) for now, then in zip(anchors, anchors_before, strict=True)
    ]
    change, new, old = (_spread(side) for side in (changes, fresh, fresh_before))
    estimate = float(np.mean(new.means - old.means - change.means))
    levels = (new, old, _spread(anchors))
    free = (sum(side.free for side in levels), change.free)
    if not all(free):
        return estimate, None, None, 1.0
    square = sum(side.squares for side in levels) / free[0]
    count = len(new.means) ** 2
    parts = (
        square * float((1 / new.counts + 1 / old.counts).sum()) / count,
        change.squares / free[1] * float((1 / change.counts).sum()) / count,
    )
    return estimate, *_welch(estimate, parts, free)


class _Spread(NamedTuple):
    """By needle set, means and counts of clusters; and squared deviations with their degrees of freedom."""

    means: NDArray[np.float64]
    counts: NDArray[np.float64]
    squares: float
    free: int


def _spread(side: Sequence[_Cluster]) -> _Spread:
    values, sets = _values(side)
    counts = sets.sum(axis=0)
    means = (values @ sets) / counts
    return _Spread(means, counts, float(((values - sets @ means) ** 2).sum()), len(values) - len(counts))


def _welch(estimate: float, parts: tuple[float, float], free: tuple[int, int]) -> tuple[float, float, float]:
    """Interval and two-sided p, with Satterthwaite's degrees of freedom."""
    from scipy.special import stdtr

    variance = sum(parts)
    if variance == 0:
        return estimate, estimate, float(estimate == 0)
    degrees = variance**2 / sum(part**2 / own for part, own in zip(parts, free, strict=True))
    p = 2 * float(stdtr(degrees, -abs(estimate) / sqrt(variance)))
    return *_around(estimate, variance, degrees), p
