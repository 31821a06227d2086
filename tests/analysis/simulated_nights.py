"""Simulated nights: scores 1, 3, 5, 7, 10, many ties, clusters with luck of their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.runs.trial import TrialRecord

LEVELS = np.array([1.0, 3.0, 5.0, 7.0, 10.0])
_CUTS = np.array([-1.2, -0.6, 0.0, 0.6])
SHARED = 0.8 / 1.814
"""What is 0.8 in log-odds, in units of what a trial's luck is."""


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


def _scores(skill: NDArray[np.float64]) -> NDArray[np.float64]:
    return LEVELS[np.searchsorted(_CUTS, skill)]
