"""What tests of the report in a browser look for: cells, their trials, saved files."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.cells import Cell, Grid, cells
from niah.analysis.frame import trial_frame
from niah.plots.kit.labels import mean_label
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

READER = "simulated-a"


def grid_of(records: Sequence[TrialRecord], reader: str, strategy: str) -> Grid:
    return next(
        grid for grid in cells(trial_frame(records)) if (grid.reader, grid.strategy) == (reader, strategy)
    )


def scored(grid: Grid) -> Cell:
    return next(cell for cell in grid.cells if cell.mean is not None)


def says(cell: Cell) -> list[str]:
    """What a scored cell shows: its mean, and n (of all)."""
    assert cell.mean is not None
    return [mean_label(cell.mean), f"{cell.n}/{cell.trials}" if cell.partial else str(cell.n)]


def members(run: RunContents, cell: Cell, reader: str, strategy: str) -> list[TrialRecord]:
    return [
        record
        for record in run.records
        if (record.reader, record.strategy, record.context_length, record.depth)
        == (reader, strategy, cell.context_length, cell.depth)
    ]


def open_cell(page: Page, cell: Cell, reader: str = READER, strategy: str = "lc") -> None:
    page.click(page.cell(reader, strategy, cell.context_length, cell.depth))
    page.wait("document.querySelector('#drawer .trial')")


def saved(page: Page, chrome: Chrome, folder: Path, selector: str, name: str) -> list[dict[str, str]]:
    chrome.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    page.click(selector)
    path = folder / name
    end = time.monotonic() + 300
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, f"{name} was never saved"
        time.sleep(0.02)
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode())))
