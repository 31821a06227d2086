"""Adaptive nights beside plain ones: false alarms, how often they agree, how many trials they take.

    python -m tests.bench.bench_sequential [NIGHTS [WORLD]]

Simulated nights (``tests/analysis/compare/shared_luck.py``) of one reader with four strategies, three lengths
and three depths in each cluster, right answers turned wrong at random where something drops. Each has five
nights before it, which tell of luck. The plain night is the comparison of all its trials. Some
0.4 s of CPU a night. Without NIGHTS, 10; docs have 300.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.compare.verdict import Limits
from niah.analysis.sequential.adaptive import design_of, progress_of, unit_of
from niah.runs.trial import TrialRecord
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld

EARLIER = 5
LIMITS = Limits(detectable=9.0)


@dataclass(frozen=True)
class Scenario:
    """A world, and the share of right answers that turn wrong in so many of its four strategies."""

    world: LuckyWorld
    falls: float = 0.0
    strategies: int = 4


CALM, LUCKY = LuckyWorld(3, 4), LuckyWorld(3, 4, seed_luck=0.8, night_luck=0.2)
SPREAD = LuckyWorld(3, 12, spread=True)
SPREAD_LUCKY = replace(SPREAD, seed_luck=0.8, night_luck=0.2)
SCENARIOS = {
    "null, 3 sets x 4 seeds": Scenario(CALM),
    "null, 3 sets x 4 seeds, luck 0.8 and 0.2": Scenario(LUCKY),
    "null, 12 seeds of one set": Scenario(SPREAD),
    "null, 12 seeds of one set, luck 0.8 and 0.2": Scenario(SPREAD_LUCKY),
    "null, 3 sets x 4 seeds, 97 % the same": Scenario(replace(CALM, same=0.97)),
    "all drops by 10 %": Scenario(CALM, 0.1),
    "all drops by 20 %": Scenario(CALM, 0.2),
    "all drops by 40 %": Scenario(CALM, 0.4),
    "all drops by 20 %, luck 0.8 and 0.2": Scenario(LUCKY, 0.2),
    "one strategy of four drops by 40 %": Scenario(CALM, 0.4, 1),
    "two strategies of four drop by 40 %": Scenario(CALM, 0.4, 2),
}


def main() -> None:
    nights = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(f"{nights} nights each; goal: null nights 1.5-5 % alarms, the plain night's verdict in 95 %")
    for name, scenario in SCENARIOS.items():
        if len(sys.argv) < 3 or sys.argv[2] in name:
            print(f"  {name}: {told(scenario, nights)}", flush=True)


def told(scenario: Scenario, nights: int) -> str:
    """One line of figures."""
    lucky = LuckyNights(scenario.world)
    # Of its own: what chance does to one scenario says nothing of the others.
    rng = np.random.default_rng(zlib.crc32(repr(scenario).encode()))
    names = sorted({record.strategy for record in lucky.records})[: scenario.strategies]
    struck = np.array([record.strategy in names for record in lucky.records])
    alarms, plain_alarms, same_rows, shares, stops = [], [], [], [], []
    for night in range(nights):
        scores = lucky.draw(EARLIER + 1, rng)
        falls = struck & (rng.random(len(struck)) < scenario.falls)
        scores[-1] = np.where(falls, 1.0, scores[-1])
        whole, adaptive, share, looks = both_ways(lucky.records, scores, night)
        plain_alarms.append(whole.verdict.kind == "regression")
        alarms.append(adaptive.verdict.kind == "regression")
        same_rows.append(found_arms(whole) == found_arms(adaptive))
        shares.append(share)
        stops.append(looks)
    plain, found = np.array(plain_alarms), np.array(alarms)
    return (
        f"alarms {100 * found.mean():.1f} % (plain {100 * plain.mean():.1f} %), same verdict"
        f" {100 * (plain == found).mean():.1f} % (lost {(plain & ~found).sum()}, added"
        f" {(found & ~plain).sum()}), the same strategies found {100 * np.mean(same_rows):.1f} %, trials"
        f" {100 * np.mean(shares):.0f} %, looks {np.bincount(stops, minlength=6)[1:].tolist()}"
    )


def both_ways(
    records: Sequence[TrialRecord], scores: NDArray[np.float64], seed: int
) -> tuple[Comparison, Comparison, float, int]:
    """The last night against the one before, of all trials and of those an adaptive night asks.

    With what share of the trials that is, and in how many looks.
    """
    *earlier, tonight = (
        [replace(one, score=int(score)) for one, score in zip(records, night, strict=True)]
        for night in scores
    )
    pairs = pair(earlier[-1], tonight)
    design = design_of(pairs, LIMITS.alpha, seed)
    looked = progress_of(design, pairs, earlier).looked
    kept = [design.look_of[arm][unit.key] <= looked[arm] for arm, unit in map(unit_of, tonight)]
    part = Pairs(tuple(compress(pairs.baseline, kept)), tuple(compress(pairs.candidate, kept)), (), ())
    whole, adaptive = (compare_pairs(each, limits=LIMITS, earlier=earlier) for each in (pairs, part))
    return whole, adaptive, float(np.mean(kept)), max(looked.values())


def found_arms(comparison: Comparison) -> set[str]:
    """The strategies whose rows are called worse."""
    return {
        row.parts["strategy"]
        for row in comparison.rows
        if row.parts.keys() == {"reader", "strategy"}
        and row.adjusted is not None
        and row.adjusted <= comparison.limits.alpha
    }


if __name__ == "__main__":
    main()
