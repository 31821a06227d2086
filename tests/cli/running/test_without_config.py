"""Runs that need no YAML: a suite, or a fact of one's own, from the command line; and ``niah init``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read_model import read_run
from tests.conftest import SimulatedServer

NEEDLE = "In Vell the night watch hangs 47 lanterns from the bridge."
QUESTION = "How many lanterns hang from the bridge of Vell?"
FACT = ("--needle", NEEDLE, "--question", QUESTION, "--expect", "47")

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)


def at(server: SimulatedServer) -> list[str]:
    return ["--model", "simulated", "--api-base", server.base_url]


def test_a_suite_is_asked_at_lengths_and_depths_of_the_command_line(
    simulated_server: SimulatedServer,
) -> None:
    grid = [
        "--needle-sets",
        "ferry-lanterns",
        "--lengths",
        "600,1k",
        "--depths",
        "0,50%",
        "--strategies",
        "lc,bm25/top-3/norm@100",
    ]
    assert main(["run", "--suite", "single", *grid, *at(simulated_server)]) == 0
    (file,) = Path("runs").glob("*.sqlite")
    assert re.fullmatch("single-simulated-[0-9a-f]{6}", file.stem)
    run = read_run(file)
    assert {record.outcome for record in run.records} == {"scored"}
    asked = {(record.strategy, record.context_length, record.depth) for record in run.records}
    assert asked == {
        (s, length, d) for s in ("lc", "bm25/top-3/norm@100") for length in (600, 1024) for d in (0, 50)
    }
    settings = run.invocations[-1].settings
    assert settings["lengths"] == {"value": [600, 1024], "source": "flag"}
    assert settings["suite"] == {"value": "single", "source": "flag"}


def test_a_run_that_cannot_start_leaves_no_needle_set(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("short.txt").write_text("The gardener counts her pears and writes nothing down. " * 3)
    where = ["--haystack", "./short.txt", "--lengths", "4096", *at(simulated_server)]
    assert main(["run", *FACT, *where]) == 2
    assert "short" in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["short.txt"]


def test_the_config_that_init_writes_runs_as_it_is(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    assert capsys.readouterr().out == "runs/mine.yaml\n"
    assert [path for path in Path().rglob("*") if path.is_file()] == [Path("runs/mine.yaml")]
    assert main(["plan", "mine", "--json"]) == 0
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert reader["calls"] == 3 * 3 * 3
    assert main(["run", "mine", "--limit", "2", *at(simulated_server)]) == 0
    assert len(simulated_server.prompts) == 2
    assert main(["init"]) == 2
    assert "runs/mine.yaml is there already" in capsys.readouterr().err
