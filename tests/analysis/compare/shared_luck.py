"""Nights whose luck is shared: by needle set and seed, by a seed over all needle sets, by a whole night."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis.compare.axes import DEFAULT_AXES, axes_of
from niah.analysis.compare.rows import Row, rows_of
from niah.analysis.compare.significance.earlier_nights import EarlierNights
from niah.analysis.frame import trial_frame
from niah.runs.trial import TrialRecord

STRATEGIES = ("lc", "bm25/top-5/norm", "bm25/half/document", "mixpr")
LENGTHS, DEPTHS = (4096, 32000, 128000), (0.0, 50.0, 100.0)


@dataclass(frozen=True)
class LuckyWorld:
    """Answers are right, 10, or wrong, 1, in logits of skill and luck; luck is drawn anew each night.

    Attributes:
        sets, seeds: of needles; clusters are their product, or as many as seeds where each has one set.
        spread: whether each seed has one needle set, in turn.
        own_luck: standard deviation, in logits, of what a needle set and seed share.
        seed_luck: of what a seed shares over all its needle sets.
        night_luck: of what a whole night shares.
        same: share of trials that luck alone can change, as with a reader at temperature 0.
        strategies: of the reader, the best first.
        ability: logits of a middling strategy at the shortest length; 0.8 is right in about six of ten.
    """

    sets: int
    seeds: int
    spread: bool = False
    own_luck: float = 0.3
    seed_luck: float = 0.0
    night_luck: float = 0.0
    same: float = 0.6
    strategies: tuple[str, ...] = STRATEGIES
    ability: float = 0.8

    @property
    def clusters(self) -> list[tuple[int, int]]:
        """Needle sets and seeds."""
        if self.spread:
            return [(seed % self.sets, seed) for seed in range(self.seeds)]
        return [(set_, seed) for set_ in range(self.sets) for seed in range(self.seeds)]


class LuckyNights:
    """Nights in a row of one reader; the frame and its axes are made once.

    Attributes:
        cluster, seed: shape (n,): of the trials.
        worth: shape (n,): the points that a logit of luck is worth in the mean of many such trials.
    """

    def __init__(self, world: LuckyWorld) -> None:
        self.world = world
        self.records = [
            TrialRecord(
                f"{set_}-{seed}-{strategy}-{length}-{depth:g}",
                f"set-{set_}_essays_{length}_d{depth:g}_s{seed}",
                *(f"set-{set_}", "essays", length, depth, seed + 1, strategy, "simulated", 0, "scored", 10),
            )
            for set_, seed in world.clusters
            for strategy in world.strategies
            for length in LENGTHS
            for depth in DEPTHS
        ]
        self.frame = trial_frame(self.records)
        self.axes = axes_of(self.frame, DEFAULT_AXES)
        places = [np.arange(len(each)) for each in (world.clusters, world.strategies, LENGTHS, DEPTHS)]
        grid = (each.ravel() for each in np.meshgrid(*places, indexing="ij"))
        self.cluster, strategy, length, depth = grid
        self.seed = np.array([seed for _, seed in world.clusters])[self.cluster]
        # Skill differs by 1 logit within a block, so that a logit of luck is worth a little less.
        apart = np.linspace(0.8, -0.8, len(world.strategies))[strategy]
        self._ease = world.ability + apart - 0.4 * (length - 1) - 0.3 * (depth == 1)
        skill, weight = np.polynomial.hermite_e.hermegauss(15)
        right = 1 / (1 + np.exp(-self._ease[:, None] - skill))
        self.worth = 9 * (right * (1 - right)) @ (weight / weight.sum())

    def draw(self, nights: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Scores of nights that ask the same, shape (nights, n)."""
        world, n = self.world, len(self.records)
        skill = self._ease + rng.normal(size=n)
        chance, steady = rng.random(n), rng.random(n) < world.same
        found = []
        for _ in range(nights):
            logit = skill + world.night_luck * rng.normal()
            logit += world.own_luck * rng.normal(size=len(world.clusters))[self.cluster]
            logit += world.seed_luck * rng.normal(size=world.seeds)[self.seed]
            right = np.where(steady, chance, rng.random(n)) < 1 / (1 + np.exp(-logit))
            found.append(np.where(right, 10.0, 1.0))
        return np.array(found)

    def rows(
        self,
        nights: NDArray[np.float64],
        *,
        alpha: float,
        learning: bool = True,
        pool: int = 1,
        before: NDArray[np.float64] | None = None,
    ) -> tuple[Row, ...]:
        """The last night against ``before``, or the mean of ``pool`` before it, by what all of these tell."""
        earlier = _earlier(nights) if learning else None
        before = nights[-1 - pool : -1].mean(axis=0) if before is None else before
        frames = self._frame(before), self._frame(nights[-1])
        return rows_of(*frames, self.axes, alpha=alpha, earlier=earlier, reference_nights=pool)

    def _frame(self, night: NDArray[np.float64]) -> DataFrame:
        return self.frame.assign(score=night)


def _earlier(nights: NDArray[np.float64]) -> EarlierNights:
    return EarlierNights(nights[:-1], np.zeros_like(nights[:-1]))


def has_alarm(rows: tuple[Row, ...], alpha: float) -> bool:
    """Whether any row is called worse."""
    return any(row.adjusted is not None and row.adjusted <= alpha for row in rows)
