"""niah compare where luck is shared: false alarms, coverage and power, learning from five earlier nights.

    OMP_NUM_THREADS=1 python -m tests.bench.bench_shared_luck [NIGHTS [SHAPE]]

Simulated nights (``tests/analysis/compare/shared_luck.py``) of one reader with four strategies, three lengths
and three depths in each cluster; 60 % of trials change by luck alone. Each night has five before it, and is
compared with the last of them; "two" with the first of them too, each at half the level; "pooled" with the
mean of all five; "oracle" as if the amount of luck were known. Power is of a tenth of the nights.
1,000 nights of one world take 40 s of CPU, and of all 20 a quarter of an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.rows import Row
from niah.analysis.compare.verdict import Limits
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld
from tests.bench.luck_tables import LuckTables

ALPHA = Limits().alpha
EARLIER = 5
SHAPES = {
    "3 sets x 4 seeds": LuckyWorld(3, 4),
    "12 seeds of one set": LuckyWorld(3, 12, spread=True),
    "4 sets x 3 seeds": LuckyWorld(4, 3),
    "6 sets x 5 seeds": LuckyWorld(6, 5),
    "3 sets x 12 seeds": LuckyWorld(3, 12),
}
LUCK = ((0.0, 0.0), (0.8, 0.0), (0.0, 0.2), (0.8, 0.2))


@dataclass
class Figures:
    """Of one world: of each night, whether it alarms and whether the interval of all pairs holds 0."""

    alarms: dict[str, list[bool]] = field(default_factory=dict)
    held: list[bool] = field(default_factory=list)

    def add(self, name: str, *alarms: bool) -> None:
        self.alarms.setdefault(name, []).append(any(alarms))

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {100 * np.mean(each):.1f} %" for name, each in self.alarms.items())
        return f"alarms: {shares}; coverage {100 * np.mean(self.held):.1f} %"


def main() -> None:
    nights = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{nights} nights each; goal: alarms 1.5-5 %, coverage 93-98 %, the stated drop found in 78 %")
    for name, shape in SHAPES.items():
        if len(sys.argv) < 3 or sys.argv[2] in name:
            for seed_luck, night_luck in LUCK:
                lucky = LuckyNights(replace(shape, seed_luck=seed_luck, night_luck=night_luck))
                print(f"  {name}, seeds {seed_luck:g}, nights {night_luck:g}", flush=True)
                print(f"    {nothing_changed(lucky, nights)}", flush=True)
                for pool in (1, EARLIER):
                    print(f"    {dropped(lucky, max(nights // 10, 50), pool)}", flush=True)


def nothing_changed(lucky: LuckyNights, nights: int) -> Figures:
    figures, tables, rng = Figures(), LuckTables(lucky, ALPHA), np.random.default_rng(0)
    known = tables.known()
    for _ in range(nights):
        scores = lucky.draw(EARLIER + 1, rng)
        luck = tables.learned(scores)
        first, last, mean = (scores[-1] - each for each in (scores[0], scores[-2], scores[:-1].mean(axis=0)))
        figures.add("last night", tables.alarms(last, luck, 2, ALPHA))
        figures.add("two", *(tables.alarms(each, luck, 2, ALPHA / 2) for each in (last, first)))
        figures.add("pooled", tables.alarms(mean, luck, 1 + 1 / EARLIER, ALPHA))
        figures.add("oracle", tables.alarms(last, known, 2, ALPHA))
        figures.held.append(tables.interval_holds_0(last, luck, 2))
    return figures


def dropped(lucky: LuckyNights, nights: int, pool: int) -> str:
    """What is said to be found where everything drops, and how often it is."""
    rng = np.random.default_rng(1)

    def all_pairs(fall: Callable[[NDArray[np.float64]], float]) -> Row:
        scores = lucky.draw(EARLIER + 1, rng)
        falls = fall(scores[:-1])
        scores[-1] = np.where(rng.random(scores.shape[1]) < falls, 1.0, scores[-1])
        return lucky.rows(scores, alpha=ALPHA, pool=pool)[0]

    stated = float(np.median([all_pairs(lambda _: 0.0).detectable or np.inf for _ in range(nights)]))
    found = [all_pairs(lambda before: stated / (before.mean() - 1)).adjusted or 0.0 for _ in range(nights)]
    share = np.mean(np.array(found) <= ALPHA)
    against = f"the mean of {pool} nights" if pool > 1 else "last night"
    return f"against {against} a drop of {stated:.2f} of everything is stated, and found in {share:.1%}"


if __name__ == "__main__":
    main()
