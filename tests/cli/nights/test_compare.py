"""niah compare over real run files, whose trials a loopback server answered."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer, simulating

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
seeds: [1, 2, 3, 4]
lengths: [{length}]
depths: [0, 50, 100]
"""
CONFIG = """
suite: grid.yaml
readers: [{{model: simulated, api_base: {base}}}, {{model: twin, api_base: {base}}}]
strategies: [lc]
"""


@pytest.fixture(scope="module")
def _server() -> Iterator[SimulatedServer]:
    with simulating() as server:
        yield server


@pytest.fixture(scope="module")
def _run_file(_server: SimulatedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2 needle sets x 4 seeds x 3 depths, two readers, all correct."""
    folder = tmp_path_factory.mktemp("run")
    with chdir(folder):
        run("a", _server)
    return folder / "runs/a.sqlite"


@pytest.fixture
def runs(
    _server: SimulatedServer, _run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> SimulatedServer:
    """runs/a.sqlite and runs/b.sqlite, alike."""
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name in "ab":
        shutil.copy(_run_file, f"runs/{name}.sqlite")
    return _server


def run(name: str, server: SimulatedServer, length: int = 512) -> None:
    Path("grid.yaml").write_text(SUITE.format(length=length))
    Path("night.yaml").write_text(CONFIG.format(base=server.base_url))
    assert main(["run", "night.yaml", "--out", f"runs/{name}.sqlite"]) == 0


def edit(name: str, statement: str) -> int:
    """How many rows of runs/NAME.sqlite the statement changed."""
    with sqlite3.connect(f"runs/{name}.sqlite") as db:
        return db.execute(statement).rowcount


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line that the command ends with."""
    capsys.readouterr()
    assert main(["compare", *args]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    return told.err


def told(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["compare", *args])
    return code, " ".join(capsys.readouterr().out.split())


def test_too_many_without_a_score(runs: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["compare", "a", "b", "--detect", "9"]
    few = "(SELECT trial_id FROM trials WHERE reader = 'twin' ORDER BY place LIMIT 5)"
    edit("b", f"UPDATE trials SET outcome = 'not_run' WHERE trial_id IN {few}")
    capsys.readouterr()
    # 5 of 48 are more than 10 %.
    assert main(options) == 3
    assert "5 of 48 trials (10%) that have a score in the baseline have none" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main([*options, "--missing-limit", "11"]) == 0


def test_more_trials_that_fail_are_a_regression(
    runs: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    edit("b", "UPDATE trials SET outcome = 'reader_error' WHERE reader = 'twin'")
    capsys.readouterr()
    assert main(["compare", "a", "b", "--format", "json"]) == 1
    (row,) = json.loads(capsys.readouterr().out)["verdict"]["regressions"]
    assert (row["measure"], row["parts"]["reader"], row["difference"]) == ("not scored", "twin", 1)


def test_other_judges_and_texts_need_consent(
    runs: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    version = "SELECT DISTINCT version FROM verdicts"
    with sqlite3.connect("runs/a.sqlite") as db:
        ((old,),) = db.execute(version).fetchall()
    edit(
        "b", "UPDATE verdicts SET version = 'next' WHERE trial_id IN (SELECT trial_id FROM verdicts LIMIT 3)"
    )
    assert f"judge: rubric {old} / rubric next (3 of 48 pairs)" in refused(capsys, "a", "b")
    capsys.readouterr()
    assert main(["compare", "a", "b", "--common", "--detect", "9"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "45 pairs" in told
    assert f"left out: judge: rubric {old} / rubric next (3 of 48 pairs)" in told
    shutil.copy("runs/a.sqlite", "runs/c.sqlite")
    edit("c", "DELETE FROM verdicts WHERE trial_id IN (SELECT trial_id FROM trials LIMIT 1)")
    edit("c", "UPDATE trials SET trial_id = 'x' WHERE place IN (SELECT min(place) FROM trials)")
    assert "(1 of 48 pairs, all with ferry-lanterns)" in refused(capsys, "a", "c")
