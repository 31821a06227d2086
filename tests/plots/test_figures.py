"""Figures, tables and sentences of a dozen trials, by hand; and what is shown while trials run."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from rich.console import Console

from niah.analysis.tables import Table
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.plots.drawing import draw_figures, figure_of
from niah.plots.progress import RunProgress
from niah.plots.tables import print_table
from niah.plots.theme import STYLES, themed, write_drawing
from niah.plots.words import blind_words, findings
from niah.readers.reader import Traffic, Usage
from niah.runs.trial import Outcome, Trial, TrialResult
from niah.strategies.strategy import parse
from tests.analysis.small_trials import at, frame_of, trial

RAG = "bm25/top-5/document"


def drawn(frame: Any, name: str) -> Any:
    """What a figure draws."""
    with themed():
        (figure,) = draw_figures(frame, [name])
    return figure.numbers


def laid_out(frame: Any, name: str, style: str = "page") -> list[Any]:
    """A figure's inches, what each panel says, its ends and lines, entries and columns of its key."""
    with matplotlib.rc_context({"axes.xmargin": 0.4}), themed(STYLES[style]):  # a user's own setting
        drawing = figure_of(frame, Path("x"), name, STYLES[style]).drawing
    panels, legends = list[Any](), list[Any](drawing.legends)
    for axes in drawing.axes:
        sides, at = (axes.get_xticklabels(), axes.get_yticklabels()), axes.get_subplotspec()
        ticks = [[each.get_text() for each in own] for own in sides]
        names = axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()
        panels.append([at and at.colspan.start, *names, *ticks, axes.get_xlim(), axes.get_ylim()])
        panels[-1] += [[each.get_color() for each in axes.lines]]
    key = [[[each.get_text() for each in own.get_texts()], own._ncols] for own in legends]
    return [drawing.get_size_inches(), panels, key]


def test_score_by_length_has_a_panel_for_each_of_few_needle_sets() -> None:
    """Of one set that falls a line of both would show half, and rise where one is not asked."""
    names = [f"set-{number}" for number in range(9)]
    cases = [at(length, needle_set=name) for name in names for length in (1000, 2000)]
    numbers = drawn(frame_of([trial("lc", 10, case=case) for case in cases[:4]]), "score-by-length")
    assert numbers["sets"].unique().tolist() == names[:2]
    numbers = drawn(frame_of([trial("lc", 10, case=case) for case in cases]), "score-by-length")
    assert numbers["sets"].nunique() == 1


def test_a_name_that_is_no_formula_and_has_no_glyph_is_drawn(tmp_path: Path) -> None:
    look, fonts = STYLES["paper"], logging.getLogger("matplotlib.font_manager")
    odd = frame_of([trial("$\\x$ \u0378", 10, case=at(n), definition=RAG) for n in (1000, 2000)])
    with warnings.catch_warnings(action="error", category=UserWarning), themed(look):
        drawing = figure_of(odd, Path("x"), "score-by-length", look).drawing
        write_drawing(drawing, tmp_path / "a.pdf", look)
        assert fonts.level == logging.ERROR
    assert fonts.level == logging.NOTSET
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_part_that_is_narrower_than_its_label_has_none() -> None:
    kinds = {"missing_only": 2, "wrong_only": 14, "correct": 84}
    each = (kind for kind, n in kinds.items() for _ in range(n))
    frame = frame_of([trial("lc", 5, case=at(1000 + n), error_type=kind) for n, kind in enumerate(each)])
    with themed():
        (axes,) = figure_of(frame, Path("x"), "error-types").drawing.axes
        (alone,) = figure_of(
            frame[frame["error_type"] != "missing_only"], Path("x"), "error-types"
        ).drawing.axes
    assert sorted(each.get_text() for each in axes.texts if each.get_visible()) == ["14%", "84%", "n 100"]
    colours = [[bar[0].get_facecolor() for bar in each.containers] for each in (axes, alone)]
    assert colours[0][0::2] == colours[1], "a colour is an error type's, whatever else occurs"


