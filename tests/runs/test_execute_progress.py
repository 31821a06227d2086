"""What the progress tells of a reader while trials run, where no terminal is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from niah.cases.case import Case
from niah.cli.progress import RunProgress, short_count
from niah.readers import Reader, Traffic, Usage
from niah.runs.result import Result
from niah.runs.trial import Outcome, Trial
from niah.strategies.strategy import parse

TRIAL = Trial(Case("three-gates", "essays", 600, 50), parse("lc"), "m", 0, "f", 80)


def result(outcome: Outcome) -> Result:
    return Result(outcome, None, None, "", "why", Usage(1200, 34), 0.1, 600, "sha", None)


def reader(running: int, waiting: int, retries: int) -> Reader:
    return cast(Reader, SimpleNamespace(traffic=Traffic(running, waiting, retries)))


def test_a_line_tells_what_runs_and_what_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(planned=2, finished=0, todo=2) as progress:
        progress.asking(reader(0, 0, 1))
        progress.asking(reader(3, 5, 2))
        progress.started(TRIAL)
        progress.finished(TRIAL, result("reader_error"))
        progress.finished(TRIAL, result("reader_error"))
    _, first, _, second = capsys.readouterr().err.splitlines()
    told = "3 running, 5 waiting, {} not scored, 3 retries, {} tokens"
    assert first == f"1 of 2 trials, {told.format(1, '1.23k')}, ETA 0:00:00"
    assert second == f"2 of 2 trials, {told.format(2, '2.47k')}"


def test_nothing_is_told_of_what_is_nought(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(planned=1, finished=0, todo=1) as progress:
        progress.asking(reader(0, 0, 0))
        progress.finished(TRIAL, Result("scored", None, None, "", "", Usage(), 0.1, 600, "sha", None))
    assert capsys.readouterr().err == "1 of 1 trials\n"


@pytest.mark.parametrize(
    ("number", "short"),
    [(0, "0"), (999, "999"), (1000, "1k"), (12_345, "12.3k"), (999_999, "1M"), (4_560_000, "4.56M")],
)
def test_short_counts(number: int, short: str) -> None:
    assert short_count(number) == short
