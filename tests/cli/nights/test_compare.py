"""niah compare over real run files that were judged otherwise, or asked other texts."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
seeds: [1, 2, 3, 4]
lengths: [512]
depths: [0, 50, 100]
"""


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
    in_folder: Path,
    simulated_server: SimulatedServer,
    capsys: pytest.CaptureFixture[str],
    without_figures: None,
) -> None:
    base = simulated_server.base_url
    readers = ", ".join(f"{{model: {name}, api_base: '{base}'}}" for name in ("simulated", "twin"))
    Path("grid.yaml").write_text(SUITE)
    Path("a.yaml").write_text(f"suite: grid.yaml\nreaders: [{readers}]\nstrategies: [lc]\n")
    assert main(["run", "a.yaml"]) == 0
    few = "SELECT trial_id FROM verdicts LIMIT 3"
    edit("b", f"UPDATE verdicts SET version = 'next' WHERE trial_id IN ({few})")
    code, told = said(capsys, "a", "b")
    assert code == 2
    assert " / rubric next (3 of 48 pairs)" in told
    code, told = said(capsys, "a", "b", "--common", "--detect", "9")
    assert code == 0
    assert "45 pairs" in told
    assert " / rubric next (3 of 48 pairs)" in told
    edit("c", "UPDATE trials SET trial_id = 'x' WHERE place IN (SELECT min(place) FROM trials)")
    code, told = said(capsys, "a", "c")
    assert code == 2
    assert "(1 of 48 pairs, all with ferry-lanterns)" in told
