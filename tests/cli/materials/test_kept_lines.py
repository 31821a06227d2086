"""Lines of ``niah list`` that are kept: they say what those made anew say, and never an old state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.cli.materials import kept_lines

GATE = """
question: Who keeps the gate?
answer: Ulla keeps it.
elements: [{name: Ulla}]
needles: [{id: a, text: Ulla keeps the gate., elements: [Ulla]}]
"""
OWN_RUN = """
description: My own.
suite: single
readers: [smollm2]
strategies: [lc]
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of kept lines, in a cache of its own; the working folder is empty."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "list.json"


def listed(kind: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["list", kind]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", ["needle-sets", "question-sets", "runs", "prompts", "strategies", "judges"])
def test_kept_lines_are_those_that_were_made(
    kind: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = listed(kind, capsys)
    assert kept.is_file()
    assert listed(kind, capsys) == made


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"lines": [], "stamp": ""}', '{"lines": {"runs": 3}}'])
def test_a_broken_file_is_made_anew(broken: str, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = listed("prompts", capsys)
    kept.write_text(broken)
    assert listed("prompts", capsys) == made
    assert "prompts" in json.loads(kept.read_text())["lines"]


def test_a_cache_that_cannot_be_written_stops_nothing(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("file").touch()
    monkeypatch.setenv("NIAH_CACHE", str(Path("file").resolve()))
    assert "u-niah" in listed("prompts", capsys)


def test_lines_of_another_state_of_niah_do_not_count(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed("prompts", capsys)
    document = json.loads(kept.read_text())
    document["lines"]["prompts"] = {"u-niah": "an old line"}
    kept.write_text(json.dumps(document))
    assert "an old line" in listed("prompts", capsys)
    monkeypatch.setattr(kept_lines, "__version__", "0.0.0")
    assert "an old line" not in listed("prompts", capsys)


def test_needle_sets_of_ones_own_are_read_each_time_and_never_kept(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed("needle-sets", capsys)
    Path("needles").mkdir()
    Path("needles/gate.yaml").write_text(GATE)
    assert "Who keeps the gate?" in listed("needle-sets", capsys)
    Path("needles/gate.yaml").rename("needles/door.yaml")
    assert "\n  door " in (shown := listed("needle-sets", capsys))
    assert "\n  gate " not in shown
    assert "gate" not in json.loads(kept.read_text())["lines"]["needle-sets"]


def test_a_file_of_ones_own_stands_for_the_one_that_ships(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed("runs", capsys)
    Path("runs").mkdir()
    Path("runs/quick.yaml").write_text(OWN_RUN)
    [line] = [line for line in listed("runs", capsys).splitlines() if "quick" in line]
    assert line.endswith("My own.")
    Path("runs/quick.yaml").unlink()
    assert "My own." not in listed("runs", capsys)
