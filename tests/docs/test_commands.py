"""The commands that README and the docs write down, and the GitHub Action's own steps, one after another."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from docs import make_cli
from niah.cli.main import niah
from niah.errors import UserError
from niah.files import places, yaml_names
from tests.conftest import SimulatedServer

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "examples").glob("*/README.md"),
]


def commands() -> Iterator[tuple[str, str]]:
    """Of each page the command lines in its blocks of shell."""
    for page in PAGES:
        for block in re.findall(r"```(?:sh|bash)\n(.*?)```", page.read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\|(?!\|)", line.partition(" #")[0]):
                    if re.match(r"\s*(?:\w+=\S+\s+)*(?:uvx\s+)?niah\s", part):
                        yield str(page.relative_to(ROOT)), part.strip()


def test_niah_has_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.Command, "invoke", lambda self, context: None)  # parsed, not run
    monkeypatch.setattr(click.Path, "convert", lambda self, value, param, context: value)  # of the reader's
    monkeypatch.setattr("niah.runs.run_path", Path)
    wrong = []
    for page, line in sorted(set(commands())):
        words = shlex.split(line)
        try:
            niah.main(words[words.index("niah") + 1 :], prog_name="niah", standalone_mode=False)
        except (click.ClickException, UserError) as error:
            wrong.append((page, line, str(error)))
    assert wrong == []


def inline() -> Iterator[tuple[str, str]]:
    """Of each page the commands and options in its sentences."""
    for page in PAGES:
        sentences = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for code in re.findall(r"`((?:niah |--)[^`\n]+)`", sentences):
            if "--" in code:
                yield str(page.relative_to(ROOT)), code


def options(words: list[str], command: click.Command = niah) -> set[str]:
    """What the command of these words takes; every option of niah's where they name none."""
    others = getattr(command, "others", {})
    command = others.get(words[0] if words else "", command)
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    if not isinstance(command, click.Group):
        return known.union(*(options([], each) for each in others.values()))
    context = click.Context(command)
    names = (
        [words[0]] if words and words[0] in command.list_commands(context) else command.list_commands(context)
    )
    inner = (command.get_command(context, name) for name in names)
    return known.union(*(options(words[1:], each) for each in inner if each is not None))


def test_niah_has_what_sentences_name() -> None:
    named = [(page, code, code.removeprefix("niah ").split()) for page, code in sorted(set(inline()))]
    unknown = [
        (page, code)
        for page, code, words in named
        if not {found[0] for word in words if (found := re.match(r"--[\w-]+", word))} <= options(words)
    ]
    assert unknown == []


def test_no_suite_is_run_as_a_config() -> None:
    suites = set(yaml_names(places("cases"))) - set(yaml_names(places("runs")))
    run = re.compile(r"niah (?:run|plan) ([a-z][\w-]*)(?:\s|$)")
    assert not suites.intersection(name for _, code in (*commands(), *inline()) for name in run.findall(code))


def test_the_page_of_commands_says_what_their_own_help_says() -> None:
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == make_cli.page(), "python docs/make_cli.py writes it anew"


ACTION = yaml.safe_load((ROOT / "action" / "action.yml").read_text())
GUIDE = [
    yaml.safe_load(block)
    for block in re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs/nightly.md").read_text(), re.M | re.S)
]
WORKFLOW = next(block for block in GUIDE if "jobs" in block)
OWN_WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())
STEPS: dict[str, Any] = {step["name"]: step for step in ACTION["runs"]["steps"] if "shell" in step}

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
        named = ACTION["inputs"].items()
        self.values = {f"inputs.{name}": str(each.get("default", "")) for name, each in named}
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
        done = subprocess.run(command, cwd=self.folder, env=environment)
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
