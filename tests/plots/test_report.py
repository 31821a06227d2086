"""A whole report on disk: published numbers in figures, tables and page, and nothing of another paper."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.plots.report import ReportFiles, write_report
from niah.runs.file.read_model import RunContents, read_run
from tests.plots.html.simulated_run import Size, write_run

MINI = "openai/gpt-4o-mini"
SIZE = Size(
    lengths=(512,), depths=(0, 50), sets=("pizza-ingredients",), strategies=("lc", "topk"), readers=(MINI,)
)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[RunContents]:
    """Two runs of a model that u-niah prints."""
    path = tmp_path_factory.mktemp("run") / "monday.sqlite"
    write_run(path, SIZE)
    monday = read_run(path)
    return [monday, replace(monday, path=Path("tuesday.sqlite"))]


@pytest.fixture(scope="module")
def made(nights: list[RunContents], tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    """Their report, beside the paper's numbers."""
    return write_report(nights, tmp_path_factory.mktemp("report"), "u-niah")


def test_the_reference_is_drawn_and_told_of_the_reader_in_each_run(made: ReportFiles) -> None:
    (drawn,) = [one for one in made.figures if one.name == "beside-papers"]
    (table,) = [one for one in made.tables if one.name == "beside-papers"]
    asked = {(f"{MINI} ({night})", name) for night in ("monday", "tuesday") for name in ("lc", "topk")}
    assert {row[2:4] for row in drawn.table.rows} == {row[2:4] for row in table.rows} == asked
    assert drawn.png == made.page.parent / "figures" / "beside-papers.png"
    assert drawn.caption in made.page.read_text().replace("&#39;", "'")


def test_another_paper_has_neither_figure_nor_table(nights: list[RunContents], tmp_path: Path) -> None:
    other = write_report(nights[:1], tmp_path, "mixture-of-pageranks")
    assert "beside-papers" not in {one.name for one in other.figures} | {one.name for one in other.tables}


def test_figures_and_tables_need_no_needle_set_and_no_haystack(
    nights: list[RunContents], made: ReportFiles, tmp_path: Path
) -> None:
    gone = Case("gone", "gone", 512, 50, 1)
    lost = [
        replace(night, samples={name: replace(one, source=gone) for name, one in night.samples.items()})
        for night in nights
    ]
    again = write_report(lost, tmp_path, "u-niah")
    assert again.tables == made.tables
    assert [one.name for one in again.figures] == [one.name for one in made.figures]
    for here, there in zip(made.figures, again.figures, strict=True):
        assert here.svg.read_bytes() == there.svg.read_bytes(), here.name


def test_garbage_is_looked_for_everywhere_once_the_report_is_written(
    nights: list[RunContents], tmp_path: Path
) -> None:
    write_report(nights[:1], tmp_path, "u-niah")
    assert (gc.get_freeze_count(), gc.isenabled()) == (0, True)
    gc.freeze()
    try:
        write_report(nights[:1], tmp_path, "u-niah")
        assert gc.get_freeze_count() > 0  # another's choice stands
    finally:
        gc.unfreeze()
