"""Sixty mutated files and command lines; ``python -m tests.cli.fuzz 10000`` is the same with more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.fuzz import Outcome, run_forked, watched

ROOT = Path(__file__).parents[2]


def test_whatever_comes_ends_soon_with_a_code_and_no_traceback() -> None:
    # In a process of its own: what is forked from one whose OpenMP threads have worked may hang or crash.
    command = [sys.executable, "-m", "tests.cli.fuzz", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "60 cases, 0 went wrong" in done.stdout
    assert {"0", "2"} <= set(re.findall(r"\d+ with (\d+)", done.stdout))


def _strange(arguments: list[str]) -> int:
    match arguments[0]:
        case "traceback":
            raise KeyError("no such thing")
        case "hang":
            while True:
                pass
        case "memory":
            return len(bytearray(300_000_000)) * 0
        case "exit":
            raise SystemExit(5)
    return 7 if arguments[0] == "code" else 0


@pytest.mark.parametrize(
    ("fault", "code", "problem"),
    [
        ("none", 0, ""),
        ("code", 7, "exit code 7"),
        ("exit", -1, "SystemExit 5"),
        ("traceback", -1, "KeyError at : 'no such thing'"),
        ("hang", -1, "TooSlow at : more than 0.3 s"),
        ("memory", 0, "0.3 GB of memory"),
    ],
)
def test_what_goes_wrong_is_seen(
    fault: str, code: int, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "hang":
        monkeypatch.setattr("tests.cli.fuzz.SLOWEST_S", 0.3)
    monkeypatch.setattr("tests.cli.fuzz.MOST_MEMORY", 250_000_000)
    assert watched(_strange, [fault]) == (code, problem)


def test_a_crash_ends_one_case_alone() -> None:
    def case(number: int) -> Outcome:
        if number == 5:
            os.kill(os.getpid(), 9)
        return Outcome(number, "none", (), 0, "")

    assert [outcome.problem for outcome in run_forked(3, 9, case)] == [
        "",
        "",
        "the process ended by signal 9",
    ]
