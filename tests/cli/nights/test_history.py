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


def test_page_figures_and_tables(capsys: pytest.CaptureFixture[str]) -> None:
    for day in ("2026-11-20", "2026-11-22"):
        write_night(Path("runs"), day, [10, 7])
    assert main(["history"]) == 0
    assert written() == [
        "plots/history/figures/history-nightly--simulated.csv",
        "plots/history/figures/history-nightly--simulated.png",
        "plots/history/figures/history-nightly--simulated.svg",
        "plots/history/index.html",
        *(
            f"plots/history/tables/{name}.{end}"
            for name in ("events", "nights", "trends")
            for end in ("csv", "md", "tex")
        ),
    ]
    out = capsys.readouterr().out
    assert "8.50" in out
    assert "no run file" in out
    assert "plots/history/index.html" in out


def test_json_holds_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("runs"), "2026-11-21", [10, None])
    write_night(Path("runs"), "2026-11-22", [7, 5])
    assert main(["history", "--json", "--out", "elsewhere"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["page"], found["skipped"], found["events"]) == ("elsewhere/index.html", [], [])
    (trend,) = found["trends"]
    assert (trend["mean"], trend["change"], trend["change_n"], trend["last_night"]) == (
        6,
        -3,
        1,
        "2026-11-21",
    )
    assert [(night["date"], night["mean"], night["refused"]) for night in found["nights"]] == [
        ("2026-11-21", 10, 1),
        ("2026-11-22", 6, 0),
    ]


def test_one_run_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    write_night(Path("mine"), "2026-11-21", [10], name="a")
    write_night(Path("mine"), "2026-11-22", [7], name="b")
    assert main(["history", "mine", "--name", "b", "--json"]) == 0
    assert {trend["run"] for trend in json.loads(capsys.readouterr().out)["trends"]} == {"b"}


def test_a_damaged_night_is_left_out_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    for day in ("2026-11-20", "2026-11-22"):
        write_night(Path("runs"), day, [10])
    Path("runs/nightly-2026-11-21.sqlite").write_text(
        "no run file at all, though long enough for a header of one"
    )
    assert main(["history", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert [one["path"] for one in found["skipped"]] == ["runs/nightly-2026-11-21.sqlite"]
    assert [(one["date"], one["why"]) for one in found["events"]] == [
        ("2026-11-21", "the run file cannot be read")
    ]
    (line,) = captured.err.splitlines()
    assert line.startswith("niah: left out: runs/nightly-2026-11-21.sqlite: is not a run file")


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
