"""Exit codes where nobody reads what a command says: ``| head`` has gone, or there is no standard output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WRONG = '{"id": "seal", "question": "Who signs?"}\n'


@pytest.fixture(autouse=True)
def _a_wrong_question_set(in_folder: Path) -> None:
    Path("wrong.jsonl").write_text(WRONG)


def told_nobody(*command: str) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "niah", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    return process.wait(), told


def test_a_command_that_is_read_no_further_ends_well() -> None:
    assert told_nobody("list") == (0, "")
    assert told_nobody("generate", "single") == (0, "")  # cases are written as bytes


def test_a_verdict_is_what_it_is_whether_read_or_not() -> None:
    assert told_nobody("questions", "check", "wrong.jsonl") == (2, "")
    assert told_nobody("--help") == (0, "")


@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), (">&- 2>&-", 2)])
def test_no_standard_output_at_all_is_no_failure_of_its_own(closed: str, code: int) -> None:
    command = f"exec {sys.executable} -m niah questions check wrong.jsonl {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, "")
    assert Path("wrong.jsonl").read_text() == WRONG
