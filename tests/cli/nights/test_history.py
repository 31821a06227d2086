"""``niah history``, as a user meets it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.runs.simulated_nights import write_night


@pytest.fixture(autouse=True)
def _in_an_empty_folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_a_list_a_chart_and_a_damaged_night_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-21", [10, None])
    write_night(Path("runs"), "2026-11-22", [7, 5])
    Path("runs/nightly-2026-11-23.sqlite").write_text("no run file at all, though long enough for a header")
    assert main(["history"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "niah: left out: runs/nightly-2026-11-23.sqlite: is not a run file" in line
    (table,) = Path("plots/history/tables").glob("*.csv")
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["date"], float(row["mean"]), row["n"], row["not_scored"]) for row in rows] == [
        ("2026-11-21", 10, "1", "1"),
        ("2026-11-22", 6, "2", "0"),
    ]
    assert Path("plots/history/figures/history-nightly--simulated.png").is_file()
