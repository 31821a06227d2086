from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from niah.analysis.frame import trial_frame
from niah.analysis.tables.summary import SummaryRow, summarise
from niah.plots.terminal.summary_table import print_summary
from tests.analysis.small_trials import trial

SCORED = trial("lc", 7, reader="smollm2", prompt_tokens=48_300, completion_tokens=20, latency_s=1.5)
RAG = replace(SCORED, strategy="minilm/top-auto/norm", score=10, cached_tokens=1200)
TRUNCATED = replace(SCORED, outcome="truncated", score=None)


def printed(rows: tuple[SummaryRow, ...], width: int = 80) -> str:
    out = StringIO()
    print_summary(rows, Console(file=out, width=width))
    return out.getvalue()


def test_the_table_as_it_looks() -> None:
    assert printed(
        summarise(trial_frame([SCORED, RAG, TRUNCATED, replace(RAG, reader="b/gpt")]))
    ).splitlines() == [
        "b/gpt                   score    n  prompt  cached  answer   time",
        "  minilm/top-auto/norm     10    1   48.3k    1.2k      20  1.5 s",
        "",
        "smollm2",
        "  full context            7.0  1/2   96.6k       –      40  3.0 s",
        "    not scored: truncated 1",
        "  minilm/top-auto/norm     10    1   48.3k    1.2k      20  1.5 s",
    ]


def test_outcomes_are_listed_only_where_there_are_others_than_scored() -> None:
    assert "not scored" not in printed(summarise(trial_frame([SCORED, RAG])))


def test_cached_is_left_out_where_nobody_says() -> None:
    assert "cached" not in printed(summarise(trial_frame([SCORED])))


def test_unknown_is_a_dash() -> None:
    silent = replace(TRUNCATED, prompt_tokens=None, completion_tokens=None, latency_s=None)
    assert printed(summarise(trial_frame([silent]))).splitlines()[1].split() == [
        *("full", "context"),
        "–",
        "0/1",
        "–",
        "–",
        "–",
    ]


@pytest.mark.parametrize("width", [0, 1, 3, 5])
def test_no_terminal_is_too_narrow(width: int) -> None:
    printed(summarise(trial_frame([TRUNCATED])), width)


@pytest.mark.parametrize("width", [80, 100, 200])
def test_it_fits_and_no_name_is_cut(width: int) -> None:
    long = "a-retriever-with-a-very-long-name/budget-120000/document"
    records = [
        replace(SCORED, strategy=long),
        RAG,
        replace(TRUNCATED, reader="provider/a-reader-with-a-long-name"),
    ]
    text = printed(summarise(trial_frame(records)), width)
    assert max(map(len, text.splitlines())) <= width
    for name in (long, RAG.strategy, "provider/a-reader-with-a-long-name"):
        assert name in text


def test_markup_in_names_is_shown_as_it_is() -> None:
    assert "[red]x" in printed(summarise(trial_frame([replace(SCORED, strategy="[red]x")])))


def test_no_rows() -> None:
    assert printed(()) == "no trials\n"
