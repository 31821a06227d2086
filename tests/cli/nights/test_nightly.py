"""niah nightly, night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from niah.cli.main import main
from tests.api.nights import Nights

SMALL = "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0, 100], seeds: [1, 2]}"


@pytest.fixture(autouse=True)
def _in_a_folder(in_folder: Path, simulated_server: Any) -> None:
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
    monkeypatch.setattr("niah.api.report.report", Mock(side_effect=KeyboardInterrupt))
    assert nightly("2026-11-18") == 130
    assert Path("runs/nights/night.yaml").read_text() == before


def test_what_failed_is_asked_again(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    simulated_server.broken = True
    assert nightly("2026-11-20") == 4
    told, again = capsys.readouterr(), "the same command with --date 2026-11-20 --retry reader_error"
    assert f"8 reader errors; {again} asks again." in told.err
    assert "None of the 8 trials that were asked got an answer." in told.err
    assert "not accepted" in told.out
    assert "niah nightly accept" not in told.out
    assert "Effective length" not in told.out
    simulated_server.broken = False
    assert nightly("2026-11-20", "--retry", "reader_error") == 0
    assert "8 of 8" in capsys.readouterr().out


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
    (why,) = json.loads((folder / "verdict.json").read_text())["unanswered"]
    assert why.startswith("simulated got no answer in 8 trials")
    assert f"* {why}" in (folder / "verdict.md").read_text()
    assert why in {case.get("message") for case in ET.parse(folder / "verdict.xml").iter("error")}
