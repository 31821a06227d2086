"""niah nightly, night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from niah.cli.main import main

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [512, 640]
depths: [0, 50, 100]
seeds: [1, 2, 3, 4, 5, 6, 7, 8]
"""
CONFIG = """
suite: grid.yaml
readers: [{{model: simulated, api_base: {base}}}]
strategies: [lc, closed-book]
{more}
"""
PLANNED = 2 * 2 * 3 * 8 * 2


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated_server: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(SUITE)
    write_config(simulated_server)


def write_config(server: Any, more: str = "") -> None:
    Path("night.yaml").write_text(CONFIG.format(base=server.base_url, more=more))


def nightly(date: str, *more: str) -> int:
    return main(["nightly", "night.yaml", "--date", date, *more])


def verdict(date: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path("plots") / f"night-{date}" / "verdict.json").read_text())
    return found


def test_three_nights(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert nightly("2026-11-20") == 0
    assert "the first night, nothing to compare with" in capsys.readouterr().out
    assert len(simulated_server.prompts) == PLANNED

    assert nightly("2026-11-21") == 0
    assert len(simulated_server.prompts) == 2 * PLANNED  # a kept answer would hide a change of the model
    assert verdict("2026-11-21")["kind"] == "no regression"

    # Of a long context it reads the beginning alone.
    whole = simulated_server.answer
    simulated_server.answer = lambda prompt: whole(prompt[: len(prompt) // 3] + "Question:")
    assert nightly("2026-11-22") == 1
    found = verdict("2026-11-22")
    worse = found["comparisons"]["last night"]["verdict"]["regressions"]
    assert worse
    assert {row["parts"]["strategy"] for row in worse} == {"lc"}  # closed-book is as blind as it was
    folder = Path("plots/night-2026-11-22")
    assert "regression" in (folder / "verdict.md").read_text().splitlines()[0]
    cases = ET.parse(folder / "verdict.xml").iter("testcase")
    failed = [str(case.get("name")) for case in cases if case.find("failure") is not None]
    assert any("lc" in name for name in failed)
    assert not any("closed-book" in name for name in failed)
    assert (folder / "index.html").is_file()


def test_the_same_night_goes_on(simulated_server: Any) -> None:
    assert nightly("2026-11-20") == 0
    assert nightly("2026-11-20") == 0
    assert len(simulated_server.prompts) == PLANNED


def test_a_baseline_beside_last_night(simulated_server: Any) -> None:
    assert nightly("2026-11-20") == 0
    whole = simulated_server.answer
    simulated_server.answer = lambda prompt: "The text does not say."
    assert nightly("2026-11-21") == 1
    # As bad as last night, and worse than the baseline.
    assert nightly("2026-11-22", "--baseline", "night-2026-11-20") == 1
    kinds = {role: each["verdict"]["kind"] for role, each in verdict("2026-11-22")["comparisons"].items()}
    assert kinds["the baseline"] == "regression"
    assert kinds["last night"] != "regression"
    simulated_server.answer = whole
    assert nightly("2026-11-23", "--baseline", "night-2026-11-20") == 0


def test_a_night_of_another_suite_is_not_compared(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly("2026-11-20") == 0
    Path("grid.yaml").write_text(SUITE.replace("[essays]", "[starlight]"))
    assert nightly("2026-11-21") == 3
    assert "have no trial in common" in capsys.readouterr().out
    assert verdict("2026-11-21")["kind"] == "incomplete"


def test_too_many_failures_are_no_verdict(simulated_server: Any) -> None:
    assert nightly("2026-11-20") == 0
    simulated_server.broken = True
    assert nightly("2026-11-21") in (1, 3)  # nothing was scored: that is worse, and no score says how much
    assert verdict("2026-11-21")["scored"] == 0


def test_rotating_seeds_are_compared_with_anchors(simulated_server: Any) -> None:
    write_config(simulated_server, "seeds: {anchor: [1, 2, 3, 4, 5, 6, 7, 8], rotating: 2}")
    assert nightly("2026-11-20") == 0
    assert nightly("2026-11-21") == 0
    found = verdict("2026-11-21")
    assert [row["reader"] for row in found["contamination"]] == ["simulated"]
    assert [row["reader"] for row in found["drift"]] == ["simulated"]
    assert found["comparisons"]["last night"]["unpaired"]


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
