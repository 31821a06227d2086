"""``niah history``, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.runs.simulated_nights import write_night


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def written() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*") if path.is_file() and "runs" not in path.parts)


def test_a_list_and_one_chart(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-21", [10, None])
    write_night(Path("runs"), "2026-11-22", [7, 5])
    assert main(["history", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(night["date"], night["mean"], night["n"], night["not_scored"]) for night in found["nights"]] == [
        ("2026-11-21", 10, 1, 1),
        ("2026-11-22", 6, 2, 0),
    ]
    assert len({night["asked"] for night in found["nights"]}) == 1
    assert written()[:2] == [
        "plots/history/figures/history-nightly--simulated.csv",
        "plots/history/figures/history-nightly--simulated.png",
    ]


def test_a_damaged_night_is_left_out_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-20", [10])
    Path("runs/nightly-2026-11-21.sqlite").write_text("no run file at all, though long enough for a header")
    assert main(["history", "--json"]) == 0
    captured = capsys.readouterr()
    assert [one["path"] for one in json.loads(captured.out)["skipped"]] == ["runs/nightly-2026-11-21.sqlite"]
    (line,) = captured.err.splitlines()
    assert line.startswith("niah: left out: runs/nightly-2026-11-21.sqlite: is not a run file")
