"""The GitHub Action's own steps, run one after another in an empty folder against a real endpoint."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import SimulatedServer

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action" / "action.yml").read_text())
GUIDE = [
    yaml.safe_load(block)
    for block in re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs/nightly.md").read_text(), re.M | re.S)
]
WORKFLOW = next(block for block in GUIDE if "jobs" in block)
OWN_WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())
STEPS: dict[str, dict[str, Any]] = {
    step["name"]: step for step in ACTION["runs"]["steps"] if step.get("shell") == "bash"
}

CONFIG = """
suite: single
readers: [{{model: simulated, api_base: "{base}"}}]
strategies: [lc]
judge: rubric
seeds: {{anchor: [1, 2, 3, 4, 5, 6]}}
"""


class Job:
    """A folder with what a runner gives a step: outputs, a summary, and inputs as expressions."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder = folder
        self.outputs = folder / "outputs"
        self.summary = folder / "summary.md"
        self.values = {
            f"inputs.{name}": str(each.get("default", "")) for name, each in ACTION["inputs"].items()
        }
        self.values |= {f"inputs.{name}": value for name, value in inputs.items()}
        commands = folder / "bin"
        commands.mkdir()
        (commands / "niah").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m niah "$@"\n')
        (commands / "niah").chmod(0o755)

    def run(self, name: str) -> int:
        """One step, as a runner runs bash: its exit code."""
        step = STEPS[name]
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(self.outputs),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **{key: self._filled(value) for key, value in step.get("env", {}).items()},
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.folder, env=environment, check=False)
        if "id" in step:
            for line in self.outputs.read_text().splitlines():
                key, _, value = line.partition("=")
                self.values[f"steps.{step['id']}.outputs.{key}"] = value
        return done.returncode

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{\s*(.+?)\s*\}\}", lambda found: self.values[found[1]], text)


@pytest.mark.slow
def test_a_first_night_and_a_bad_second(tmp_path: Path, simulated_server: SimulatedServer) -> None:
    (tmp_path / "small.yaml").write_text(CONFIG.format(base=simulated_server.base_url))
    job = Job(tmp_path, config="small.yaml", arguments="--date 2026-03-01")
    assert job.run("Night") == 0
    assert job.run("Verdict") == 0
    assert "2026-03-01" in job.summary.read_text()

    simulated_server.answer = lambda prompt: "I have no idea."  # type: ignore[method-assign]
    job.values["inputs.arguments"] = "--date 2026-03-02"
    assert job.run("Night") == 0
    assert job.run("Verdict") == 1
    assert "regression" in job.summary.read_text().lower()
    assert (tmp_path / job.values["steps.night.outputs.folder"] / "verdict.md").is_file()

    job.values["inputs.accept"] = "2026-03-02"
    assert job.run("Night") == 0
    assert job.run("Verdict") == 0
    assert "small-2026-03-02 is accepted" in job.summary.read_text()


@pytest.mark.parametrize("steps", [ACTION["runs"]["steps"], WORKFLOW["jobs"]["niah"]["steps"]])
def test_what_a_red_night_leaves_is_kept(steps: list[dict[str, Any]]) -> None:
    """actions/cache in one step saves nothing of a job that fails, as one with a red night does."""
    uses = [step.get("uses", "") for step in steps]
    assert not [each for each in uses if each.startswith("actions/cache@")]
    restore, save = uses.index("actions/cache/restore@v4"), uses.index("actions/cache/save@v4")
    (night,) = (
        at
        for at, step in enumerate(steps)
        if "niah nightly" in step.get("run", "") and "--out" in step["run"]
    )
    assert restore < night < save
    assert steps[save]["if"] == "always()"
    kept, taken = steps[save]["with"], steps[restore]["with"]
    assert (kept["path"], kept["key"]) == (taken["path"], taken["key"])
    assert kept["path"].split() == ["runs/*.sqlite", "runs/nights"]
    assert "github.run_id" in kept["key"]
    assert "github.run_attempt" in kept["key"]  # a job run again saves too
    assert kept["key"].startswith(taken["restore-keys"])


@pytest.mark.parametrize("workflow", [WORKFLOW, OWN_WORKFLOW])
def test_a_night_in_the_cache_can_be_accepted_by_hand(workflow: dict[Any, Any]) -> None:
    assert "accept" in workflow[True]["workflow_dispatch"]["inputs"]  # YAML reads "on" as true
    assert workflow["concurrency"]
    (job,) = workflow["jobs"].values()
    assert any("inputs.accept" in str(step) for step in job["steps"])


def test_no_step_pastes_an_input_into_its_script() -> None:
    """What a pull request names must reach a shell as a variable, never as text of the script."""
    assert [name for name, step in STEPS.items() if "${{" in step["run"]] == []


@pytest.mark.parametrize(
    ("install", "taken"), [("", "/niah/action/.."), ("./.niah[local] --quiet", "./.niah[local] --quiet")]
)
def test_it_installs_its_own_source_and_never_the_users_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: str, taken: str
) -> None:
    monkeypatch.setenv("GITHUB_ACTION_PATH", "/niah/action")
    job = Job(tmp_path, **({"install": install} if install else {}))
    (tmp_path / "bin" / "python").write_text('#!/bin/sh\necho "$@" > asked\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    assert job.run("Install") == 0
    assert (tmp_path / "asked").read_text().strip() == f"-m pip install {taken}"
