"""niah compare where luck is shared: false alarms, coverage and power, learning from five earlier nights.

    OMP_NUM_THREADS=1 python -m tests.bench.bench_shared_luck [alarms|power] [NIGHTS [EARLIER]] [WORLD]

Simulated nights (``tests/analysis/compare/shared_luck.py``) of one reader with four strategies, three lengths
and three depths in each cluster; 60 % of trials change by luck alone, unless said otherwise. Each night has
five before it, or EARLIER, and is compared with the last of them; "two" with the fifth last too, each at half
the level; "pooled" with the mean of the last five; "oracle" as if the amount of luck were known. Power is of
a tenth of the nights, of 50 where there are so many. WORLD is a part of a world's name. Each world has random
numbers of its own, so that what chance does to one says nothing of the others. Without NIGHTS, 20; docs have
1,000, of which one world takes 10 s of CPU without power.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.verdict import Limits
from tests.analysis.compare.shared_luck import STRATEGIES, LuckyNights, LuckyWorld
from tests.bench.luck_tables import LuckTables

ALPHA = Limits().alpha
REFERENCES = 5
SHAPES = {
    "3 sets x 4 seeds": LuckyWorld(3, 4),
    "12 seeds of one set": LuckyWorld(3, 12, spread=True),
    "4 sets x 3 seeds": LuckyWorld(4, 3),
    "6 sets x 5 seeds": LuckyWorld(6, 5),
    "3 sets x 12 seeds": LuckyWorld(3, 12),
    "5 sets x 2 seeds, two strategies": LuckyWorld(5, 2, strategies=STRATEGIES[:2]),
    "20 seeds of one set, most right": LuckyWorld(4, 20, spread=True, ability=2.2),
    "2 sets x 8 seeds, 90 % the same": LuckyWorld(2, 8, same=0.9),
    "9 seeds of one set, half right": LuckyWorld(3, 9, spread=True, ability=0.0),
    "4 sets x 6 seeds, all drawn anew": LuckyWorld(4, 6, strategies=STRATEGIES[:3], same=0.0),
    "5 sets x 3 seeds, sets unlike each other": LuckyWorld(5, 3, own_luck=0.8, ability=1.5),
    "4 sets x 6 seeds, nearly all right and the same": LuckyWorld(
        *(4, 6), own_luck=0.05, ability=5.0, same=0.98
    ),
    "3 sets x 4 seeds, 98 % the same": LuckyWorld(3, 4, own_luck=0.05, ability=4.0, same=0.98),
    "as shipped, half right": LuckyWorld(
        *(3, 15), spread=True, strategies=(*STRATEGIES, "oracle", "closed-book"), ability=0.4
    ),
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
    parts = {"alarms": nothing_changed, "power": power}
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    nights, earlier = (*numbers, *(20, REFERENCES)[len(numbers) :])
    wanted = [each for each in sys.argv[1:] if each in parts] or list(parts)
    world = next((each for each in sys.argv[1:] if each not in parts and not each.isdigit()), "")
    print(f"{nights} nights each; goal: alarms 1.5-5 %, coverage 93-98 %, the stated drop found in 78 %")
    for name, (seed_luck, night_luck) in product(SHAPES, LUCK):
        title = f"{name}, seeds {seed_luck:g}, nights {night_luck:g}"
        if world not in title:
            continue
        print(f"  {title}", flush=True)
        lucky = LuckyNights(replace(SHAPES[name], seed_luck=seed_luck, night_luck=night_luck))
        for part in wanted:
            rng = np.random.default_rng(zlib.crc32(f"{part} {title}".encode()))
            print(f"    {parts[part](lucky, nights, earlier, rng)}", flush=True)


def nothing_changed(lucky: LuckyNights, nights: int, earlier: int, rng: np.random.Generator) -> Figures:
    figures, tables = Figures(), LuckTables(lucky, ALPHA)
    known = tables.known()
    for _ in range(nights):
        scores = lucky.draw(earlier + 1, rng)
        luck, of_pool = tables.learned(scores, (1, REFERENCES))
        last_nights = scores[-1 - REFERENCES : -1]
        others = last_nights[0], last_nights[-1], last_nights.mean(axis=0)
        first, last, mean = (scores[-1] - each for each in others)
        figures.add("last night", tables.alarms(last, luck, ALPHA))
        figures.add("two", *(tables.alarms(each, luck, ALPHA / 2) for each in (last, first)))
        figures.add("pooled", tables.alarms(mean, of_pool, ALPHA))
        figures.add("oracle", tables.alarms(last, known, ALPHA))
        figures.held.append(tables.interval_holds_0(last, luck))
    return figures


def power(lucky: LuckyNights, nights: int, earlier: int, rng: np.random.Generator) -> str:
    few, tables = min(nights, max(nights // 10, 50)), LuckTables(lucky, ALPHA)
    return "\n    ".join(dropped(lucky, tables, few, pool, earlier, rng) for pool in (1, REFERENCES))


def dropped(
    lucky: LuckyNights, tables: LuckTables, nights: int, pool: int, earlier: int, rng: np.random.Generator
) -> str:
    """What is said to be found where everything drops, and how often it is.

    Each night states a drop of its own, by the luck that it knows of. What a night states is planted in that
    very night; and what the median night states in other nights.
    """

    def found(scores: NDArray[np.float64], drop: float) -> bool:
        falls = rng.random(scores.shape[1]) < drop / (scores[:-1].mean() - 1)
        fallen = np.vstack([scores[:-1], np.where(falls, 1.0, scores[-1])])
        return tables.finds_all_pairs(fallen, pool, ALPHA)

    quiet = [lucky.draw(earlier + 1, rng) for _ in range(nights)]
    stated = [tables.stated(scores, pool, ALPHA) for scores in quiet]
    of_each = np.mean([found(scores, drop) for scores, drop in zip(quiet, stated, strict=True)])
    low, middle, high = np.quantile(stated, (0.1, 0.5, 0.9))
    of_median = np.mean([found(lucky.draw(earlier + 1, rng), middle) for _ in range(nights)])
    against = f"the mean of {pool} nights" if pool > 1 else "last night"
    return (
        f"against {against} a drop of {middle:.2f} ({low:.2f} to {high:.2f}) of everything is stated:"
        f" what each night states is found in {of_each:.1%}, what the median night states in {of_median:.1%}"
    )


if __name__ == "__main__":
    main()