def test_lines_that_coincide_are_both_seen_and_no_mark_is_beyond_the_scale() -> None:
    """Of three strategies two are right throughout, and one of them not from 4,000 tokens on."""
    scores = {"lc": (10, 10, 10), RAG: (10, 10, 9), "oracle": (10, 9, 9)}
    trials = [trial(name, s, case=at(1000 * 2**n)) for name, own in scores.items() for n, s in enumerate(own)]
    with themed():
        axes, *_ = figure_of(frame_of(trials), Path("x"), "score-by-length").drawing.axes
        (lead,) = figure_of(frame_of(trials[:5]), Path("x"), "rag-minus-lc").drawing.axes
    heights = {line.get_label(): line.get_transform().transform((1000, 10))[1] for line in axes.lines}
    assert heights["full context"] > heights["oracle"] + 1 > heights[RAG] + 2
    assert max(axes.get_yticks()) == 10
    assert lead.get_ylim() == (-0.5, 0.5)


def test_a_wrong_answer_that_a_metric_gives_no_type_is_counted() -> None:
    scores = {1000: 10, 2000: 1, 3000: None}
    numbers = drawn(frame_of([trial("lc", score, case=at(n)) for n, score in scores.items()]), "error-types")
    assert numbers[["error_type", "trials", "n"]].to_numpy().tolist() == [
        ["correct", 1, 2],
        ["no_type", 1, 2],
    ]


