"""From one night to the next: did the model change, or the facts that are asked?

Anchor seeds stay, fresh seeds are drawn anew. With f_g and f'_g the means over the clusters of needle
set g for fresh seeds tonight and last night (``niah.analysis.stats.seed_clusters``):

    drift   = mean over pairs of anchor trials of (tonight - last night)
    novelty = mean_g ((f_g - f'_g) - d_g),     d_g the change of the anchors' clusters
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.stats.bootstrap import paired_difference
from niah.analysis.stats.clusters import clusters_of
from niah.analysis.stats.interval import Interval
from niah.analysis.stats.seed_clusters import (
    SeedCluster,
    around,
    fresh_trials,
    matched,
    score_of,
    scored_by_reader,
    values_and_sets,
)
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def drift_and_novelty(
    tonight: Sequence[TrialRecord], last_night: Sequence[TrialRecord], anchors: Collection[int]
) -> list[Drift]:
    """One row for each reader that is in both nights, by name."""
    now, before = scored_by_reader(tonight), scored_by_reader(last_night)
    return [_drift(reader, now[reader], before[reader], anchors) for reader in now if reader in before]


def _drift(
    reader: str, now: Sequence[TrialRecord], before: Sequence[TrialRecord], anchors: Collection[int]
) -> Drift:
    earlier = {_pair(record): record for record in before if record.seed in anchors}
    paired = [record for record in now if record.seed in anchors and _pair(record) in earlier]
    partners = [earlier[_pair(record)] for record in paired]
    if not paired:
        return Drift(reader, None, None, None, None, 1.0)
    drift = paired_difference(
        [score_of(record) for record in paired],
        [score_of(record) for record in partners],
        clusters_of(paired),
    )
    sides = matched([paired, partners, fresh_trials(now, anchors), fresh_trials(before, anchors)])
    return Drift(reader, drift, *_novelty(*sides))


def _pair(record: TrialRecord) -> tuple[str, str, int]:
    return record.case_id, record.strategy, record.repeat


def _novelty(
    anchors: Sequence[SeedCluster],
    anchors_before: Sequence[SeedCluster],
    fresh: Sequence[SeedCluster],
    fresh_before: Sequence[SeedCluster],
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


def _spread(side: Sequence[SeedCluster]) -> _Spread:
    values, sets = values_and_sets(side)
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
    return *around(estimate, variance, degrees), p
