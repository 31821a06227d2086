"""A whole report on disk: published numbers in figures, tables and page, and nothing of another paper."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from niah.plots.report import write_report
from niah.runs.file.read_model import RunContents, read_run
from tests.plots.html.simulated_run import Size, write_run

MINI = "openai/gpt-4o-mini"
SIZE = Size(
    lengths=(512,), depths=(0, 50), sets=("pizza-ingredients",), strategies=("lc", "topk"), readers=(MINI,)
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunContents:
    """A run of a model that u-niah prints."""
    path = tmp_path_factory.mktemp("run") / "monday.sqlite"
    write_run(path, SIZE)
    return read_run(path)


def test_the_reference_is_drawn_and_told(run: RunContents, tmp_path: Path) -> None:
    made = write_report([run], tmp_path, "u-niah")
    (drawn,) = [one for one in made.figures if one.name == "beside-papers"]
    (table,) = [one for one in made.tables if one.name == "beside-papers"]
    assert [row[3] for row in drawn.table.rows] == [row[3] for row in table.rows] == ["lc", "topk"]
    assert drawn.png == tmp_path / "figures" / "beside-papers.png"
    assert drawn.caption in made.page.read_text().replace("&#39;", "'")


def test_another_paper_has_neither_figure_nor_table(run: RunContents, tmp_path: Path) -> None:
    made = write_report([run], tmp_path, "mixture-of-pageranks")
    assert "beside-papers" not in {one.name for one in made.figures} | {one.name for one in made.tables}


def test_the_same_reader_in_two_runs_stands_beside_the_paper_twice(run: RunContents, tmp_path: Path) -> None:
    made = write_report([run, replace(run, path=Path("tuesday.sqlite"))], tmp_path, "u-niah")
    (drawn,) = [one for one in made.figures if one.name == "beside-papers"]
    assert {row[2] for row in drawn.table.rows} == {f"{MINI} (monday)", f"{MINI} (tuesday)"}
