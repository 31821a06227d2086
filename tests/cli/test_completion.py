"""What bash completes: commands, options and names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
    eval "$(niah completion bash)"
    complete -p niah
    COMP_WORDS=(niah report ton) COMP_CWORD=2 && _niah_completion niah && echo "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes(tmp_path: Path) -> None:
    for name in ("tonight.sqlite", "mine.yaml", "text.sqlite"):
        (tmp_path / "runs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "runs" / name).write_text("")
    command = tmp_path / "niah"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m niah "$@"\n')
    command.chmod(0o755)
    root = str(Path(__file__).resolve().parents[2])
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": root}
    shell = ["bash", "--norc", "-c", SCRIPT]
    done = subprocess.run(shell, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.endswith("-F _niah_completion niah")
    assert second == "tonight"
