"""How many seeds a night needs, so that a drop would be found: before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level, axes_of, cut_levels
from niah.analysis.compare.moments import moments
from niah.analysis.compare.significance.detectable import POWER, least_drop
from niah.analysis.stats.clusters import codes
from niah.analysis.trial_columns import trial_columns
from niah.judges.verdict import LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.compare.pairs import Pairs

MOST_SEEDS = 400
"""Of a design that is looked for; beyond it no number is told."""

_PART, _SHARED = 0.16, 0.5
"""A level of readers and strategies has about that part of the table's alpha, and what its rows share with
others takes about so much off the statistic that they must reach."""

_CHANGED, _BY, _SEEDS_OWN, _MEAN = 0.2, 5.0, 0.1, 8.0


@dataclass(frozen=True)
class SeedNoise:
    """How far the differences between two nights of which nothing changed are from 0.

    Attributes:
        variance: of the mean difference over one seed's trials, in squared points.
        trials: of one seed.
        room: how far the mean score can drop.
    """

    variance: float
    trials: float
    room: float


@dataclass(frozen=True)
class SeedsToDetect:
    """How many anchor seeds it takes to find a drop in four nights of five.

    Attributes:
        drop: in points of score.
        seeds: anchors that the config has.
        for_reader: where all of a reader drops; None where the most that are looked for do not do.
        for_strategy: where one strategy of a reader drops alone; None likewise.
        nights: whole nights that the noise is taken from; 0 where it is assumed.
    """

    drop: float
    seeds: int
    for_reader: int | None
    for_strategy: int | None
    nights: int


def assumed_noise(trials: float) -> SeedNoise:
    """Without nights to learn from: a fifth of the answers change by 5 points, a tenth of it by seed."""
    change = _CHANGED * _BY**2
    return SeedNoise(change * (_SEEDS_OWN + (1 - _SEEDS_OWN) / trials), trials, _MEAN - LOWEST)


def noise_of_nights(nights: Sequence[Pairs], axes: Sequence[str]) -> SeedNoise | None:
    """The noise of the part of the table that has the most; None where no trial has a score on both sides.

    Args:
        nights: each with the one before.
        axes: what parts the table: "reader", or "reader" and "strategy".
    """
    found = [noise for pairs in nights for noise in [_noises(pairs, axes)] if noise]
    if not found:
        return None
    variances = [{name: one.variance for name, one in noise.items()} for noise in found]
    means = {
        name: float(np.mean([each[name] for each in variances if name in each])) for name in variances[-1]
    }
    worst = max(means, key=lambda name: means[name])
    return SeedNoise(means[worst], found[-1][worst].trials, found[-1][worst].room)


def _noises(pairs: Pairs, axes: Sequence[str]) -> dict[tuple[str, ...], SeedNoise]:
    """Of each part, by its name."""
    n = len(pairs.baseline)
    if not n:
        return {}
    both = trial_columns((*pairs.baseline, *pairs.candidate))
    before, after = both["score"][:n], both["score"][n:]
    level: Level = cut_levels(axes_of(both.rows(slice(n)), axes), n)[-1]
    # By seed, and not by needle set and seed: what a seed does to all needle sets counts.
    found = moments(level, codes(record.seed for record in pairs.baseline), after - before)
    scores = moments(level, np.zeros(n, dtype=np.int64), before)
    return {
        name: SeedNoise(
            float(found.error[at] ** 2 * found.clusters[at]),
            float(found.n[at] / found.clusters[at]),
            float(scores.mean[at] - LOWEST),
        )
        for at, name in enumerate(level.names)
        if found.clusters[at] > 1
    }


def seeds_needed(noise: SeedNoise, drop: float, *, rows: int, clusters: int = 1, alpha: float) -> int | None:
    """The fewest seeds with which a drop is found in four nights of five; None where ``MOST_SEEDS`` do not.

    Args:
        noise: of a row.
        drop: of all of the row's trials, in points.
        rows: of the row's level: readers, or readers with strategies.
        clusters: of a seed: 1 where seeds are spread, or as many as there are needle sets.
        alpha: of the whole table.
    """
    if drop > noise.room:
        return None
    seeds = np.arange(2, MOST_SEEDS + 1)
    enough = np.flatnonzero(detectable_with(noise, seeds, rows=rows, clusters=clusters, alpha=alpha) <= drop)
    return int(seeds[enough[0]]) if len(enough) else None


def detectable_with(
    noise: SeedNoise, seeds: NDArray[np.int64], *, rows: int, clusters: int, alpha: float
) -> NDArray[np.float64]:
    """The drop that would be found in four nights of five, of the shape of ``seeds``; infinite for none."""
    from scipy.special import nctdtrinc, ndtri

    k = (seeds * clusters).astype(np.float64)
    statistic = -ndtri(alpha * _PART / rows) - _SHARED
    # A level is tested where all flips tell its rows, and the broader ones, apart.
    possible = (k > 1.1 * statistic**2) & (2 * rows <= 2 * alpha * 2.0 ** np.minimum(k, 60))
    drop, k = np.full(len(seeds), np.inf), k[possible]
    critical = statistic * np.sqrt((k - 1) / (k - statistic**2))
    away = np.asarray(nctdtrinc(k - 1, 1 - POWER, critical), dtype=np.float64)
    some = seeds[possible].astype(np.float64)
    error = np.sqrt(noise.variance / some)
    drop[possible] = least_drop(away, error, some * noise.trials, np.full(len(k), noise.room))
    return drop
