"""Effective lengths in planted worlds: how far off, and how often the interval holds the truth.

    PYTHONPATH=. python tests/bench/bench_effective_length.py [RUNS]

Simulated readers (``tests/analysis/planted_lengths.py``). Goal: off by less than half a length on the
average, intervals that hold the truth in 90 to 98 %, at 1, 3 and 5 trials a cell. Right: how often the length
itself is the truth; no interval around it can hold it less often. A minute of CPU.
"""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.analysis.frame import trial_frame
from niah.analysis.stats.effective_length import effective_lengths
from tests.analysis.planted_lengths import LENGTHS, WORLDS, as_records, planted

SHARED_WORLDS = ("cliff", "slope", "lost in the middle")


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(
        f"{runs} simulated runs each; off: in lengths of the grid; counted: the plain rule on the same trials"
    )
    for depths, kind, trials in product((5, 11), WORLDS, (1, 3, 5, 9)):
        _measure(runs, depths, kind, trials)
    print("needle sets that share all luck of their seeds, each taken for a cluster of its own")
    for kind, (sets, seeds) in product(SHARED_WORLDS, ((6, 1), (3, 2), (3, 3), (4, 4))):
        _measure(runs, 5, kind, seeds, sets)


def _measure(runs: int, depths: int, kind: str, seeds: int, sets: int = 1) -> None:
    rng = np.random.default_rng(seeds)
    rows, start = [], time.process_time()
    for _ in range(runs):
        scores, truth = planted(kind, seeds, depths, rng, sets)
        (found,) = effective_lengths(trial_frame(as_records(scores)))
        at, low, high = (_place(each) for each in (found.length, found.low, found.high))
        rows.append((at - truth, _counted(scores) - truth, at == truth, low <= truth <= high, high - low))
    off, counted, right, held, width = np.mean(rows, axis=0)
    cell = f"{seeds} a cell" if sets == 1 else f"{sets} x {seeds} a cell"
    cpu = 1000 * (time.process_time() - start) / runs
    print(
        f"  {depths:2d} depths, {kind:18s} {cell}: off {off:+.2f} (counted {counted:+.2f}),"
        f" right {right:4.0%}, held {held:5.1%}, {width:.1f} lengths wide, {cpu:.0f} ms",
        flush=True,
    )


def _counted(scores: NDArray[np.float64]) -> int:
    means = scores.mean(axis=0)
    return int(np.cumprod((means >= 0.85 * means[:, 0].mean() - 1e-9).all(axis=0)).sum())


def _place(length: int | None) -> int:
    return 0 if length is None else int(np.searchsorted(LENGTHS, length)) + 1


if __name__ == "__main__":
    main()
