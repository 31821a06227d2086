"""niah nightly, night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from niah.cli.main import main
from tests.api.nights import PLANNED, SUITE, Nights


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated_server: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Nights(simulated_server).write_config()


def nightly(date: str, *more: str) -> int:
    return main(["nightly", "night.yaml", "--date", date, *more])


def test_nights(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert nightly("2026-11-20") == 0
    assert "the first night, nothing to compare with" in capsys.readouterr().out
    assert len(simulated_server.prompts) == PLANNED

    assert nightly("2026-11-21", "--adaptive") == 0
    asked = len(simulated_server.prompts) - PLANNED
    assert f"{asked} of {asked} trials scored; {PLANNED - asked} not needed" in capsys.readouterr().out
    markdown = Path("plots/night-2026-11-21/verdict.md").read_text()
    assert f"Adaptive: {asked:,} of {PLANNED:,} pairs were asked" in markdown

    # Of a long context it reads the beginning alone.
    whole = simulated_server.answer
    simulated_server.answer = lambda prompt: whole(prompt[: len(prompt) // 3] + "Question:")
    assert nightly("2026-11-22") == 1
    folder = Path("plots/night-2026-11-22")
    found = json.loads((folder / "verdict.json").read_text())["comparisons"]["the last whole night"]
    worse = found["verdict"]["regressions"]
    assert {row["parts"]["strategy"] for row in worse} == {"lc"}  # closed-book is as blind as it was
    assert "regression" in (folder / "verdict.md").read_text().splitlines()[0]
    cases = ET.parse(folder / "verdict.xml").iter("testcase")
    failed = [str(case.get("name")) for case in cases if case.find("failure") is not None]
    assert any("lc" in name for name in failed)
    assert not any("closed-book" in name for name in failed)
    assert (folder / "index.html").is_file()

    Path("grid.yaml").write_text(SUITE.replace("[essays]", "[starlight]"))
    assert nightly("2026-11-23", "--out", "elsewhere") == 3
    assert "have no trial in common" in capsys.readouterr().out
    assert json.loads(Path("elsewhere/verdict.json").read_text())["kind"] == "incomplete"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--date", "yesterday"], "'yesterday' is no date"),
        (["--baseline", "nowhere"], "no run file called 'nowhere'"),
        (["--budget", "much"], "'much' is no budget"),
        (["--missing-limit", "nan"], "'nan' is no number"),
        (["--out", "grid.yaml/x"], "grid.yaml: Not a directory."),
    ],
)
def test_mistakes(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nightly", "night.yaml", *arguments]) == 2
    assert says in capsys.readouterr().err
    assert not Path("runs").exists()
