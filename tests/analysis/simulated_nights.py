"""Simulated nights: scores 1, 3, 5, 7, 10, many ties, clusters with luck of their own, readers ``simulated``.

Both nights are drawn alike, so that without a planted drop the mean difference is 0 exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.analysis.sequential.design import Arm, DesignUnit
from niah.runs.trial import TrialRecord

LEVELS = np.array([1.0, 3.0, 5.0, 7.0, 10.0])
_CUTS = np.array([-1.2, -0.6, 0.0, 0.6])
LENGTHS = 4
SHARED = 0.8 / 1.814
"""What is 0.8 in log-odds, in units of what a trial's luck is."""


@dataclass(frozen=True)
class NightWorld:
    """How large a night is, and how much changes by itself.

    Attributes:
        clusters: needle set x seed.
        units: pairs of one arm in each cluster.
        changing: the share of pairs that are drawn anew in the second night; all others stay as they are, as
            with a deterministic reader.
        arms: reader x strategy.
        luck: standard deviation of what a night does to all of a cluster's pairs of one arm, in units of what
            it does to one pair (0.7): nights are new luck for whole clusters.
        unevenness: of a planted drop between clusters (lognormal).
    """

    clusters: int
    units: int
    changing: float
    arms: int = 6
    luck: float = 0.4
    unevenness: float = 0.4


def differences(
    world: NightWorld, nights: int, rng: np.random.Generator, drop: float = 0.0, dropped: int = 1
) -> NDArray[np.float64]:
    """Shape (nights, arms, clusters, units): score of the second night minus the first.

    ``drop`` is the chance that an answer of the first ``dropped`` arms is made worse, by one level or down to
    1; longer contexts are hit more often.
    """
    n, a, c, m = nights, world.arms, world.clusters, world.units
    length = np.arange(m) % LENGTHS
    skill = rng.normal(0.6, 0.8, (n, 1, c, 1)) + rng.normal(0, 0.7, (n, 1, c, m))
    skill = skill - 0.25 * (length - 1.5) + rng.normal(0, 0.3, (n, a, c, 1))

    def night() -> NDArray[np.float64]:
        shared = rng.normal(0, world.luck / 2, (n, 1, c, 1))
        own = rng.normal(0, world.luck, (n, a, c, 1))
        score: NDArray[np.float64] = _scores(skill + shared + own + rng.normal(0, 0.7, (n, a, c, m)))
        return score

    first, anew = night(), night()
    second = np.where(rng.random((n, a, c, m)) < world.changing, anew, first)
    if drop:
        second = _worsened(world, second, rng, drop, dropped, length)
    return second - first


def units_of(world: NightWorld) -> dict[Arm, tuple[DesignUnit, ...]]:
    """The units in the order of ``differences``: keys are "cluster/place", strata are lengths."""
    units = tuple(
        DesignUnit(f"{cluster}/{place}", cluster, place % LENGTHS)
        for cluster in range(world.clusters)
        for place in range(world.units)
    )
    return {Arm("simulated", f"strategy-{arm}"): units for arm in range(world.arms)}


@dataclass(frozen=True)
class SeedWorld:
    """A night with anchors and fresh seeds.

    Attributes:
        sets: how many needle sets.
        anchors, fresh: how many seeds each needle set has.
        luck: standard deviation of a cluster's luck, in units of what a trial's luck is (1).
        seed_luck: of the luck that a seed has in all needle sets, the same every night.
        seed_change: of the luck that a seed has in all needle sets, another every night.
        spread: whether each seed is of one needle set alone.
    """

    sets: int = 4
    anchors: int = 3
    fresh: int = 2
    luck: float = 0.6
    seed_luck: float = 0.0
    seed_change: float = 0.0
    spread: bool = False

    @property
    def anchor_seeds(self) -> range:
        return range(1, self.anchors * (self.sets if self.spread else 1) + 1)

    def own_seed(self, needle_set: int, seed: int) -> int:
        """What the seed is called that is the needle set's ``seed``, from 0 on, among anchors or others."""
        return seed * self.sets + needle_set if self.spread else seed


def night_of_seeds(
    world: SeedWorld, number: int, seed: int, *, seen: float = 0.0, change: float = 0.0, hard: float = 0.0
) -> list[TrialRecord]:
    """Night ``number`` of a history that ``seed`` draws: 3 lengths, 3 depths, 2 strategies.

    ``seen`` is added to the skill on anchors, ``change`` on all seeds, ``hard`` taken off on fresh ones.
    Anchors keep their luck from night to night, and a tenth of their trials is drawn anew.
    """
    lasting, tonight = np.random.default_rng((seed, 0)), np.random.default_rng((seed, 1, number))
    places = list(product((1000, 2000, 4000), (0.0, 50.0, 100.0), ("lc", "topk")))
    records: list[TrialRecord] = []
    seeds = [(True, 1, place) for place in range(world.anchors)]
    seeds += [(False, 1000 * (number + 1), place) for place in range(world.fresh)]
    for name, (anchor, first, place) in product(range(world.sets), seeds):
        one = first + world.own_seed(name, place)
        rng = lasting if anchor else tonight
        shared = np.random.default_rng((seed, 2, one)).normal(0, world.seed_luck)
        shared += np.random.default_rng((seed, 3, one, number)).normal(0, world.seed_change)
        skill = rng.normal(0.3 * name - 0.5, world.luck) + shared + rng.normal(0, 1, len(places))
        anew = tonight.random(len(places)) < 0.1
        skill = np.where(anew, skill + tonight.normal(0, 1, len(places)), skill)
        scores = _scores(skill + change + (seen if anchor else -hard))
        for (length, depth, strategy), score in zip(places, scores, strict=True):
            case = f"set-{name}_essays_{length}_d{depth:g}_s{one}"
            records.append(
                TrialRecord(
                    f"{case}-{strategy}",
                    case,
                    f"set-{name}",
                    "essays",
                    length,
                    depth,
                    one,
                    strategy,
                    "simulated",
                    0,
                    "scored",
                    score=int(score),
                )
            )
    return records


def _worsened(
    world: NightWorld,
    scores: NDArray[np.float64],
    rng: np.random.Generator,
    drop: float,
    dropped: int,
    length: NDArray[np.int64],
) -> NDArray[np.float64]:
    n, a, c, _ = scores.shape
    uneven = np.exp(rng.normal(-(world.unevenness**2) / 2, world.unevenness, (n, a, c, 1)))
    hit = rng.random(scores.shape) < np.minimum(drop * uneven * (0.4 + 0.4 * length), 1)
    hit[:, dropped:] = False
    one_less = LEVELS[np.maximum(np.searchsorted(LEVELS, scores) - 1, 0)]
    worse = np.where(rng.random(scores.shape) < 0.5, LEVELS[0], one_less)
    return np.where(hit, worse, scores)


def _scores(skill: NDArray[np.float64]) -> NDArray[np.float64]:
    return LEVELS[np.searchsorted(_CUTS, skill)]
