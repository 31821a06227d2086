"""A whole simulated u-niah run, reported: the paper's tables and figures, numbers planted and found.

    PYTHONPATH=. python tests/bench/bench_u_niah.py [FOLDER]

Seven needle sets, one of them in two haystacks, 8 lengths from 1k to 128k tokens, 10 depths, 3 seeds, 7
strategies and 5 readers (``tests/plots/simulated_u_niah.py``): 67,200 trials, of which the smallest reader's
whole contexts of 128k overflow. Less than a minute of one core. FOLDER, if it is given, keeps run file and
report.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.plots.simulated_u_niah import PLANTED, World, write_u_niah_run

_FIGURES = {
    **{number: f"u-niah-figure-{number}" for number in (4, 5, 6, 7, 8, 10, 11, 13, 14)},
    9: "retrieval-by-length",
    12: "noise-ratio",
}
_TABLES = (*(f"u-niah-table-{number}" for number in (1, 2, 3, 4)), "u-niah-win-rates", "u-niah-findings")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else scratch)
        start = time.process_time()
        drawn = write_u_niah_run(folder / "run.sqlite", World())
        print(f"{len(drawn):,} trials written: {time.process_time() - start:.0f} s of CPU")
        start = time.perf_counter()
        command = [sys.executable, "-m", "niah", "report", str(folder / "run.sqlite"), "--out"]
        subprocess.run([*command, str(folder / "report")], check=True, stdout=subprocess.DEVNULL)
        print(f"niah report: {time.perf_counter() - start:.0f} s, {_count(folder)} figures")
        _there(folder / "report")
        _patterns(folder / "report" / "tables")


def _count(folder: Path) -> int:
    return len(list((folder / "report" / "figures").glob("*.png")))


def _there(report: Path) -> None:
    """Which of the paper's tables and figures were written."""
    figures = {path.stem.partition("--")[0] for path in (report / "figures").glob("*.png")}
    parts = {name.rpartition("-")[0] for name in figures}
    missing = [str(number) for number, name in sorted(_FIGURES.items()) if name not in figures | parts]
    print(f"figures 4 to 14: {f'without {chr(44).join(missing)}' if missing else 'all'}")
    absent = [name for name in _TABLES if not (report / "tables" / f"{name}.csv").exists()]
    print(f"tables: {f'without {chr(44).join(absent)}' if absent else 'all'}")


def _patterns(tables: Path) -> None:
    """What was planted, and what the tables say of it."""
    print(f"planted thresholds: noise {PLANTED.noise}, critical {PLANTED.critical}")
    for row in _rows(tables / "error-patterns.csv"):
        if row["threshold"] and row["pattern"].startswith("noise"):
            cut = f"{float(row['threshold']):.3f} [{row['threshold_low'][:5]}, {row['threshold_high'][:5]}]"
            print(f"  {row['pattern']}, {row['behaviour']}: {cut}, {row['answer']}")
    for row in _rows(tables / "u-niah-table-3.csv"):
        own = f"same condition {float(row['same_condition']):.1f} %"
        slopes = f"smaller readers {row['smaller_readers'] or '-'}, longer {row['longer_contexts'] or '-'}"
        print(f"  {row['pattern']}: {own}; {row['condition']}: {row['answer']}; {slopes}")
    for row in _rows(tables / "u-niah-findings.csv"):
        if row["finding"].startswith("change of score"):
            print(f"  norm to reverse, {row['reader']}: {float(row['ours']):.2f} %")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
