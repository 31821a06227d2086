"""Anchors against fresh seeds where seeds share luck: false flags, power, novelty, coverage.

    PYTHONPATH=. python tests/bench/bench_contamination.py [NIGHTS [DESIGN]]

Simulated nights of 18 trials a cluster (``tests/analysis/simulated_nights.py``). Luck of needle set x seed is
0.6 of a trial's; a seed's luck in all needle sets is 0 or 0.8 in log-odds, lasting, and so much again anew
each night. Goals: at most 5 % flagged where nothing is contaminated, novelty found in at most 5 % where
nothing is new, intervals that hold the truth in 93 to 98 %. DESIGN is how lines begin, such as " 4  6  2".
Without NIGHTS, 60 of each design; docs have 400, which take five minutes of CPU.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from niah.analysis.nights.contamination import Contamination, contamination
from niah.analysis.nights.drift import Drift, drift_and_novelty
from niah.analysis.stats.interval import Interval
from tests.analysis.simulated_nights import SHARED, SeedWorld, night_of_seeds

DESIGNS = (
    SeedWorld(3, 4, 2),
    SeedWorld(3, 4, 3),
    SeedWorld(4, 6, 4),
    SeedWorld(6, 8, 6),
    SeedWorld(3, 4, 1, spread=True),
    SeedWorld(3, 4, 2, spread=True),
    SeedWorld(4, 6, 2, spread=True),
)
LUCK = (0.0, SHARED)
SEEN = (0.5, 1.0)
HARD = 0.7


def main() -> None:
    nights = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"{nights} nights where nothing is planted, {nights // 2} with each effect; all but points in %")
    print("sets anchors fresh, seeds         shared  least p  flagged  held   ", end="")
    print("seen: points, flagged        novelty: found, held   points, found   drift held")
    for design, luck in product(DESIGNS, LUCK):
        if len(sys.argv) < 3 or _design(design).startswith(sys.argv[2]):
            world = replace(design, seed_luck=luck, seed_change=luck)
            print(_design(design), f"{'0.8' if luck else '0':>10s}  {_contaminated(world, nights)}", end="")
            print(f"  {_changed(world, nights)}", flush=True)


def _design(world: SeedWorld) -> str:
    seeds = "one needle set each" if world.spread else "all needle sets"
    return f"{world.sets:2d} {world.anchors:2d} {world.fresh:2d}, {seeds:19s}"


def _contaminated(world: SeedWorld, nights: int) -> str:
    """Flags, and intervals that hold the truth, without contamination; then flags with some."""
    clean = [_contamination(world, seed) for seed in range(nights)]
    held = [_holds(row, 0) for row in clean]
    told = [f"{clean[0].least_p:7.4f}  {_share([row.flagged for row in clean])}  {_share(held)} "]
    for seen in SEEN:
        rows = [_contamination(world, seed, seen) for seed in range(nights // 2)]
        points = np.mean([row.difference for row in rows if row.difference is not None])
        told.append(f"{points:+.2f}: {_share([row.flagged for row in rows])}")
    return "  ".join(told)


def _changed(world: SeedWorld, nights: int) -> str:
    """Novelty found, and intervals that hold the truth, where nothing is new and where something is."""
    same = [_drift(world, seed) for seed in range(nights)]
    new = [_drift(world, seed, HARD) for seed in range(nights // 2)]
    held = [_holds(row, 0) for row in same]
    points = np.mean([row.novelty for row in new if row.novelty is not None])
    drifts = [row.drift for row in same if row.drift is not None]
    truth = float(np.mean([one.estimate for one in drifts]))
    drifted = [_holds(one, truth) for one in drifts]
    found = [_share([row.p <= 0.05 for row in rows]) for rows in (same, new)]
    return f"{found[0]}  {_share(held)}   {points:+.2f}: {found[1]}   {_share(drifted)}"


def _contamination(world: SeedWorld, seed: int, seen: float = 0.0) -> Contamination:
    return contamination(night_of_seeds(world, 0, seed, seen=seen), world.anchor_seeds)[0]


def _drift(world: SeedWorld, seed: int, hard: float = 0.0) -> Drift:
    tonight = night_of_seeds(world, 1, seed, change=-0.3, hard=hard)
    return drift_and_novelty(tonight, night_of_seeds(world, 0, seed), world.anchor_seeds)[0]


def _holds(row: Contamination | Drift | Interval, truth: float) -> bool:
    return row.low is not None and row.high is not None and row.low <= truth <= row.high


def _share(holds: Sequence[bool]) -> str:
    return f"{100 * np.mean(holds):5.1f}"


if __name__ == "__main__":
    main()
