"""niah nightly, night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
import sqlite3
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from niah.cli.main import main
from niah.runs.file.night_record import read_night_record
from tests.api.nights import Nights
from tests.loopback import Reply, replying

SMALL = "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0, 100], seeds: [1, 2]}"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated_server: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Nights(simulated_server).write_config()


def nightly(day: str, *more: str) -> int:
    return main(["nightly", "night.yaml", "--date", day, *more])


def test_a_report_that_is_not_written_again_keeps_its_place(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped by the user, while the report of a night that is done was to be written once more."""
    Nights(simulated_server).write_config(suite=SMALL)
    assert nightly("2026-11-18") == 0
    before = Path("runs/nights/night.yaml").read_text()
    assert "page: ../../plots/night-2026-11-18/index.html" in before
    monkeypatch.setattr("niah.api.report.report_runs", Mock(side_effect=KeyboardInterrupt))
    assert nightly("2026-11-18") == 130
    assert Path("runs/nights/night.yaml").read_text() == before


def test_a_page_written_over_is_no_longer_the_first_nights(simulated_server: Any) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    assert nightly("2026-11-18", "--out", "verdict") == 0
    assert (
        read_night_record(Path("runs"), "night").nights[date(2026, 11, 18)].page_file
        == "../../verdict/index.html"
    )
    simulated_server.answer = lambda prompt: "The text does not say."
    nightly("2026-11-19", "--out", "verdict")
    record = read_night_record(Path("runs"), "night")
    pages = [entry.page_file for _, entry in sorted(record.nights.items())]
    assert pages == [None, "../../verdict/index.html"]


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("2026-11-18", "runs: no such folder"),
        ("night", "no run file called 'night'"),
        ("--out", "no such option"),
    ],
)
def test_nothing_to_accept(named: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nightly", "accept", named]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line.lower()


def test_a_judge_on_the_command_line(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    assert nightly("2026-11-20") == 0
    assert nightly("2026-11-21", "--judge", "auto") == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "do not compare: judge: rubric" in told
    command = ["judge", "runs/night-2026-11-21.sqlite", "--judge", "rubric", "--primary"]
    assert f"niah {' '.join(command)} judges both alike" in told
    with sqlite3.connect("runs/night-2026-11-21.sqlite") as db:
        (settings,) = db.execute("SELECT settings FROM invocations").fetchone()
    assert json.loads(settings)["judge"] == {"value": "auto", "source": "flag"}
    asked = len(simulated_server.prompts)
    assert nightly("2026-11-21") == 2  # the same night with another judge
    assert f"niah {' '.join(command)} puts its answers before that one" in capsys.readouterr().err
    assert main(command) == 0
    assert nightly("2026-11-22", "--judge", "rubric") == 0
    assert len(simulated_server.prompts) == asked + 8


def test_what_failed_is_asked_again_by_niah_run(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    simulated_server.broken = True
    assert nightly("2026-11-20") == 4
    command = ["run", "night.yaml", "--out", "runs/night-2026-11-20.sqlite", "--retry", "reader_error"]
    told = capsys.readouterr()
    assert f"8 reader errors; niah {' '.join(command)} asks again." in told.err
    assert "None of the 8 trials that were asked got an answer." in told.err
    assert "not accepted" in told.out
    assert "niah nightly accept" not in told.out
    assert "Effective length" not in told.out
    simulated_server.broken = False
    assert main(command) == 0


def test_an_endpoint_that_went_away_is_told_from_a_night_that_says_too_little(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    assert nightly("2026-11-20") == 0
    simulated_server.broken = True
    assert nightly("2026-11-21") == 4
    told = capsys.readouterr().out
    assert "2026-11-21: incomplete\n  0 of 8 trials scored\n" in told
    # Whoever reads the verdict alone is told as much.
    folder = Path("plots/night-2026-11-21")
    why, _ = json.loads((folder / "verdict.json").read_text())["unanswered"]
    assert why.startswith("lc got no answer in any of its")
    assert f"* {why}" in (folder / "verdict.md").read_text()
    assert why in {case.get("message") for case in ET.parse(folder / "verdict.xml").iter("error")}


def test_a_night_says_which_reader_was_asked_no_further_and_what_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused = Reply({"error": {"message": "that key ran out"}}, 401)
    with replying(lambda post: refused) as address:
        Nights(Mock(base_url=address)).write_config()
        assert nightly("2026-11-20") == 4
    told = capsys.readouterr()
    assert "simulated was asked no further (" in " ".join(told.out.split())
    assert "that key ran out" in " ".join(told.out.split())
    again = "the same command with --date 2026-11-20 goes on with them; niah run night.yaml --out"
    assert again in told.err


def test_readers_are_asked_as_the_command_line_says(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    simulated_server.broken = True
    options = ["--reader-option", "top_p=0.5", "--reader-option", "extra_body.guided=a b"]
    assert nightly("2026-11-20", *options) == 4
    command = "niah run night.yaml --reader-option top_p=0.5 --reader-option 'extra_body.guided=a b' --out"
    assert f"8 reader errors; {command} runs/night-2026-11-20.sqlite --retry" in capsys.readouterr().err
    with sqlite3.connect("runs/night-2026-11-20.sqlite") as db:
        (settings,) = db.execute("SELECT settings FROM invocations").fetchone()
    asked = {"simulated": {"top_p": 0.5, "extra_body": {"guided": "a b"}}}
    assert json.loads(settings)["reader_options"] == {"value": asked, "source": "flag"}


def test_a_first_night_that_nobody_judged_is_no_success(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = f"judge: {{model: strict, api_base: {simulated_server.base_url}}}"
    Nights(simulated_server).write_config(suite=SMALL, more=judge)
    assert nightly("2026-11-20") == 3
    told = capsys.readouterr()
    assert "nothing to compare with" in told.out
    assert "8 of 8 answers got no verdict of strict" in told.err
    again = "niah run night.yaml --out runs/night-2026-11-20.sqlite --retry judge_error"
    assert f"mend the judge, then {again} asks it again" in told.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--date", "yesterday"], "--date: 'yesterday' is no date"),
        (["--baseline", "nowhere"], "no run file called 'nowhere'"),
        (["--budget", "much"], "niah: --budget: 'much' is no budget. Write 25usd"),
        (["--judge", "rubrik"], "no judge called 'rubrik'"),
        (["--reader-option", "top_q=1"], "no reader option called 'top_q'. Did you mean 'top_p'?"),
        (["--judge", "rubric+"], "'rubric+' is no judge"),
        (["--judge", "accuracy"], "accuracy cannot judge three-gates"),
        (["--missing-limit", "nan"], "'nan' is no number"),
        (["--out", "grid.yaml/x"], "grid.yaml: Not a directory."),
    ],
)
def test_mistakes(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nightly", "night.yaml", *arguments]) == 2
    assert says in capsys.readouterr().err
    assert not Path("runs").exists()


def test_requests_of_a_night_are_written_down(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("grid.yaml").write_text(SMALL)
    assert nightly("2026-11-20", "--log", ".") == 2
    assert nightly("2026-11-20", "--spans", "http://127.0.0.1:1") == 2
    assert simulated_server.prompts == []
    assert capsys.readouterr().err.count("\n") == 2
    assert nightly("2026-11-20", "--log", "logs/night.jsonl") == 0
    lines = [json.loads(line) for line in Path("logs/night.jsonl").read_text().splitlines()]
    assert len(lines) == len(simulated_server.prompts) > 0
    assert {line["outcome"] for line in lines} == {"answer"}


def test_a_mistyped_baseline_is_told_before_the_config_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("night.yaml").write_text("suite: [")
    assert nightly("2026-11-20", "--baseline", "nosuch") == 2
    assert "no run file called 'nosuch'" in capsys.readouterr().err
