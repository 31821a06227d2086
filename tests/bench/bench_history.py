"""CPU seconds of reading a hundred nights of 600 trials, as ``niah history`` does, and as a report would.

PYTHONPATH=. python tests/bench/bench_history.py [NIGHTS]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from niah.api.history import read_history
from niah.judges.verdict import SCORES
from niah.runs.file.read_model import read_run, read_scores
from tests.runs.simulated_nights import write_night


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [night(folder, number) for number in range(count)]
        for reader in (read_scores, read_run):
            seconds = cpu_seconds(lambda reader=reader: [reader(path) for path in paths])  # type: ignore[misc]
            trials = 600 * count
            print(f"history: {reader.__name__}: {seconds:.2f} s, {1e6 * seconds / trials:.0f} us a trial")
        print(f"history: from files to trends: {cpu_seconds(lambda: read_history(folder)):.2f} s")


def night(folder: Path, number: int) -> Path:
    """600 trials: three strategies on 120 anchor cases and 80 fresh ones."""
    rng = random.Random(number)
    scores = {name: rng.choices((*SCORES, None), k=120) for name in ("lc", "dos", "topk")}
    fresh = rng.choices(SCORES, k=80)
    return write_night(folder, date(2026, 1, 1) + timedelta(days=number), scores, fresh=fresh)


def cpu_seconds(work: Callable[[], Any]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


if __name__ == "__main__":
    main()
