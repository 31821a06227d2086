"""How often a comparison of nights is wrong, in eight simulated worlds.

    python -m bench.nights --nights 500        # false alarms and power, a table as in docs/concepts.md
    python -m bench.nights --month             # a month with a regression from the 19th on
    python -m bench.nights --coverage          # how often score intervals hold the mean

An answer is right by a logit: its strategy, its length, and luck, drawn anew every night and shared by the
trials of a seed, of a needle set x seed, or of the whole night. Nothing here is from niah's own code but what
is tested: ``compare_frames`` and ``mean_interval``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from niah.analysis.compare import compare_frames
from niah.analysis.stats import mean_interval

LENGTHS, DEPTHS = (2_000, 8_000, 32_000), (0.0, 50.0, 100.0)


@dataclass(frozen=True)
class World:
    """A design of cases, and the standard deviations of luck in logits.

    Attributes:
        sets, seeds: how many; ``spread`` gives each seed one needle set, in turn, in place of all.
        of_seed, of_cluster, of_night: luck that trials of one share; ``tails`` are Student's degrees.
        changes: the share of answers that a night draws anew; the others stay as they were (temperature 0).
    """

    name: str
    sets: int = 3
    seeds: int = 12
    spread: bool = True
    strategies: int = 3
    right: float = 0.8
    of_seed: float = 0.0
    of_cluster: float = 0.0
    of_night: float = 0.0
    tails: float = np.inf
    changes: float = 1.0


WORLDS = (
    World("no luck"),
    World("luck of seeds", of_seed=0.8),
    World("luck of nights", of_night=0.2),
    World("both, 9 seeds, half right", seeds=9, right=0.5, of_seed=0.8, of_night=0.2),
    World("heavy tails, 8 strategies", of_seed=0.5, tails=3.0, strategies=8),
    World("crossed 3 x 12, both", spread=False, of_seed=0.8, of_night=0.2),
    World("crossed 3 x 4, both", seeds=4, spread=False, of_seed=0.8, of_cluster=0.4, of_night=0.2),
    World("temperature 0, 5 strategies", strategies=5, changes=0.03, of_seed=0.8),
)


class Simulated:
    """Nights of one world: the same cases, and answers of one model."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self.world, self.rng = world, rng
        asked = [
            (f"set-{needle_set}", seed)
            for seed in range(1, world.seeds + 1)
            for needle_set in ([seed % world.sets] if world.spread else range(world.sets))
        ]
        strategies = [f"s{number}" for number in range(world.strategies)]
        rows = [
            ("m", strategy, needle_set, "h", length, depth, seed, 0)
            for (needle_set, seed), length, depth, strategy in product(asked, LENGTHS, DEPTHS, strategies)
        ]
        columns = (
            "reader",
            "strategy",
            "needle_set",
            "haystack",
            "context_length",
            "depth",
            "seed",
            "repeat",
        )
        self.frame = pd.DataFrame(rows, columns=columns)
        self.seed = self.frame["seed"].to_numpy() - 1
        self.cluster = pd.factorize(self.frame["needle_set"] + self.frame["seed"].astype(str))[0]
        lengths = np.searchsorted(LENGTHS, self.frame["context_length"])
        base = np.log(world.right / (1 - world.right))
        own = rng.normal(0, 0.5, world.strategies)[pd.factorize(self.frame["strategy"])[0]]
        # What stays from night to night: some cases are hard.
        self.logit = base + own - 0.3 * lengths + rng.normal(0, 0.7, self.cluster.max() + 1)[self.cluster]
        self.answers = self._drawn()

    def _luck(self, deviation: float, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        tails = self.world.tails
        count = int(codes.max()) + 1
        drawn = self.rng.standard_normal(count) if np.isinf(tails) else self.rng.standard_t(tails, count)
        luck: NDArray[np.float64] = deviation * drawn[codes]
        return luck

    def _drawn(self) -> NDArray[np.bool_]:
        world = self.world
        logit = self.logit + self._luck(world.of_seed, self.seed) + self._luck(world.of_cluster, self.cluster)
        logit = logit + world.of_night * self.rng.standard_normal()
        right: NDArray[np.bool_] = self.rng.random(len(logit)) < 1 / (1 + np.exp(-logit))
        return right

    def night(self) -> pd.DataFrame:
        """Another night's answers: 10 for right, 1 for wrong."""
        anew = self.rng.random(len(self.answers)) < self.world.changes
        answers = np.where(anew, self._drawn(), self.answers)
        return self.frame.assign(score=np.where(answers, 10.0, 1.0), outcome="scored")

    def worse(self, night: pd.DataFrame, drop: float, **where: object) -> pd.DataFrame:
        """The same with so many right answers wrong, at random, that the mean there falls by ``drop``."""
        inside = np.ones(len(night), dtype=bool)
        for column, value in where.items():
            inside &= (night[column] == value).to_numpy()
        right = inside & (night["score"] == 10).to_numpy()
        lost = min(drop * inside.sum() / 9 / max(right.sum(), 1), 1.0)
        falls = right & (self.rng.random(len(night)) < lost)
        return night.assign(score=np.where(falls, 1.0, night["score"]))


def mean_of(nights: list[pd.DataFrame]) -> pd.DataFrame:
    """The mean of several nights as one, as nights are compared."""
    return nights[0].assign(score=np.mean([night["score"] for night in nights], axis=0))


def errors(world: World, nights: int, seed: int) -> dict[str, float | str]:
    """Shares of nights with an alarm, and with the planted drop found."""
    alarms, found, lost, sizes, unclear = 0, 0, 0, [], 0
    for number in range(nights):
        simulated = Simulated(world, np.random.default_rng([seed, number]))
        history = [simulated.night() for _ in range(5)]
        tonight, reference = simulated.night(), mean_of(history)
        calm = compare_frames(reference, tonight, history=history)
        alarms += calm.verdict.kind == "regression"
        unclear += calm.verdict.kind == "incomplete"
        row = next(row for row in calm.rows if row.parts.get("strategy") == "s0" and not row.fine)
        share = (tonight.loc[tonight["strategy"] == "s0", "score"] == 10).mean()
        if row.detectable is not None and row.detectable <= 9 * share:
            sizes.append(row.detectable)
            drop = simulated.worse(tonight, row.detectable, strategy="s0")
            found += compare_frames(reference, drop, history=history).verdict.kind == "regression"
        thirty = simulated.worse(tonight, 0.3 * 9 * share, strategy="s0")
        lost += compare_frames(reference, thirty, history=history).verdict.kind == "regression"
    return {
        "world": world.name,
        "false alarms %": round(100 * alarms / nights, 1),
        "too little to say %": round(100 * unclear / nights, 1),
        "MDE of a strategy": round(float(np.mean(sizes)), 2) if sizes else "none",
        "found at the MDE %": round(100 * found / max(len(sizes), 1), 1),
        "30 % of a strategy's answers lost, found %": round(100 * lost / nights, 1),
    }


def month(seed: int, accepted: int = 23) -> dict[str, object]:
    """A month in which a third of one strategy's right answers are lost from the 19th on.

    Each night is compared with the mean of the last five accepted ones before it, and accepted where it is no
    regression; the night of ``accepted`` by hand, from which on only later nights count.
    """
    simulated = Simulated(WORLDS[0], np.random.default_rng([seed, 19]))
    good: list[pd.DataFrame] = []
    red = []
    for day in range(1, 29):
        tonight = simulated.night()
        if day >= 19:
            share = (tonight.loc[tonight["strategy"] == "s0", "score"] == 10).mean()
            tonight = simulated.worse(tonight, 9 * share / 3, strategy="s0")
        if good:
            kind = compare_frames(mean_of(good[:5]), tonight, history=good[:20]).verdict.kind
            red += [day] if kind == "regression" else []
        if day == accepted:
            good = [tonight]
        elif day not in red:
            good.insert(0, tonight)
    before, bad = [day for day in red if day < 19], [day for day in red if 19 <= day <= accepted]
    after = [day for day in red if day > accepted]
    return {"month": seed, "red before": before, "red 19 to 23": bad, "red after acceptance": after}


def coverage(runs: int) -> list[dict[str, object]]:
    """How often a 95 % interval of 12 clusters of 9 trials holds the mean of all clusters there are."""
    rng = np.random.default_rng(5)
    worlds: dict[str, Callable[[], NDArray[np.float64]]] = {
        "half right": lambda: np.full(12, 0.5),
        "most right": lambda: np.full(12, 0.95),
        "luck of clusters": lambda: 1 / (1 + np.exp(-rng.normal(1.0, 0.8, 12))),
        "one cluster in ten is far worse": lambda: np.where(rng.random(12) < 0.1, 0.1, 0.9),
        "answers all or nothing by cluster": lambda: (rng.random(12) < 0.8).astype(float),
    }
    clusters = np.repeat(np.arange(12), 9)
    rows = []
    for name, draw in worlds.items():
        truth = 1 + 9 * float(np.mean([draw().mean() for _ in range(4000)]))
        held = missing = 0
        for _ in range(runs):
            found = mean_interval(np.where(rng.random(108) < np.repeat(draw(), 9), 10.0, 1.0), clusters)
            alike = found.low is None or found.high is None or found.low == found.high
            missing += alike
            held += not alike and (found.low or 0.0) <= truth <= (found.high or 0.0)
        shown = runs - missing
        rows.append(
            {"world": name, "holds %": round(100 * held / shown, 1), "no interval %": 100 * missing / runs}
        )
    return rows


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nights", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--month", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    chosen = parser.parse_args()
    if chosen.month:
        rows: list[dict[str, object]] = [month(seed) for seed in range(1, 9)]
    elif chosen.coverage:
        rows = coverage(2000)
    else:
        rows = [dict(errors(world, chosen.nights, chosen.seed)) for world in WORLDS]
    print(pd.DataFrame(rows).to_string(index=False))


if __name__ == "__main__":
    main()
