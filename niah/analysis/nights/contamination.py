"""Anchor seeds against fresh ones: has a model seen the anchors?

A seed draws names, numbers and background. Before a model has seen any of them, anchors and fresh seeds of
one needle set are alike: any of its seeds could as well have been the anchor. That is what is tested. With
a_g and f_g the means over the A_g and F_g clusters of needle set g (``niah.analysis.stats.seed_clusters``):

    contamination = sum_g w_g (a_g - f_g) / sum_g w_g,     w_g = A_g F_g / (A_g + F_g)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.corrections import holm
from niah.analysis.stats.seed_clusters import (
    SeedCluster,
    around,
    fresh_trials,
    matched,
    scored_by_reader,
    values_and_sets,
)
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ALPHA = 0.05
_SLACK = 1e-9
_DRAWS = 9999


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
        return self.p_adjusted <= _ALPHA


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
    values, sets = values_and_sets([*anchors, *fresh])
    labels = np.repeat([1.0, 0.0], [len(anchors), len(fresh)])
    difference = float(_difference(labels[None], values, sets)[0])
    drawn = _labels(labels, sets, seed)
    reached = int((_difference(drawn, values, sets) >= difference - _SLACK).sum())
    exact = _ways(labels, sets) <= _DRAWS
    p = reached / len(drawn) if exact else (reached + 1) / (len(drawn) + 1)
    least = 1 / len(drawn) if exact else 1 / (len(drawn) + 1)
    return _Comparison(difference, *_interval(difference, labels, values, sets), p, least)


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
    return around(difference, float(variance), free)
