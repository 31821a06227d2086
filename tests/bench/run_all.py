"""Every bench in turn, and at the end two tables: figures beside their goals, and what each bench took.

    python -m tests.bench.run_all [WORD ...]        # make bench

Each bench is a process of its own; one that fails, or whose figure misses its goal, stops no other. With
words, those benches alone whose name has one of them. A bench that lacks what it needs prints "skipped: ..."
and ends with 0; one that takes longer than a quarter of an hour is stopped, and has failed. Exit code 1
where any failed.
"""

from __future__ import annotations

import compileall
import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.goals import GOALS, figure_in

ROOT = Path(__file__).parents[2]
LIMIT_S = 900.0
SKIPPED = "skipped: "


@dataclass(frozen=True)
class BenchResult:
    """What came of one bench.

    Attributes:
        name: of its file, without "bench_".
        seconds: of the clock.
        cpu_seconds: of all its processes that it waited for.
        code: its exit code, negative where a signal ended it.
        lines: what it printed on standard output.
    """

    name: str
    seconds: float
    cpu_seconds: float
    code: int
    lines: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """In words."""
        if self.code:
            return f"FAILED, exit code {self.code}"
        return next((line for line in self.lines if line.startswith(SKIPPED)), "done")


def benches(folder: Path, words: Sequence[str]) -> list[Path]:
    """The files of a folder's benches, by name: those that have one of the words in it, or all."""
    found = sorted(folder.glob("bench_*.py"))
    return [path for path in found if not words or any(word in path.stem for word in words)]


def run_bench(path: Path, limit_s: float = LIMIT_S) -> BenchResult:
    """Run it to its end, or for so long, and print its lines as they come."""
    print(f"=== {path.stem}", flush=True)
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    lines, began, cpu_began = [], time.perf_counter(), _cpu_seconds()
    with subprocess.Popen(
        [sys.executable, "-u", str(path)], cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        timer = threading.Timer(limit_s, _stop, [process.pid])
        timer.start()
        try:
            assert process.stdout
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line.rstrip("\n"))
            code = process.wait()
        finally:
            timer.cancel()
            _stop(process.pid)
    took, took_cpu = time.perf_counter() - began, _cpu_seconds() - cpu_began
    return BenchResult(path.stem.removeprefix("bench_"), took, took_cpu, code, tuple(lines))


def _cpu_seconds() -> float:
    """Of all processes that this one has waited for, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _stop(group: int) -> None:
    """End a bench and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def figures_table(results: Sequence[BenchResult]) -> list[str]:
    """A line for each figure that has a goal."""
    rows: list[tuple[str, ...]] = [("figure", "measured", "goal", "floor", "goal met")]
    for name, measured in filter(None, (figure_in(line) for each in results for line in each.lines)):
        goal = GOALS[name]
        numbers = (goal.figure(each) for each in (measured, goal.goal, goal.floor))
        rows.append((name, *numbers, "yes" if goal.met_by(measured) else "no"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def benches_table(results: Sequence[BenchResult]) -> list[str]:
    """A line for each bench, failed ones last, and one of how many there are of each kind."""
    failed = [each for each in results if each.code]
    skipped = [each for each in results if not each.code and each.outcome.startswith(SKIPPED)]
    ordered = sorted(results, key=lambda each: bool(each.code))
    minutes = sum(each.seconds for each in results) / 60
    count = f"{len(results)} benches in {minutes:.0f} minutes, {len(skipped)} skipped, {len(failed)} failed"
    rows = (f"{each.seconds:7.0f}  {each.cpu_seconds:6.0f}  {each.name}: {each.outcome}" for each in ordered)
    return ["seconds  of CPU  bench", *rows, count]


def main(folder: Path, words: Sequence[str]) -> int:
    """Run them, print the tables, and return the exit code."""
    results = [run_bench(path) for path in benches(folder, words)]
    print("\n".join(["", *figures_table(results), "", *benches_table(results)]))
    return int(any(each.code for each in results))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that no bench is left behind
    compileall.compile_dir(ROOT / "niah", maxlevels=16, quiet=2)  # as an installation does
    sys.exit(main(Path(__file__).parent, sys.argv[1:]))
