"""Runs that need no YAML: a suite, or a fact of one's own, from the command line; and ``niah init``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.needles.load import load_needle_set
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


def test_lists_of_the_command_line_stand_in_place_of_a_configs(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["plan", "quick", "--lengths", "512,1k", "--depths", "50", "--strategies", "lc", "--json"]) == 0
    )
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert (reader["calls"], reader["prompt_tokens"]) == (4, 2 * (512 + 1024))


def test_seeds_and_ranges_of_them_stand_in_place_of_the_suites(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = ["--suite", "single", "--lengths", "512", "--depths", "50", "--seeds", "2,5-6"]
    assert main(["run", *grid, *at(simulated_server)]) == 0
    (run,) = Path("runs").glob("*.sqlite")
    assert sorted(record.seed for record in read_run(run).records if record.seed is not None) == [2, 5, 6]
    capsys.readouterr()
    assert main(["plan", "quick", "--strategies", "lc", "--seeds", "1-2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["readers"][0]["calls"] == 2 * 18


def test_a_fact_of_ones_own(simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    grid = ["--lengths", "512", "--depths", "0,100"]
    assert main(["plan", *FACT, *grid, *at(simulated_server)]) == 0
    assert not list(Path().iterdir())  # a plan writes nothing
    assert main(["run", *FACT, *grid, *at(simulated_server)]) == 0
    assert not Path("needles").exists()
    (file,) = Path("runs").glob("*.sqlite")
    assert [record.score for record in read_run(file).records] == [10, 10]
    assert all(NEEDLE in prompt for prompt in simulated_server.prompts)
    capsys.readouterr()
    assert main(["show", read_run(file).records[0].case_id]) == 0
    assert NEEDLE in capsys.readouterr().out
    # The same command goes on with the same file: nothing is left to ask.
    assert main(["run", *FACT, *grid, *at(simulated_server), "--save"]) == 0
    assert len(simulated_server.prompts) == 2
    (path,) = Path("needles").iterdir()
    found = load_needle_set(path.stem, 1)
    assert (found.kind, found.answer, [each.id for each in found.needles]) == ("single", "47", ["needle-1"])
    assert main(["check", str(path)]) == 0


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
