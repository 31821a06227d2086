"""What bash completes: commands, options and names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
