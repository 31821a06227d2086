"""What a shell completes: commands, options and names, asked as click's shells ask, and by bash itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from niah.cli.main import COMMANDS, niah
from tests.plots.html.simulated_run import Size, write_run


@pytest.fixture(scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "runs").mkdir()
    size = Size((512,), (50,), ("ferry-lanterns",), strategies=("lc", "topk"))
    write_run(folder / "runs" / "tonight.sqlite", size)
    (folder / "runs" / "mine.yaml").write_text("suite: quick\n")
    (folder / "runs" / "text.sqlite").write_text("no database")
    return folder


@pytest.fixture(autouse=True)
def _in_the_folder(_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_folder)


def completed(*line: str) -> list[str]:
    """What the last word of a command line may become."""
    *before, begun = line
    items = ShellComplete(niah, {}, "niah", "_NIAH_COMPLETE").get_completions(before, begun)
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in items]


def test_commands() -> None:
    assert completed("") == list(COMMANDS)
    assert completed("re") == ["report", "retrieve"]
    assert "--version" in completed("--")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("report to", ["tonight"]),
        ("compare tonight to", ["tonight"]),
        ("judge ton", ["tonight"]),
        ("judge tonight --judge ru", ["rubric"]),
        ("report tonight --figure score-by-len", ["score-by-length"]),
        ("run qui", ["quick"]),
        ("run mi", ["mine"]),
        ("run --strategies lc,dos,to", ["lc,dos,topk", "lc,dos,topk-rev"]),
        ("run --strategies topk,topk", ["topk,topk-rev"]),
        ("run --needle-sets starlight-sh", ["starlight-short@"]),
        ("run --model smo", ["smollm2"]),
        ("generate u-niah --tokenizer o2", ["o200k"]),
        ("list needle", ["needle-sets", "needles"]),
        ("questions import qual", ["quality"]),
    ],
)
def test_names(line: str, names: list[str]) -> None:
    assert completed(*line.split()) == names


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes(tmp_path: Path) -> None:
    command = tmp_path / "bin" / "niah"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m niah "$@"\n')
    command.chmod(0o755)
    script = """
        eval "$(niah completion bash)"
        complete -p niah
        COMP_WORDS=(niah report ton) COMP_CWORD=2 && _niah_completion niah && echo "${COMPREPLY[@]}"
    """
    root = str(Path(__file__).resolve().parents[2])
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": root,
    }
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.endswith("-F _niah_completion niah")
    assert second == "tonight"
