"""niah compare: false alarms, power at the stated minimum detectable difference, coverage, and time.

    PYTHONPATH=. python tests/bench/bench_compare.py [whole] [alarms|power|incomplete|coverage|speed]

Simulated nights (``tests/analysis/compare/simulated_nights.py``): 2 readers x 4 strategies x 3 lengths x 5
depths in each cluster; 172 rows. With "whole" some minutes for each part on an idle machine, as docs have it;
without it a tenth of the nights.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.axes import cut_levels
from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.moments import interval_half_widths, moments
from niah.analysis.compare.pairs import pair
from niah.analysis.compare.rows import Row, rows_of
from niah.analysis.compare.verdict import Limits, comparison_verdict, row_label
from tests.analysis.compare.simulated_nights import STRATEGIES, Nights, Simulation, as_records

LIMITS = Limits()
WHO = {"reader": "simulated-1", "strategy": "lc"}
BAND = {**WHO, "length_band": "64-128k"}
BLOCK = {**BAND, "depth": "middle"}
READER = {"reader": "simulated-1"}
ONE = {"reader": "simulated-0"}
SIX, TWELVE, THIRTY = (
    Nights(sets=sets, seeds=clusters, spread=True) for sets, clusters in ((3, 6), (4, 12), (6, 30))
)
SHIPPED = Nights(
    sets=3,
    seeds=15,
    spread=True,
    readers=1,
    strategies=(*STRATEGIES, "oracle", "closed-book"),
    lengths=(1000, 2000, 4000),
    depths=(0.0, 50.0, 100.0),
)
"""As the shipped nightly: 15 anchors over 3 needle sets, with a third more cases than it has."""


def main() -> None:
    parts = {"alarms": alarms, "power": power, "incomplete": incomplete, "coverage": coverage, "speed": speed}
    share = 1.0 if "whole" in sys.argv else 0.1
    for name in [each for each in sys.argv[1:] if each != "whole"] or parts:
        start = time.perf_counter()
        parts[name](share)
        print(f"  ({name}: {time.perf_counter() - start:.0f} s)\n", flush=True)


def alarms(share: float) -> None:
    """Nights on which nothing changed and something is called worse."""
    count = round(500 * share)
    print(f"false alarms over the whole table, level {LIMITS.alpha:g}, {count} nights each")
    for nights in (
        SIX,
        TWELVE,
        replace(TWELVE, same=0.97),
        replace(TWELVE, luck=0.6, tails=4, failing=0.05),
        THIRTY,
        SHIPPED,
    ):
        simulation = Simulation(nights)
        found = sum(
            bool(_worse(rows_of(*simulation.draw(night), simulation.axes, alpha=LIMITS.alpha, seed=night)))
            for night in range(count)
        )
        print(f"  {_said(nights)}: {100 * found / count:.1f} % of nights", flush=True)


def power(share: float) -> None:
    """Nights with a drop as large as is said to be seen four times in five."""
    count = round(250 * share)
    print(f"a planted drop at the stated minimum detectable difference, {count} nights each")
    for nights, parts, measure in (
        (SIX, {}, "score"),
        (SIX, READER, "score"),
        (TWELVE, READER, "score"),
        (TWELVE, WHO, "score"),
        (TWELVE, {**READER, "depth": "middle"}, "score"),
        (TWELVE, {**READER, "length_band": "64-128k"}, "score"),
        (TWELVE, BAND, "score"),
        (SHIPPED, ONE, "score"),
        (SHIPPED, {**ONE, "strategy": "lc"}, "score"),
        (SHIPPED, {**ONE, "depth": "middle"}, "score"),
        (THIRTY, READER, "score"),
        (THIRTY, WHO, "score"),
        (THIRTY, {**READER, "depth": "middle"}, "score"),
        (THIRTY, {**READER, "length_band": "64-128k"}, "score"),
        (THIRTY, BLOCK, "score"),
        (THIRTY, WHO, "not scored"),
    ):
        _planted(Simulation(nights), parts, measure, count)


def _planted(simulation: Simulation, parts: dict[str, str], measure: str, count: int) -> None:
    quiet = [rows_of(*simulation.draw(10**6 + at), simulation.axes, alpha=LIMITS.alpha) for at in range(40)]
    stated = [_row(rows, parts, measure).detectable or np.inf for rows in quiet]
    drop, struck = float(np.median(stated)), simulation.where(**parts)
    falls = simulation.share_falling(struck, drop) if measure == "score" else 0.0
    failing = drop if measure == "not scored" else 0.0
    found = named = innocent = 0
    for night in range(count):
        sides = simulation.draw(night, struck, falls, failing)
        rows = rows_of(*sides, simulation.axes, alpha=LIMITS.alpha, seed=night)
        worse = _worse(rows)
        found += any(row.parts == parts and row.measure == measure for row in worse)
        names = comparison_verdict(rows, len(simulation.records), LIMITS).regressions
        named += any(row.parts == parts and row.measure == measure for row in names)
        innocent += any(_apart(row.parts, parts) for row in worse)
    where = row_label(_row(quiet[0], parts, measure))
    shares = [f"{100 * each / count:.1f} %" for each in (found, named, innocent)]
    print(
        f"  {_said(simulation.nights)}; {measure}, {where}: {drop:.2f}; the row found in {shares[0]},"
        f" named by the verdict in {shares[1]}; an innocent row in {shares[2]} of nights",
        flush=True,
    )


def incomplete(share: float) -> None:
    """Nights on which nothing changed and the verdict is that too little can be said."""
    count = round(100 * share)
    print(f"null nights called incomplete, a drop of {LIMITS.detectable:g} must be seen, {count} nights each")
    worlds = [
        *product((6, 12, 15, 24), (-0.1, 1.0, 1.6), (0.6, 0.97), [(0.15, np.inf)]),
        *product((6, 15), (-0.1, 1.0), (0.6,), [(0.6, 4.0)]),
    ]
    for clusters, ability, same, (luck, tails) in worlds:
        nights = replace(SHIPPED, seeds=clusters, ability=ability, same=same, luck=luck, tails=tails)
        simulation = Simulation(nights)
        right, kinds = 0.0, []
        for night in range(count):
            sides = simulation.draw(night)
            rows = rows_of(*sides, simulation.axes, alpha=LIMITS.alpha, seed=night)
            kinds.append(comparison_verdict(rows, 0, LIMITS).kind)
            right += float((sides[0]["score"] == 10).mean())
        shares = ", ".join(f"{kind} {100 * kinds.count(kind) / count:.0f} %" for kind in sorted(set(kinds)))
        print(f"  {_said(nights)}, right in {100 * right / count:.0f} %: {shares}", flush=True)


def coverage(share: float) -> None:
    """How often 95 % intervals hold the true mean difference."""
    count = round(10_000 * share)
    print(f"95 % intervals over {count:,} nights: all, one reader, reader x strategy that dropped by 0.8")
    for clusters, shape in ((6, (3, 2)), (12, (4, 3)), (30, (6, 5))):
        for luck, tails in ((0.15, np.inf), (0.6, np.inf), (0.6, 4.0)):
            nights = Nights(sets=shape[0], seeds=shape[1], luck=luck, tails=tails)
            simulation = Simulation(nights)
            struck = simulation.where(**WHO)
            falls = simulation.share_falling(struck, 0.8)
            held = np.array([_held(simulation, struck, falls, night) for night in range(count)])
            shares = ", ".join(f"{each:.1f} %" for each in 100 * held.mean(axis=0))
            print(f"  {clusters} clusters, luck {luck}, tails {tails:g}: {shares}", flush=True)


def _held(simulation: Simulation, struck: NDArray[np.bool_], falls: float, night: int) -> list[bool]:
    before, after = simulation.draw(night, struck, falls)
    difference = (after["score"] - before["score"]).to_numpy()
    every, reader, who = cut_levels(simulation.axes[:2], len(difference))
    truths = (
        (every, (), -0.8 / 8),
        (reader, ("simulated-0",), 0.0),
        (who, tuple(WHO.values()), -0.8),
    )
    held = []
    for level, name, truth in truths:
        found, at = moments(level, before["cluster"].to_numpy(), difference), level.names.index(name)
        held.append(bool(abs(found.mean[at] - truth) <= interval_half_widths(found)[at]))
    return held


def speed(share: float) -> None:
    """Two runs of 2,160 trials, from records to verdict."""
    simulation = Simulation(Nights(sets=6, seeds=3))
    before, after = (as_records(simulation.records, side) for side in simulation.draw(0))
    compare_pairs(pair(before, after))
    walls, cpus = [], []
    for _ in range(10):
        wall, cpu = time.perf_counter(), time.process_time()
        compare_pairs(pair(before, after))
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    print(
        f"{len(before):,} trials a run, 18 clusters, 172 rows: {1000 * np.median(walls):.0f} ms"
        f" ({1000 * np.median(cpus):.0f} ms of CPU)"
    )


def _worse(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.adjusted is not None and row.adjusted <= LIMITS.alpha]


def _row(rows: Sequence[Row], parts: dict[str, str], measure: str) -> Row:
    return next(row for row in rows if row.parts == parts and row.measure == measure)


def _apart(one: dict[str, str], other: dict[str, str]) -> bool:
    """Whether two rows have no trial in common."""
    return any(one.get(axis, part) != part for axis, part in other.items())


def _said(nights: Nights) -> str:
    return (
        f"{nights.clusters} clusters, {100 * nights.same:.0f} % answered alike, luck {nights.luck:g}"
        f" (tails {nights.tails:g})"
    )


if __name__ == "__main__":
    main()
