"""From one night to the next: did the model change, or the facts that are asked?

Anchor seeds stay, fresh seeds are drawn anew. With f_g and f'_g the means over the clusters of needle
set g for fresh seeds tonight and last night (``niah.analysis.stats.seed_clusters``):

    drift   = mean over pairs of anchor trials of (tonight - last night)
    novelty = mean_g ((f_g - f'_g) - d_g),     d_g the change of the anchors' clusters

All that has one seed shares its luck, whatever the needle set, and is resampled as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from niah.analysis.stats.bootstrap import paired_difference
from niah.analysis.stats.clusters import codes
from niah.analysis.stats.interval import Interval
from niah.analysis.stats.seed_clusters import (
    SeedCluster,
    Variance,
    around,
    fresh_trials,
    matched,
    score_of,
    scored_by_reader,
    seed_of,
    seed_places,
    values_and_sets,
    variance_of,
)
from niah.runs.trial import TrialRecord


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
        codes(map(seed_of, paired)),
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
    new, old, change = (_mean(side) for side in (fresh, fresh_before, changes))
    estimate = float(new - old - change)
    # Levels differ between seeds as much in all three; seeds of different sides are different seeds.
    parts = (_variance((fresh, 1.0), (fresh_before, -1.0), (anchors, 0.0)), _variance((changes, 1.0)))
    if not all(part.free for part in parts):
        return estimate, None, None, 1.0
    return estimate, *_welch(estimate, *parts)


def _mean(side: Sequence[SeedCluster]) -> float:
    """Over needle sets, each with the same weight."""
    values, sets = values_and_sets(side)
    return float(np.mean((values @ sets) / sets.sum(axis=0)))


def _variance(*sides: tuple[Sequence[SeedCluster], float]) -> Variance:
    """Of the sides' means over needle sets, each times its factor, added up."""
    from scipy.linalg import block_diag

    tables = [(*values_and_sets(side), seed_places(side)) for side, _ in sides]
    contrast = [
        factor * sets @ (1 / sets.sum(axis=0)) / sets.shape[1]
        for (_, sets, _), (_, factor) in zip(tables, sides, strict=True)
    ]
    starts = np.cumsum([0, *(int(seeds.max()) + 1 for *_, seeds in tables[:-1])])
    return variance_of(
        np.concatenate(contrast),
        np.concatenate([values for values, _, _ in tables]),
        block_diag(*(sets for _, sets, _ in tables)),
        np.concatenate([seeds + start for (*_, seeds), start in zip(tables, starts, strict=True)]),
    )


def _welch(estimate: float, *parts: Variance) -> tuple[float, float, float]:
    """Interval and two-sided p, with Satterthwaite's degrees of freedom."""
    from scipy.special import stdtr

    variance = sum(part.value for part in parts)
    if variance == 0:
        return estimate, estimate, float(estimate == 0)
    degrees = variance**2 / sum(part.value**2 / part.free for part in parts)
    p = 2 * float(stdtr(degrees, -abs(estimate) / sqrt(variance)))
    return *around(estimate, variance, degrees), p
