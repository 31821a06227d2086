"""niah nightly, history and compare over nights and runs before a real loopback endpoint."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from niah.cli.main import main
from tests.api.test_nights import Nights
from tests.conftest import SimulatedServer

SMALL = "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0, 100], seeds: [1, 2]}"
TWO_SETS = SMALL.replace("gates]", "gates, ferry-lanterns]").replace(", 100]", ", 50, 100]")

pytestmark = pytest.mark.usefixtures("in_folder")


def nightly(day: str, *more: str) -> int:
    return main(["nightly", "night.yaml", "--date", day, *more])


def test_an_endpoint_that_went_away_is_no_regression_and_is_asked_again(
    simulated_server: Any, without_pages: None, capsys: pytest.CaptureFixture[str]
) -> None:
    Nights(simulated_server).write_config(suite=SMALL)
    simulated_server.broken = True
    assert nightly("2026-11-20") == 4
    told, again = capsys.readouterr(), "the same command with --date 2026-11-20 --retry reader_error"
    assert "8 trials ended as reader_error" in told.err
    assert f"{again} asks again." in told.err
    assert "simulated got no answer in 8 trials (" in told.err
    assert "2026-11-20: no trial has a score, nothing to compare with\n  0 of 8 trials scored" in told.out
    assert "not accepted" in told.out
    assert "niah nightly accept" not in told.out
    assert "Effective length" not in told.out
    # Whoever reads the verdict alone is told as much.
    folder = Path("plots/night-2026-11-20")
    (why,) = json.loads((folder / "verdict.json").read_text())["unanswered"]
    assert why.startswith("simulated got no answer in 8 trials")
    assert f"* {why}" in (folder / "verdict.md").read_text()
    assert why in {case.get("message") for case in ET.parse(folder / "verdict.xml").iter("error")}
    simulated_server.broken = False
    assert nightly("2026-11-20", "--retry", "reader_error") == 0
    assert "8 of 8" in capsys.readouterr().out


def edit(name: str, statement: str) -> None:
    """Change a copy of runs/a.sqlite."""
    shutil.copy("runs/a.sqlite", f"runs/{name}.sqlite")
    with sqlite3.connect(f"runs/{name}.sqlite") as db:
        db.execute(statement)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["compare", *arguments])
    out, err = capsys.readouterr()
    assert code != 2 or (not out and err.count("\n") == 1)
    return code, " ".join((out + err).split())


def test_other_judges_and_texts_need_consent(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str], without_figures: None
) -> None:
    base = simulated_server.base_url
    readers = ", ".join(f"{{model: {name}, api_base: '{base}'}}" for name in ("simulated", "twin"))
    Path("grid.yaml").write_text(TWO_SETS.replace("[1, 2]", "[1, 2, 3, 4]"))
    Path("a.yaml").write_text(f"suite: grid.yaml\nreaders: [{readers}]\nstrategies: [lc]\n")
    assert main(["run", "a.yaml"]) == 0
    few = "SELECT trial_id FROM verdicts LIMIT 3"
    edit("b", f"UPDATE verdicts SET version = 'next' WHERE trial_id IN ({few})")
    code, told = said(capsys, "a", "b")
    assert code == 2
    assert " / next (3 of 48 pairs)" in told
    code, told = said(capsys, "a", "b", "--common", "--detect", "9")
    assert code == 0
    assert "45 pairs" in told
    assert " / next (3 of 48 pairs)" in told
    edit("c", "UPDATE trials SET trial_id = 'x' WHERE place IN (SELECT min(place) FROM trials)")
    code, told = said(capsys, "a", "c")
    assert code == 2
    assert "(1 of 48 pairs, all with ferry-lanterns)" in told
    edit("d", "DELETE FROM trials")
    for command in ("report d", "judge d --judge rubric", "judge audit d --sample 1"):
        assert main(command.split()) == 2
        assert "runs/d.sqlite holds no trials. Run it first." in capsys.readouterr().err
