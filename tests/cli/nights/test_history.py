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


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a mistake; nothing is written."""
    assert main(["history", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert written() == []
    return captured.err.strip()


def test_no_such_folder(capsys: pytest.CaptureFixture[str]) -> None:
    said = "niah: nowhere: no such folder. Name the one that holds the run files of the nights;"
    assert fails(capsys, "nowhere") == f"{said} --name picks a config's."


def test_a_folder_without_nights_names_the_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs").mkdir()
    Path("runs/quick.sqlite").write_text("")
    said = "niah: runs holds no nights. The run file of a night is called NAME-YYYY-MM-DD.sqlite."
    assert fails(capsys) == said


def test_another_name_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-22", [10])
    assert fails(capsys, "--name", "nihgtly") == (
        "niah: runs holds no nights of 'nihgtly'. Did you mean 'nightly'?"
    )


def test_another_name_is_suggested_beside_a_night_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-22", [10])
    Path("runs/nightly-2026-13-22.sqlite").write_text("")
    assert fails(capsys, "--name", "nihgtly").endswith("no nights of 'nihgtly'. Did you mean 'nightly'?")


def test_nights_of_which_none_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs").mkdir()
    Path("runs/nightly-2026-11-22.sqlite").write_text("")
    said = fails(capsys)
    assert said.startswith("niah: runs holds no night that can be read: nightly-2026-11-22.sqlite: ")
    assert "\n" not in said


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
