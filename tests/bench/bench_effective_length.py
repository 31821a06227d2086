"""Effective lengths in simulated worlds: how far off, and how often the interval holds the truth.

    PYTHONPATH=. python tests/bench/bench_effective_length.py [RUNS] [SEED] [WORLD,WORLD] [trials=1,3,5,9]

Readers of ``tests/analysis/planted_lengths.py``, to which nothing was tuned, those of
``tests/analysis/other_lengths.py``, and needle sets that share their seeds' luck. Words name worlds, or
"planted", "others", "sets"; "trials=1,3" the trials a cell. Goal: off by less than half a length on the
average, intervals that hold the truth in 90 to 98 %, at 1, 3 and 5 trials a cell. Right: how often the length
itself is the truth; no interval around it can hold it less often. Without RUNS, 8; docs have 200, which take
half an hour of CPU; parts with seeds of their own can run at once.
"""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.analysis.frame import trial_frame
from niah.analysis.stats.effective_length import effective_lengths
from tests.analysis.other_lengths import OTHERS, other
from tests.analysis.planted_lengths import LENGTHS, WORLDS, as_records, planted

SHARED_WORLDS = ("cliff", "slope", "lost in the middle")


def main() -> None:
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    runs, seed = (*numbers, *(8, 0)[len(numbers) :])[:2]
    words = [each for each in sys.argv[1:] if not each.isdigit()]
    chosen = {name for word in words if "=" not in word for name in word.split(",")}
    trials = next((word[7:] for word in words if word.startswith("trials=")), "1,3,5,9")
    cells = [int(each) for each in trials.split(",")]
    print(f"{runs} simulated runs each, seed {seed}; off: in lengths of the grid; counted: the plain rule")
    for name, worlds in (("planted", WORLDS), ("others", OTHERS)):
        asked = [each for each in worlds if not chosen or chosen & {name, each}]
        for depths, kind, count in product((5, 11), asked, cells):
            _measure(runs, seed, depths, kind, count)
    if not chosen or "sets" in chosen:
        print("needle sets that share all luck of their seeds, each taken for a cluster of its own")
        for kind, (sets, seeds) in product(SHARED_WORLDS, ((6, 1), (3, 2), (3, 3), (4, 4))):
            _measure(runs, seed, 5, kind, seeds, sets)


def _measure(runs: int, seed: int, depths: int, kind: str, seeds: int, sets: int = 1) -> None:
    rng = np.random.default_rng([seed, seeds] if seed else seeds)
    rows, start = [], time.process_time()
    for _ in range(runs):
        if kind in WORLDS:
            (scores, truth), lengths = planted(kind, seeds, depths, rng, sets), LENGTHS
        else:
            scores, truth, lengths = other(kind, seeds, depths, rng)
        (found,) = effective_lengths(trial_frame(as_records(scores, lengths)))
        at, low, high = (_place(each, lengths) for each in (found.length, found.low, found.high))
        rows.append((at - truth, _counted(scores) - truth, at == truth, low <= truth <= high, high - low))
    off, counted, right, held, width = np.mean(rows, axis=0)
    cell = f"{seeds} a cell" if sets == 1 else f"{sets} x {seeds} a cell"
    cpu = 1000 * (time.process_time() - start) / runs
    print(
        f"  {depths:2d} depths, {kind:18s} {cell}: off {off:+.2f} (counted {counted:+.2f}),"
        f" right {right:4.0%}, held {held:5.1%}, {width:.2f} lengths wide, {cpu:.0f} ms",
        flush=True,
    )


def _counted(scores: NDArray[np.float64]) -> int:
    means = scores.mean(axis=0)
    return int(np.cumprod((means >= 0.85 * means[:, 0].mean() - 1e-9).all(axis=0)).sum())


def _place(length: int | None, lengths: NDArray[np.int64]) -> int:
    return 0 if length is None else int(np.searchsorted(lengths, length)) + 1


if __name__ == "__main__":
    main()
