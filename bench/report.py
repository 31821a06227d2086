"""The HTML report of 50,000 trials: how long it takes to build, how large it is, how fast it opens.

    python -m bench.report

13 lengths from 1k to 128k tokens, 10 depths, 4 needle sets x 3 seeds, 8 strategies, 4 readers: 49,920 trials
with answers of about 640 characters that no two share. First the whole command ``niah report``, start and
figures included, in a process of its own; then the page alone, with 40 figures. Real cases; answers and
retrieval are simulated. The page is opened from disk in headless Chromium, where there is one.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from niah.analysis.frame import trial_frame
from niah.analysis.tables.table import Table
from niah.plots.figures.heatmaps.run_heatmaps import heatmaps
from niah.plots.html import page_figure, page_parts, write_report_page
from niah.plots.kit.saved_figure import SavedFigure
from niah.runs.file.read_model import read_run
from niah.runs.trial import TrialRecord
from tests.plots.html.simulated_run import LARGE, write_run

FIGURES = 40
LIMIT_BUILD_S, LIMIT_MB, LIMIT_OPEN_S = 12.0, 1000.0, 1.0
OPENINGS = 5
_OPENED = """
const [entry] = performance.getEntriesByType("navigation");
return [Number(document.documentElement.dataset.ready), entry.domInteractive];
"""
_FILTER = """
const [fragment, done] = arguments, start = performance.now();
location.hash = fragment;
const drawn = () => setTimeout(() => done(performance.now() - start));
addEventListener("hashchange", () => requestAnimationFrame(drawn), { once: true });
"""
_CELL = """
const done = arguments[0], start = performance.now(), cells = document.querySelectorAll(".cell");
cells[cells.length >> 1].click();
const look = () => document.querySelector(".trial") ? done(performance.now() - start) : setTimeout(look, 1);
look();
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trials = write_run(folder / "run.sqlite", LARGE)
        command(folder)
        page = build(folder, trials)
        browse(page)


def command(folder: Path) -> None:
    """What ``niah report`` takes."""
    wall = time.perf_counter()
    arguments = ["report", str(folder / "run.sqlite"), "--out", str(folder / "whole")]
    subprocess.run([sys.executable, "-m", "niah", *arguments], check=True, stdout=subprocess.DEVNULL)
    taken, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - wall
    cpu = taken.ru_utime + taken.ru_stime
    print(f"niah report: {wall:.1f} s ({cpu:.1f} s of CPU), peak {taken.ru_maxrss / 1000:.0f} MB")
    print(f"report of 50,000 trials: {wall:.3g}")


def build(folder: Path, trials: int) -> Path:
    figures = drawn(folder / "figures", read_run(folder / "run.sqlite").records)
    before = _peak_mb()
    wall, cpu = time.perf_counter(), time.process_time()
    run = read_run(folder / "run.sqlite")
    frame = trial_frame(run.records, run.samples)
    page = write_report_page(folder, "large", page_parts([run], frame), list(map(page_figure, figures)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    size = page.stat().st_size
    print(
        f"{trials:,} trials: built in {wall:.1f} s ({cpu:.1f} s of CPU), limit {LIMIT_BUILD_S:.0f} s;",
        end=" ",
    )
    print(f"peak {_peak_mb():.0f} MB ({before:.0f} MB before), limit {LIMIT_MB:.0f} MB")
    print(f"page: {size / 10**6:.1f} MB with {len(figures)} figures")
    print(f"page of 50,000 trials: {size / 10**6:.3g}")
    return page


def drawn(folder: Path, records: Sequence[TrialRecord]) -> list[SavedFigure]:
    """The run's heatmaps, as many times as it takes."""
    table = Table("cells", "cells", ("length", "depth", "mean"), tuple((i, i, 0.5) for i in range(130)))
    svgs = [path for path in heatmaps(records, folder) if path.suffix == ".svg"]
    chosen = (svgs * FIGURES)[:FIGURES]
    return [
        SavedFigure(f"figure-{i}", f"Figure {i}", "", "Scores", svg, svg, table)
        for i, svg in enumerate(chosen)
    ]


def browse(page: Path) -> None:
    try:
        from selenium.webdriver import Chrome, ChromeOptions
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        print("not opened: selenium is not installed")
        return
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        print("not opened: there is no chromium with chromedriver")
        return
    options = ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"):
        options.add_argument(argument)
    opened, parsed, filtered, clicked = [], [], [], []
    for _ in range(OPENINGS):
        with Chrome(options=options, service=Service(driver)) as browser:
            browser.set_script_timeout(60)
            browser.get(page.as_uri())
            while not browser.execute_script("return 'ready' in document.documentElement.dataset"):
                time.sleep(0.01)
            ready, interactive = browser.execute_script(_OPENED)
            opened.append(ready / 1000)
            parsed.append(interactive / 1000)
            filtered.append(browser.execute_async_script(_FILTER, "set=three-gates") / 1000)
            clicked.append(browser.execute_async_script(_CELL) / 1000)
    for says, seconds in (
        (f"opens, heatmaps shown and clickable (limit {LIMIT_OPEN_S:.0f} s)", opened),
        ("of that, parsed", parsed),
        ("a needle set chosen, all heatmaps drawn again", filtered),
        ("a cell clicked, its trial shown", clicked),
    ):
        print(
            f"{says}: {statistics.median(seconds):.2f} s (median of {OPENINGS}, worst {max(seconds):.2f} s)"
        )


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