def test_the_first_screen_and_the_crossover_name_the_strategy_with_the_highest_mean() -> None:
    """A switch from 2k on to top-5 would bring more."""
    scores = {"lc": (10, 1), RAG: (6, 9), "bm25/top-9/document": (10, 7)}
    trials = [trial(name, own[n // 2000], case=at(n)) for name, own in scores.items() for n in (1000, 2000)]
    ((_, best, lines),) = findings(frame_of(trials))
    lead = "It leads full context from 2k on, by 6.0 (too few seeds for an interval)."
    assert (best, lines[1]) == ("bm25/top-9/document", f"bm25/top-9/document: 1 of 2 right. {lead}")
    (_, _, lines), *_ = findings(frame_of([trial("lc", score) for score in (10, None)]))
    assert lines == ["Full context: 1 of 1 right (1 of 2 not scored)."]


def test_blind_is_where_no_cell_of_a_heatmap_is_right() -> None:
    def said(*scores: float | None, **of_last: Any) -> str:
        cases = [replace(at(length), depth=depth) for length in (1000, 2000) for depth in (0, 100)]
        cases[3] = replace(cases[3], **of_last)
        trials = [trial("lc", score, case=case) for case, score in zip(cases, scores, strict=True)]
        return blind_words(frame_of(trials))

    assert said(10, 10, 1, 4) == "blind from 2k on"
    assert said(10, 10, 1, 8) == "blind at depth 0 % from 2k on"
    assert said(1, 1, 1, 10, depth=0, needle_set="three-gates") == "lowest in 3 of 4 cells: 1.0"
    assert said(10, 1, None, None) == "blind at depth 100 % at 1k"
    assert said(10, 1, 10, None) == "lowest at 1k, depth 100 %: 1.0"
    assert said(None, 1, 10, 1) == "blind at depth 100 % at every length"
    assert said(8.5, 10, 10, 8.5) == "lowest in 2 of 4 cells: 8.5"
    assert said(8.5, 9, 10, 10) == "lowest at 1k, depth 0 %: 8.5"
    assert said(8, 8, 8, 8) == ""
    scores = {("three-gates", 1000): 10, ("three-gates", 2000): None, ("one", 1000): 1, ("one", 2000): 1}
    two = [trial("lc", score, case=at(n, needle_set=name)) for (name, n), score in scores.items()]
    assert blind_words(frame_of(two)) == ""  # what is left at 2k is the set that is wrong at 1k as well
    many = [replace(at(1000), depth=depth) for depth in range(0, 100, 10)]
    deep = [trial("lc", 10 if case.depth < 50 else 1, case=case) for case in many]
    assert blind_words(frame_of(deep)) == "blind at depths 50 % to 90 % at every length"


@pytest.mark.parametrize(
    ("width", "gone"),
    [(None, set()), (94, set()), (93, {"clusters"}), (50, {"clusters", "detectable", "n", "low", "high"})],
)
def test_a_narrow_terminal_gets_whole_names_and_fewer_columns(width: int | None, gone: set[str]) -> None:
    names = ("simulated · full context · 16-32k · middle", "2026-11-24", "bm25/top-5/document@100")
    columns = ("part", "change", "low", "high", "n", "clusters", "detectable")
    rows = tuple((name, "-1.25 of 9", -2.5, -0.25, 48, 12, 0.5) for name in names)
    said, narrow = StringIO(), width is not None
    console = Console(file=said, width=width or 80, force_terminal=narrow, color_system="standard")
    print_table(
        Table("compare", "Scores of 9 [b]", columns, rows, "A note of 9 [b] words. low, high: bounds. " * 9),
        console,
    )
    assert said.getvalue().startswith("\x1b[1mScores of 9 [b]\x1b[0m\n")
    assert "\n\x1b[2mA note of 9 [b] words." in said.getvalue()
    lines = CONTROL.sub("", said.getvalue()).splitlines()
    assert all(any(word in line for line in lines) for name in names for word in name.split())
    assert sum("-1.25 of 9" in line for line in lines) == len(rows)
    assert set(columns) - {*lines[1].split()} == gone
    assert ("low, high:" in said.getvalue()) == ("low" not in gone)
    assert max(map(len, lines)) <= width if width else len(lines) == 6


CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TRIAL = Trial(sample_of(Case("three-gates", "essays", 600, 50)), parse("lc"), "m", 0, 80)


def result(outcome: Outcome) -> TrialResult:
    return TrialResult(outcome, "", "[/INST] [bold]", Usage(1200, 34), 0.1, 600)


def under_way(running: int, waiting: int, retries: int) -> Callable[[], Traffic]:
    return lambda: Traffic(running, waiting, retries)


def test_a_line_tells_what_runs_and_what_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(planned=3, finished=1, todo=2) as progress:
        progress.asking(under_way(3, 5, 3))
        progress.finished(TRIAL, result("reader_error"))
        progress.finished(TRIAL, result("reader_error"))
    before, why, first, second = capsys.readouterr().err.splitlines()
    said = "3 running, 5 waiting, {} not scored, {} tok, 3 retries"
    assert first == f"1 of 2 trials, {said.format(1, '1.2k')}, ETA 0:00:00"
    assert second == f"2 of 2 trials, {said.format(2, '2.5k')}"
    assert why.endswith("full context: reader_error: [/INST] [bold]")
    assert before == "1 of 3 trials are finished; 2 to go"


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
        ([NOW, SAME, SAME], "1.50 USD, 1.2k tok, 2 copied"),
    ],
)
def test_money_and_tokens_so_far(
    results: list[TrialResult], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunProgress(planned=len(results), finished=0, todo=len(results)) as progress:
        for each in results:
            progress.finished(TRIAL, each)
    assert capsys.readouterr().err.splitlines()[-1].partition(" trials, ")[2] == told


@pytest.mark.parametrize(
    ("columns", "tells"),
    [
        (60, "1.50 USD, 8 running, 12 waiting,"),
        (80, "1.50 USD, 8 running, 12 waiting, 1 not scored, 1.2k tok"),
        (100, "1.50 USD, 8 running, 12 waiting, 1 not scored, 1.2k tok, 1 copied, 2 retries"),
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
