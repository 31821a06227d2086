"""A real browser, and a report to open in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.tables.table import Table
from niah.plots.html import page_figure, page_parts, write_report_page
from niah.plots.kit.saved_figure import SavedFigure
from niah.runs.file.read_model import RunContents, read_run
from tests.plots.html.given_run import write_given_run, write_question_set
from tests.plots.html.hostile import HOSTILE, HOSTILE_NAME
from tests.plots.html.pages import Page
from tests.plots.html.planted_run import write_planted_run
from tests.plots.html.simulated_run import Size, write_run

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SIZE = Size(readers=("simulated-a", HOSTILE_NAME))
TABLE = Table(
    "win-rates",
    f"Win rates {HOSTILE_NAME}",
    ("strategy", "win rate", "n"),
    ((HOSTILE_NAME, 0.25, 4), ("=SUM(1)", 0.125, 30), ("lc", None, 7), ('a "b", c', 0.5, 10)),
    f"What is left out: {HOSTILE_NAME}",
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">{}</svg>'
SVG_SCRIPT = "<script>parent.pwned = 1</script><image href='http://127.0.0.1:9/x.png'/>"


def drawn(folder: Path, group: str, name: str) -> SavedFigure:
    svg = folder / f"{name}.svg"
    svg.write_text(SVG.format(SVG_SCRIPT))
    return SavedFigure(name, f"Score by length {HOSTILE_NAME}", "Higher is better.", group, svg, svg, TABLE)


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunContents:
    """Trials of two readers, the first of which gave hostile answers."""
    path = tmp_path_factory.mktemp("run") / "simulated.sqlite"
    write_run(path, SIZE, dict(enumerate(HOSTILE)))
    return read_run(path)


@pytest.fixture(scope="session")
def given(tmp_path_factory: pytest.TempPathFactory) -> RunContents:
    """Trials of questions over given documents, of which a metric was the judge."""
    folder = tmp_path_factory.mktemp("given")
    write_given_run(folder / "given.sqlite", write_question_set(folder))
    return read_run(folder / "given.sqlite")


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> RunContents:
    """1,200 trials of readers whose faults are known."""
    path = tmp_path_factory.mktemp("planted") / "planted.sqlite"
    write_planted_run(path)
    return read_run(path)


def page_of(
    folder: Path,
    title: str,
    runs: Sequence[RunContents],
    figures: Sequence[SavedFigure] = (),
    tables: Sequence[Table] = (),
) -> Path:
    """The report's page of these runs."""
    records = [record for run in runs for record in run.records]
    samples = {name: sample for run in runs for name, sample in run.samples.items()}
    parts = page_parts(runs, trial_frame(records, samples), tables=tables)
    return write_report_page(folder, title, parts, list(map(page_figure, figures)))


@pytest.fixture(scope="session")
def report(run: RunContents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    figures = [
        drawn(folder, "Scores", "by-length"),
        drawn(folder, "Errors", "types"),
        drawn(folder, "Scores", "more"),
    ]
    return page_of(folder / "plots", f"nightly {HOSTILE_NAME}", [run], figures, [TABLE])


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium; the tests that ask for it are skipped where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium with chromedriver is installed: the report is not tested in a browser")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


@pytest.fixture
def page(chrome: Chrome, report: Path) -> Iterator[Page]:
    """The report, freshly opened on a desktop in the light."""
    page = Page(chrome, report)
    page.emulate(1400, 1000)
    page.open()
    yield page
    page.run("localStorage.clear()")
