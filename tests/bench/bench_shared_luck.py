"""niah compare where luck is shared: false alarms, coverage and power, learning from five earlier nights.

    python -m tests.bench.bench_shared_luck [NIGHTS [SHAPE]]

Simulated nights (``tests/analysis/compare/shared_luck.py``) of one reader with four strategies, three lengths
and three depths in each cluster; 60 % of trials change by luck alone. Each night has five before it, and is
compared with the last of them; "two" with the first of them too, each at half the level. Some 0.15 s of CPU a
night and world: half an hour of CPU for 200 nights of all shapes.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from niah.analysis.compare.rows import Row
from niah.analysis.compare.verdict import Limits
from tests.analysis.compare.shared_luck import LuckyNights, LuckyWorld, has_alarm

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


def main() -> None:
    nights = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{nights} nights each; goal: alarms 1.5-5 %, coverage 93-98 %, the stated drop found in 78 %")
    for name, shape in SHAPES.items():
        if len(sys.argv) < 3 or sys.argv[2] in name:
            for seed_luck, night_luck in LUCK:
                world = replace(shape, seed_luck=seed_luck, night_luck=night_luck)
                print(
                    f"  {name}, seeds {seed_luck:g}, nights {night_luck:g}: {told(world, nights)}", flush=True
                )


def told(world: LuckyWorld, nights: int) -> str:
    """One line of figures."""
    lucky, rng = LuckyNights(world), np.random.default_rng(0)
    alarms, blind, two, held, stated = [], [], [], [], []
    for _ in range(nights):
        scores = lucky.draw(EARLIER + 1, rng)
        rows = lucky.rows(scores, alpha=ALPHA)
        alarms.append(has_alarm(rows, ALPHA))
        blind.append(has_alarm(lucky.rows(scores, alpha=ALPHA, learning=False), ALPHA))
        both = (lucky.rows(scores, alpha=ALPHA / 2, reference=each) for each in (0, -2))
        two.append(any(has_alarm(each, ALPHA / 2) for each in both))
        held.append(_holds_none(rows[0]))
        stated.append(rows[0].detectable or np.inf)
    drop = float(np.median(stated))
    found = [_found(lucky, drop, rng) for _ in range(nights)]
    shares = (100 * np.mean(each) for each in (alarms, blind, two, held, found))
    return (
        "alarms {:.1f} % (not learning {:.1f} %), two references {:.1f} %; coverage {:.1f} %;"
        " a drop of {drop:.2f} of everything found in {:.1f} %"
    ).format(*shares, drop=drop)


def _holds_none(row: Row) -> bool:
    return row.low is not None and row.high is not None and row.low <= 0 <= row.high


def _found(lucky: LuckyNights, drop: float, rng: np.random.Generator) -> bool:
    """Whether the row of all pairs is found where right answers turn wrong, by so many points in the mean."""
    scores = lucky.draw(EARLIER + 1, rng)
    falls = drop / (scores[:-1].mean() - 1)
    scores[-1] = np.where(rng.random(scores.shape[1]) < falls, 1.0, scores[-1])
    adjusted = lucky.rows(scores, alpha=ALPHA)[0].adjusted
    return adjusted is not None and adjusted <= ALPHA


if __name__ == "__main__":
    main()
