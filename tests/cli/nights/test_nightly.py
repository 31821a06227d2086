"""niah nightly, night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
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


def damage(path: str) -> None:
    """Overwrite the first page of the trials; the file still opens."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trials'")
    with Path(path).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("adaptive", [[], ["--adaptive"]])
def test_a_damaged_baseline_is_met_before_anything_is_asked(
    simulated_server: Any, adaptive: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly("2026-11-20") == 0
    shutil.copy("runs/night-2026-11-20.sqlite", "damaged.sqlite")
    damage("damaged.sqlite")
    assert nightly("2026-11-21", "--baseline", "damaged.sqlite", *adaptive) == 2
    assert "damaged.sqlite is damaged" in capsys.readouterr().err
    assert len(simulated_server.prompts) == PLANNED
    assert not Path("runs/night-2026-11-21.sqlite").exists()


def test_a_damaged_night_does_not_stop_those_after_it(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly("2026-11-20") == 0
    shutil.copy("runs/night-2026-11-20.sqlite", "runs/night-2026-11-21.sqlite")
    damage("runs/night-2026-11-21.sqlite")
    assert nightly("2026-11-22") == 0
    assert "runs/night-2026-11-21.sqlite is damaged" in capsys.readouterr().err
    (comparison,) = verdict("2026-11-22")["comparisons"].values()
    assert comparison["baseline"] == "runs/night-2026-11-20.sqlite"


@pytest.mark.parametrize("adaptive", [[], ["--adaptive"]])
def test_tonight_is_no_baseline_of_tonight(
    simulated_server: Any, adaptive: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly("2026-11-20") == 0
    assert nightly("2026-11-20", "--baseline", "night-2026-11-20", *adaptive) == 2
    assert "runs/night-2026-11-20.sqlite is tonight's own run file." in capsys.readouterr().err


@pytest.mark.parametrize("adaptive", [[], ["--adaptive"]])
def test_a_night_without_any_score_is_not_compared_with(simulated_server: Any, adaptive: list[str]) -> None:
    assert nightly("2026-11-20") == 0
    simulated_server.broken = True
    assert nightly("2026-11-21") == 1
    simulated_server.broken = False
    assert nightly("2026-11-22", *adaptive) == 0
    ((role, comparison),) = verdict("2026-11-22")["comparisons"].items()
    assert (role, comparison["baseline"]) == ("the last whole night", "runs/night-2026-11-20.sqlite")


def test_a_night_in_part_is_told(simulated_server: Any) -> None:
    part = ["run", "night.yaml", "--limit", "90", "--no-cache", "--out", "runs/night-2026-11-20.sqlite"]
    assert main(part) == 0
    assert nightly("2026-11-21", "--detectable-limit", "9") == 0
    told = f"runs/night-2026-11-20.sqlite has not run {PLANNED - 90} of the {PLANNED} pairs' trials"
    assert told in verdict("2026-11-21")["comparisons"]["last night"]["notes"]


def test_a_folder_in_the_place_of_the_run_file(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path("runs/night-2026-11-20.sqlite")
    folder.mkdir(parents=True)
    assert nightly("2026-11-20") == 2
    assert f"{folder} is a folder, not a run file." in capsys.readouterr().err
    assert not Path(f"{folder}.lock").exists()
