"""Without the extra `local`: what needs no model on this machine works, the rest says what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# As where these were never installed: importing one fails, and looking for it finds nothing.
_WITHOUT = """
import sys
for name in ("torch", "transformers", "sentence_transformers", "xllamacpp", "ray"):
    sys.modules[name] = None
from niah.cli.main import entry
entry()
"""


def niah(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _WITHOUT, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("plan quick", "smollm2 needs xllamacpp, which is not installed. Install niah with its extra local"),
        ("retrieve single --strategies topk", "minilm needs sentence_transformers, which is not installed."),
        (
            "run quick",
            "needs sentence_transformers, which is not installed. Install niah with its extra local",
        ),
    ],
)
def test_what_needs_it_says_so_before_any_work(arguments: str, line: str, tmp_path: Path) -> None:
    done = niah(tmp_path, *arguments.split())
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_cases_and_retrieval_by_words_need_none_of_it(tmp_path: Path) -> None:
    done = niah(tmp_path, "retrieve", "single", "--strategies", "mixpr,bm25/half/norm", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert "mixpr" in done.stdout
