"""Anchor seeds against fresh ones: has a model seen the anchors?

A seed draws names, numbers and background. Before a model has seen any of them, anchors and fresh seeds that
were asked of the same needle sets are alike: any of them could as well have been the anchor. That is what is
tested: whole seeds change sides, with all their needle sets, since these share the seed's luck. With a_g and
f_g the means over the A_g and F_g clusters of needle set g (``niah.analysis.stats.seed_clusters``):

    contamination = sum_g w_g (a_g - f_g) / sum_g w_g,     w_g = A_g F_g / (A_g + F_g)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from niah.analysis.stats.corrections import holm
from niah.analysis.stats.seed_clusters import (
    SeedCluster,
    around,
    fresh_trials,
    matched,
    scored_by_reader,
    seed_places,
    values_and_sets,
    variance_of,
)
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

Suspicion = Literal["possibly contaminated", "not found", "too few to tell"]

_ALPHA = 0.05
_SLACK = 1e-9
_DRAWS = 9999


@dataclass(frozen=True)
class Contamination:
    """Whether a reader is better at anchors than at fresh seeds.

    Attributes:
        difference: mean score of anchors minus fresh seeds; None where nothing can be compared.
        low, high: 95 % interval by Student's t over seeds; None with too few of them.
        p: of anchors no better than fresh seeds: anchors are drawn anew among seeds of the same needle sets.
        p_adjusted: for the number of readers (Holm).
        least_p: what ``p_adjusted`` can be at best with so few seeds.
        anchors, fresh: how many seeds.
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
        return self.p_adjusted <= _ALPHA

    @property
    def suspicion(self) -> Suspicion:
        """Whether it is flagged; where no difference, however large, would be, nothing is said."""
        if self.flagged:
            return "possibly contaminated"
        return "too few to tell" if self.least_p > _ALPHA else "not found"


def contamination(
    records: Sequence[TrialRecord], anchors: Collection[int], *, seed: int = 0
) -> list[Contamination]:
    """One row for each reader, by name, from a night's scored trials; ``anchors`` are the anchor seeds."""
    tables = {
        reader: matched([[one for one in own if one.seed in anchors], fresh_trials(own, anchors)])
        for reader, own in scored_by_reader(records).items()
    }
    found = {reader: _compared(*sides, seed=seed) for reader, sides in tables.items()}
    adjusted = holm([one.p for one in found.values()])
    least = holm([one.least_p for one in found.values()])
    return [
        Contamination(
            reader,
            one.difference,
            one.low,
            one.high,
            one.p,
            float(p),
            float(least_p),
            len(set(seed_places(tables[reader][0]))),
            len(set(seed_places(tables[reader][1]))),
            sum(cluster.n for side in tables[reader] for cluster in side),
        )
        for (reader, one), p, least_p in zip(found.items(), adjusted, least, strict=True)
    ]


class _Comparison(NamedTuple):
    difference: float | None
    low: float | None
    high: float | None
    p: float
    least_p: float


def _compared(anchors: Sequence[SeedCluster], fresh: Sequence[SeedCluster], *, seed: int) -> _Comparison:
    """Anchors minus fresh seeds within needle sets, by permutation and by Student's t."""
    if not anchors:
        return _Comparison(None, None, None, 1.0, 1.0)
    clusters = [*anchors, *fresh]
    values, sets = values_and_sets(clusters)
    labels, seeds = np.repeat([1.0, 0.0], [len(anchors), len(fresh)]), seed_places(clusters)
    difference = float(_difference(labels[None], values, sets)[0])
    groups = _alike(labels, sets, seeds)
    drawn = _labels(groups, seed)[:, seeds]
    reached = int((_difference(drawn, values, sets) >= difference - _SLACK).sum())
    exact = _ways(groups) <= _DRAWS
    p = reached / len(drawn) if exact else (reached + 1) / (len(drawn) + 1)
    least = 1 / len(drawn) if exact else 1 / (len(drawn) + 1)
    return _Comparison(difference, *_interval(difference, labels, values, sets, seeds), p, least)


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


class _Alike(NamedTuple):
    """Seeds that were asked of the same needle sets; shape (seeds,), with 1 for an anchor."""

    seeds: NDArray[np.intp]
    labels: NDArray[np.float64]


def _alike(labels: NDArray[np.float64], sets: NDArray[np.float64], seeds: NDArray[np.int64]) -> list[_Alike]:
    """The groups in which each seed could as well have been an anchor."""
    first = np.unique(seeds, return_index=True)[1]
    asked = np.zeros((len(first), sets.shape[1]))
    np.maximum.at(asked, seeds, sets)
    group = np.unique(asked, axis=0, return_inverse=True)[1].ravel()
    members = [np.flatnonzero(group == one) for one in range(int(group.max()) + 1)]
    return [_Alike(own, labels[first[own]]) for own in members]


def _ways(groups: Sequence[_Alike]) -> int:
    return prod(comb(len(own.labels), int(own.labels.sum())) for own in groups)


def _labels(groups: Sequence[_Alike], seed: int) -> NDArray[np.float64]:
    """Shape (draws, seeds): anchors drawn anew within groups, in all ways where they are few."""
    exact, rng = _ways(groups) <= _DRAWS, np.random.default_rng(seed)
    drawn = np.empty((_ways(groups) if exact else _DRAWS, sum(len(own.labels) for own in groups)))
    repeated = 1
    for own in groups:
        if exact:
            ways = _each_way(own.labels)
            drawn[:, own.seeds] = np.resize(np.repeat(ways, repeated, axis=0), drawn[:, own.seeds].shape)
            repeated *= len(ways)
        else:
            drawn[:, own.seeds] = rng.permuted(np.tile(own.labels, (_DRAWS, 1)), axis=1)
    return drawn


def _each_way(labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (ways, seeds): as many anchors as there are, in all ways."""
    chosen = list(combinations(range(len(labels)), int(labels.sum())))
    ways = np.zeros((len(chosen), len(labels)))
    ways[np.arange(len(chosen))[:, None], np.array(chosen, dtype=np.intp)] = 1
    return ways


def _interval(
    difference: float,
    labels: NDArray[np.float64],
    values: NDArray[np.float64],
    sets: NDArray[np.float64],
    seeds: NDArray[np.int64],
) -> tuple[float | None, float | None]:
    """By least squares of clusters with needle sets as fixed effects."""
    sides = labels - sets @ ((labels @ sets) / sets.sum(axis=0))
    contrast = sides / _weights(labels, sets).sum()
    variance = variance_of(contrast, values, np.column_stack([sets, labels]), seeds)
    return around(difference, *variance) if variance.free else (None, None)
