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

ACTION = yaml.safe_load((Path(__file__).parents[2] / "action" / "action.yml").read_text())
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
    assert any(tmp_path.glob("verdict*"))


def test_no_step_pastes_an_input_into_its_script() -> None:
    """What a pull request names must reach a shell as a variable, never as text of the script."""
    assert [name for name, step in STEPS.items() if "${{" in step["run"]] == []


@pytest.mark.slow
def test_a_mistake_in_the_config_fails_the_job(tmp_path: Path) -> None:
    job = Job(tmp_path, config="nosuch.yaml")
    assert job.run("Night") == 0
    assert job.run("Verdict") == 2


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
