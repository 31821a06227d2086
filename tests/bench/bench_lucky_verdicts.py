"""niah compare where luck is shared: how often a verdict is "incomplete", and whether it names what dropped.

    OMP_NUM_THREADS=1 python -m tests.bench.bench_lucky_verdicts [incomplete|named] [NIGHTS] [WORLD]

Nights like those of the shipped preset (``tests/analysis/compare/shared_luck.py``): one reader, six
strategies, three lengths and depths, 15 spread anchors over three needle sets. Each has five before it, which
tell of luck, and is compared with the last of them. 60 % of trials change by luck alone. What dropped is as
large as is stated on the median of as many nights without it. WORLD is a part of how a line begins, such as
"seeds 0, nights 0, simulated:". A night takes 50 ms of CPU. Without NIGHTS, 20; docs have 100 and 400.
"""

from __future__ import annotations

import sys
import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.rows import Row
from niah.analysis.compare.verdict import Limits, comparison_verdict
from tests.analysis.compare.shared_luck import STRATEGIES, LuckyNights, LuckyWorld

LIMITS = Limits()
SHIPPED = LuckyWorld(3, 15, spread=True, strategies=(*STRATEGIES, "oracle", "closed-book"))
LUCK = ((0.0, 0.0), (0.8, 0.2))
ABILITIES = (0.4, 1.4, 2.9)
READER = {"reader": "simulated"}
STRUCK = (
    READER,
    {**READER, "strategy": "mixpr"},
    {**READER, "depth": "middle"},
    {**READER, "length_band": "64-128k"},
)
NIGHTS_BEFORE = 5


def main() -> None:
    parts = {"incomplete": incomplete, "named": named}
    nights = next((int(each) for each in sys.argv[1:] if each.isdigit()), 20)
    world = next((each for each in sys.argv[1:] if each not in parts and not each.isdigit()), "")
    for name in [each for each in sys.argv[1:] if each in parts] or parts:
        parts[name](nights, world)


def incomplete(nights: int, world: str) -> None:
    """Nights on which nothing changed and the verdict is that too little can be said."""
    print(
        f"null nights called incomplete, a drop of {LIMITS.detectable:g} must be seen, {nights} nights each"
    )
    for seed_luck, night_luck in LUCK:
        for ability in ABILITIES:
            title = f"seeds {seed_luck:g}, nights {night_luck:g}, ability {ability:g}"
            if world not in title:
                continue
            lucky = LuckyNights(replace(SHIPPED, seed_luck=seed_luck, night_luck=night_luck, ability=ability))
            rng = _rng("incomplete", seed_luck, night_luck, ability)
            kinds, right, stated = [], [], []
            for _ in range(nights):
                rows, scores = _night(lucky, rng)
                kinds.append(comparison_verdict(rows, 0, LIMITS, luck_is_known=True).kind)
                right.append(float((scores == 10).mean()))
                stated.append(rows[0].detectable or np.inf)
            shares = ", ".join(
                f"{kind} {100 * kinds.count(kind) / nights:.1f} %" for kind in sorted(set(kinds))
            )
            low, middle, high = np.quantile(stated, (0.1, 0.5, 0.9))
            print(
                f"  {title}, right in {100 * np.mean(right):.0f} %:"
                f" {shares}; a drop of the reader is seen from {middle:.2f} on ({low:.2f} to {high:.2f})",
                flush=True,
            )


def named(nights: int, world: str) -> None:
    """Nights with a drop as large as is said to be seen four times in five."""
    print(f"a planted drop at the stated minimum detectable difference, {nights} nights each")
    for seed_luck, night_luck in LUCK:
        lucky = LuckyNights(replace(SHIPPED, seed_luck=seed_luck, night_luck=night_luck, ability=1.4))
        for parts in STRUCK:
            title = f"seeds {seed_luck:g}, nights {night_luck:g}, {' · '.join(parts.values())}:"
            if world in title:
                print(f"  {title} {_planted(lucky, parts, nights)}", flush=True)


def _planted(lucky: LuckyNights, parts: dict[str, str], nights: int) -> str:
    rng = _rng("named", lucky.world.seed_luck, lucky.world.night_luck, *parts.values())
    quiet = [_row(_night(lucky, rng)[0], parts).detectable or np.inf for _ in range(nights)]
    drop = float(np.median(quiet))
    found = rightly = innocent = 0
    for _ in range(nights):
        rows, _scores = _night(lucky, rng, parts, drop)
        worse = [row for row in rows if row.adjusted is not None and row.adjusted <= LIMITS.alpha]
        found += any(row.parts == parts for row in worse)
        rightly += any(row.parts == parts for row in comparison_verdict(rows, 0, LIMITS).regressions)
        innocent += any(
            any(row.parts.get(axis, part) != part for axis, part in parts.items()) for row in worse
        )
    shares = [f"{100 * each / nights:.0f} %" for each in (found, rightly, innocent)]
    return f"{drop:.2f}; the row found in {shares[0]}, named in {shares[1]}; an innocent row in {shares[2]}"


def _rng(*of: object) -> np.random.Generator:
    """Random numbers of a figure's own: what chance does to one says nothing of the others."""
    return np.random.default_rng(zlib.crc32(repr(of).encode()))


def _night(
    lucky: LuckyNights, rng: np.random.Generator, parts: dict[str, str] | None = None, drop: float = 0.0
) -> tuple[tuple[Row, ...], NDArray[np.float64]]:
    """The table of a night in which some answers fall to 1, the others stay, and the scores before that."""
    scores = lucky.draw(NIGHTS_BEFORE + 1, rng)
    before = scores.copy()
    if parts:
        struck = np.ones(scores.shape[1], dtype=np.bool_)
        for axis in lucky.axes:
            if axis.name in parts:
                struck &= axis.codes == axis.names.index(parts[axis.name])
        falls = drop / (scores[:-1, struck].mean() - 1)
        scores[-1] = np.where(struck & (rng.random(len(struck)) < falls), 1.0, scores[-1])
    return lucky.rows(scores, alpha=LIMITS.alpha), before


def _row(rows: tuple[Row, ...], parts: dict[str, str]) -> Row:
    return next(row for row in rows if row.parts == parts and row.measure == "score")


if __name__ == "__main__":
    main()
