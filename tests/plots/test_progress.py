"""What the progress says of readers while trials run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.plots.progress import RunProgress
from niah.readers.reader import Traffic, Usage
from niah.runs.trial import Outcome, Trial, TrialResult
from niah.strategies.strategy import parse

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TRIAL = Trial(sample_of(Case("three-gates", "essays", 600, 50)), parse("lc"), "m", 0, 80)


def result(outcome: Outcome) -> TrialResult:
    return TrialResult(outcome, "", "why", Usage(1200, 34), 0.1, 600)


def under_way(running: int, waiting: int, retries: int) -> Callable[[], Traffic]:
    return lambda: Traffic(running, waiting, retries)


def test_a_line_tells_what_runs_and_what_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(planned=2, finished=0, todo=2) as progress:
        progress.asking(under_way(3, 5, 3))
        progress.finished(TRIAL, result("reader_error"))
        progress.finished(TRIAL, result("reader_error"))
    _, first, second, together = capsys.readouterr().err.splitlines()
    said = "3 running, 5 waiting, {} not scored, {} tok, 3 retries"
    assert first == f"1 of 2 trials, {said.format(1, '1.2k')}, ETA 0:00:00"
    assert second == f"2 of 2 trials, {said.format(2, '2.5k')}"
    assert together == "2 times reader_error: why"


def paid(usd: str | None) -> TrialResult:
    cost = None if usd is None else Decimal(usd)
    return replace(result("scored"), usage=Usage(), cost=cost)


NOW = replace(result("scored"), cost=Decimal("1.5"))
SAME = replace(NOW, from_cache=True, cost=Decimal(0))  # a request that this run has asked already
KEPT = replace(SAME, reused_from="2026-11-28T09:05:00Z")


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([paid("0.0412"), paid("0.0788")], "0.12 USD"),
        ([paid("0.0412"), paid(None), paid("0.0788")], "at least 0.12 USD"),
        ([paid(None), paid(None)], ""),
        ([paid("0"), paid("0")], ""),
        ([KEPT, NOW, KEPT], "1.50 USD, 1.2k tok, 2 reused"),  # 1200 + 34 tokens, once
        ([NOW, SAME, SAME], "1.50 USD, 1.2k tok, 2 alike"),
    ],
)
def test_money_and_tokens_so_far(
    results: list[TrialResult], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunProgress(planned=len(results), finished=0, todo=len(results)) as progress:
        for each in results:
            progress.finished(TRIAL, each)
    assert capsys.readouterr().err.splitlines()[-1].partition(" trials, ")[2] == told


def test_what_an_endpoint_says_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(planned=1, finished=0, todo=1) as progress:
        progress.finished(TRIAL, replace(result("reader_error"), reason="HTTP 400: [/INST] [bold]"))
    assert "reader_error: HTTP 400: [/INST] [bold]\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "tells"),
    [
        (60, "1.50 USD, 8 running, 12 waiting,"),
        (80, "1.50 USD, 8 running, 12 waiting, 1 not scored, 1.2k tok"),
        (100, "1.50 USD, 8 running, 12 waiting, 1 not scored, 1.2k tok, 1 alike, 2 retries"),
    ],
)
def test_the_bar_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int, tells: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    with RunProgress(planned=900, finished=0, todo=900) as progress:
        progress.asking(under_way(8, 12, 2))
        progress.finished(TRIAL, replace(paid("1.5"), usage=Usage(1200, 0)))
        progress.finished(TRIAL, replace(paid("0"), from_cache=True))
        progress.finished(TRIAL, replace(paid("0"), outcome="reader_error"))
    drawn = [CONTROL.sub("", line) for line in re.split(r"[\r\n]+", capsys.readouterr().err)]
    bars = [line for line in drawn if "/900" in line]
    assert f" {tells}" in bars[-1]
    assert "3/900" in bars[-1]
    assert max(len(line) for line in bars) <= columns
