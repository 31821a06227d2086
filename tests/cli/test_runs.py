"""Runs as a user meets them: begun from ``niah init``, and when all sources are gone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 100]}"
NEEDLES = """
question: Which access codes open the oak gate and the elm gate?
answer: The access code of the oak gate is 41726 and of the elm gate 90318.
elements: [{name: "41726", key: oak gate}, {name: "90318", key: elm gate}]
needles:
  - {id: oak, text: The access code of the oak gate is 41726., elements: ["41726"]}
  - {id: elm, text: The access code of the elm gate is 90318., elements: ["90318"]}
distractors:
  - {id: fir, text: The access code of the fir gate is 11111., elements: [{name: "11111"}]}
"""
OWN = "{needle_sets: [mine.yaml], haystacks: [texts], lengths: [400], depths: [0, 100], distractors: 1, "
OWN += "mode: contiguous}"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(in_folder: Path) -> None:
    Path("suite.yaml").write_text(SUITE)


def write(server: SimulatedServer, strategies: str) -> None:
    reader = f"{{model: simulated, api_base: '{server.base_url}'}}"
    Path("own.yaml").write_text(f"suite: suite.yaml\nreaders: [{reader}]\nstrategies: [{strategies}]\n")


def test_the_config_that_init_writes_runs_as_it_is(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    assert capsys.readouterr().out == "runs/mine.yaml\n"
    assert main(["plan", "mine", "--json"]) == 0
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert reader["calls"] == 3 * 3 * 3
    where = ["--model", "simulated", "--api-base", simulated_server.base_url]
    assert main(["run", "mine", "--limit", "2", *where]) == 0
    assert len(simulated_server.prompts) == 2
    assert main(["init"]) == 2
    assert "runs/mine.yaml is there already" in capsys.readouterr().err


def test_a_run_file_says_the_same_when_all_sources_are_gone(simulated_server: SimulatedServer) -> None:
    Path("mine.yaml").write_text(NEEDLES)
    Path("texts").mkdir()
    Path("texts/a.txt").write_text(" ".join(f"On day {n} the river rose by {n} feet." for n in range(300)))
    Path("suite.yaml").write_text(OWN)
    write(simulated_server, "lc, bm25/top-2/norm@100")
    assert main(["run", "own.yaml"]) == 0

    def written() -> str:
        """Export and tables, by a process that has read nothing before."""
        script = """
import niah
from niah.cli.main import main
run, names = niah.load_run("own"), "mean-scores scores-by-length outcomes win-rates".split()
print(main(["export", "own"]), *map(run.table, names), main("judge own --judge accuracy".split()))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert done.stdout.endswith(" 2\n"), done.stderr
        return done.stdout

    before = written()
    shutil.rmtree("texts")
    for name in ("mine.yaml", "suite.yaml", "own.yaml"):
        Path(name).unlink()
    assert written() == before
    assert before.count("trial_id") >= 4
