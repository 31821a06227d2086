"""The report in a real browser: figures, tables, and their numbers as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import saved
from tests.plots.html.conftest import TABLE
from tests.plots.html.hostile import HOSTILE_NAME
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_figure_shows_its_numbers_and_grows(page: Page) -> None:
    page.click(".drawn .numbers")
    assert page.texts(".drawn .under tbody tr td:nth-child(3)") == ["4", "30", "7", "10"]
    page.click(".enlarge")
    assert page.texts(".drawn.large h3") == [f"Score by length {HOSTILE_NAME}"]


def test_figures_are_shown_by_chapter(page: Page) -> None:
    assert page.texts(".chapter h2") == ["Scores", "Errors"]
    page.wait("[...document.querySelectorAll('.drawn img')].every((image) => image.complete)")
    widths = page.run(
        "return [...document.querySelectorAll('.drawn img')].map((image) => image.naturalWidth)"
    )
    assert widths == [200] * 3


def test_a_table_is_sorted_by_its_columns(page: Page) -> None:
    page.click("#tables th button", 1)
    assert page.texts("#tables tbody tr td:nth-child(2)") == ["0.50", "0.25", "0.13", "–"]
    page.click("#tables th button", 1)
    assert page.texts("#tables tbody tr td:nth-child(2)") == ["0.13", "0.25", "0.50", "–"]
    assert (
        page.run("return document.querySelectorAll('#tables th')[1].getAttribute('aria-sort')") == "ascending"
    )


def test_every_number_can_be_saved(page: Page, chrome: Chrome, run: RunContents, tmp_path: Path) -> None:
    rows = saved(page, chrome, tmp_path, "#heatmaps-csv", "heatmaps.csv")
    expected = [
        (
            grid.reader,
            grid.strategy,
            str(cell.context_length),
            cell.mean,
            str(cell.n),
            str(cell.outcomes["refused"]),
        )
        for grid in cells(trial_frame(run.records))
        for cell in grid.cells
    ]
    told = [
        (
            row["reader"],
            row["strategy"],
            row["context_length"],
            float(row["mean"]) if row["mean"] else None,
            row["n"],
            row["refused"],
        )
        for row in rows
    ]
    assert sorted(told, key=str) == sorted(expected, key=str)

    rows = saved(page, chrome, tmp_path, ".drawn .csv", "win-rates.csv")
    assert [row["n"] for row in rows] == [str(row[2]) for row in TABLE.rows]
    assert [row["win rate"] for row in rows] == ["0.25", "0.125", "", "0.5"]
    assert [row["strategy"] for row in rows] == [HOSTILE_NAME, "'=SUM(1)", "lc", 'a "b", c']

    rows = saved(page, chrome, tmp_path, "#trials-csv", "trials.csv")
    assert {row["trial_id"] for row in rows} == {record.trial_id for record in run.records}
