"""Months of nights with a reader that is worse from the 19th to the 24th: which nights are red?

    python -m tests.bench.bench_month [FOLDER [MONTHS [SHARE [POOL]]]]

Of MONTHS months (20) it prints how many nights are red before the 19th, while it is worse, and after; and how
many would be, were each night compared with the one before. SHARE (0.3) of the answers are the bad reader's
in a bad night, and 3 % of all scores change each night by luck. FOLDER gets the first month with every page,
to look at: plots/history/index.html. With POOL each night is compared with the mean of so many accepted ones,
and no pages are made. FOLDER is a new one; without it one month is made, no page, and nothing kept. Two
nights are asked of a loopback server; the rest is written.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from contextlib import chdir
from itertools import pairwise
from pathlib import Path

from niah.analysis.compare.verdict import Limits
from niah.api.compare import compare_runs
from niah.cli.main import main as niah
from tests.api.month import BAD, DAYS, ask_both, day_of, mixed, run_month
from tests.api.nights import Nights
from tests.conftest import simulating

STRETCHES = {"before the 19th": range(1, 19), "19th to 24th": BAD, "from the 25th": range(25, 29)}


def main() -> None:
    if len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as folder:
            print_months(Path(folder) / "month", 1)
        return
    months = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    share = float(sys.argv[3]) if len(sys.argv) > 3 else 0.3
    pool = int(sys.argv[4]) if len(sys.argv) > 4 else None
    print_months(Path(sys.argv[1]), months, share, pool, pages=not pool)


def print_months(
    folder: Path, months: int, share: float = 0.3, pool: int | None = None, *, pages: bool = False
) -> None:
    """So many months, and the pages of the first; the folder must not be there yet."""
    folder.mkdir(parents=True)
    with simulating() as server, chdir(folder):
        nights = Nights(server)
        good, bad = ask_both(nights)
        kept = good, mixed(good, bad, share)
        accepted, last_night = Counter[str](), Counter[str]()
        for month in range(months):
            Path("runs").mkdir(exist_ok=True)
            red = []
            for day, night in run_month(nights, kept, seed=month + 1, pool=pool):
                accepted[stretch_of(day)] += night.kind == "regression"
                red += [day] * (night.kind == "regression")
            print(f"month {month + 1}: red on {', '.join(map(str, red)) or 'no day'}", flush=True)
            for before, day in () if pool else pairwise(DAYS):
                paths = [nights.path(day_of(each)) for each in (before, day)]
                found = compare_runs(*paths, limits=Limits(detectable=3.0))
                last_night[stretch_of(day)] += found.verdict.kind == "regression"
            if not month:
                shutil.copytree("runs", "first")
            shutil.rmtree("runs")
        print_table(months, accepted, last_night)
        if pages:
            make_pages()


def make_pages() -> None:
    """The first month again, in the working folder, with every page."""
    Path("runs").mkdir()
    for day in DAYS:
        shutil.copy(f"first/night-{day_of(day)}.sqlite", "runs")
        niah(["nightly", "night.yaml", "--date", day_of(day), "--detect", "3"])
    niah(["history"])


def stretch_of(day: int) -> str:
    """Of which part of the month a day is."""
    return next(name for name, days in STRETCHES.items() if day in days)


def print_table(months: int, accepted: Counter[str], last_night: Counter[str]) -> None:
    title = f"{months} month{'s' * (months > 1)}"
    print(f"| {title} | nights | red, against the last accepted night | red, against last night |")
    print("|---|---|---|---|")
    for name, days in STRETCHES.items():
        count = months * len([day for day in DAYS if day in days])
        shares = (f"{found[name]} ({100 * found[name] / count:.1f} %)" for found in (accepted, last_night))
        print(f"| {name} | {count} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()
