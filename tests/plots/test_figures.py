"""Figures, tables and sentences of a dozen trials whose numbers are worked out by hand."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from niah.analysis.table import Table
from niah.analysis.tables import make_table, summary
from niah.errors import UnknownName, UserError
from niah.judges.verdict import Verdict
from niah.plots.figures import draw_figures, figure_of
from niah.plots.tables import as_csv, as_latex, as_markdown, print_table, shown_row
from niah.plots.terminal import print_heatmaps
from niah.plots.theme import STYLES, figure_target, themed, write_drawing
from niah.plots.words import blind_words, findings
from tests.analysis.small_trials import at, frame_of, trial

RAG = "bm25/top-5/document"


@pytest.fixture
def frame() -> Any:
    """Full context is right at 1,000 tokens and wrong at 4,000; retrieval is right but once."""
    whole = [trial("lc", score, case=at(length)) for length, score in ((1000, 10), (2000, 10), (4000, 1))]
    found = [trial(RAG, score, case=at(length)) for length, score in ((1000, 10), (2000, 7), (4000, 10))]
    return frame_of([*whole, *found])


def drawn(frame: Any, name: str) -> Any:
    """What a figure draws."""
    with themed():
        (figure,) = draw_figures(frame, [name])
    return figure.numbers


def test_score_by_length_has_a_panel_for_each_of_few_needle_sets() -> None:
    """Of one set that falls a line of both would show half, and rise where one is not asked."""
    names = [f"set-{number}" for number in range(9)]
    cases = [at(length, needle_set=name) for name in names for length in (1000, 2000)]
    numbers = drawn(frame_of([trial("lc", 10, case=case) for case in cases[:4]]), "score-by-length")
    assert numbers["sets"].unique().tolist() == names[:2]
    numbers = drawn(frame_of([trial("lc", 10, case=case) for case in cases]), "score-by-length")
    assert numbers["sets"].nunique() == 1


def test_the_lead_is_of_pairs_with_full_context(frame: Any) -> None:
    assert drawn(frame, "rag-minus-lc")["mean"].tolist() == [0, -3, 9]


def test_a_figure_without_data_says_what_it_needs(frame: Any, tmp_path: Path) -> None:
    with themed(), pytest.raises(UserError, match="distractors"):
        figure_of(frame, Path("x.sqlite"), "distractors")
    with themed(), pytest.raises(UnknownName, match="score-by-lenght"):
        figure_of(frame, Path("x.sqlite"), "score-by-lenght")
    look = STYLES["paper"]
    with themed(look):
        drawing = figure_of(frame, Path("x"), "score-by-length", look).drawing
        write_drawing(drawing, tmp_path / "a.pdf", "pdf", look)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_an_axis_names_the_metric_that_gave_the_scores() -> None:
    told = Verdict(5.5, (), (), (), False, "token-f1", "1", "", value=0.5)
    records = [trial("lc", 5.5, case=at(length), verdicts=(told,)) for length in (1000, 2000)]
    with themed():
        (figure,) = draw_figures(frame_of(records), ["score-by-length"])
    assert figure.drawing.axes[0].get_ylabel() == "mean score by token-f1"


def test_a_heatmap_on_a_terminal_names_its_model_where_there_are_two() -> None:
    for readers, named in ((("m",), False), (("m", "other"), True)):
        console = Console(file=StringIO(), width=200, force_terminal=True, color_system=None)
        records = [
            trial("lc", 10, case=at(length), reader=name) for name in readers for length in (1000, 2000)
        ]
        print_heatmaps(frame_of(records), console)
        assert ("m · full context" in console.file.getvalue()) == named  # type: ignore[attr-defined]


def test_shares_fill_their_axis() -> None:
    kinds = [trial("lc", 5, case=at(1000), error_type=kind) for kind in ("missing_only", "wrong_only")]
    with themed():
        (figure,) = draw_figures(frame_of(kinds), ["error-types"])
    assert figure.drawing.axes[0].get_xlim() == (0, 1)


@pytest.mark.parametrize(("out", "kind"), [("a.svg", "pdf"), ("a.gif", None)])
def test_a_format_that_the_file_does_not_have_is_refused(out: str, kind: str | None) -> None:
    with pytest.raises(UserError):
        figure_target("heatmaps", Path(out), kind)


def test_the_summary_counts_right_answers(frame: Any) -> None:
    rows: Any = summary(frame).set_index("strategy")
    assert rows.loc["lc", ["right", "n", "trials"]].tolist() == [2, 3, 3]
    assert rows.loc[RAG, "mean"] == 9
    rates: Any = make_table("win-rates", frame)
    assert list(rates.rows[0][2:5]) == ["all", pytest.approx(2 / 3), None]


def test_sentences_have_the_numbers(frame: Any) -> None:
    (found,) = findings(frame)
    assert found.best == RAG
    assert found.lines[0] == "Full context: 2 of 3 right; blind from 4k on."
    assert found.lines[1].startswith(f"{RAG}: 2 of 3 right")
    assert blind_words(frame[frame["strategy"] == RAG]).startswith("lowest at 2k")


def test_a_table_has_the_same_cells_in_every_form() -> None:
    table = Table("t", "T_1", ("strategy", "mean", "low", "high", "n"), (("lc", 9.5, None, None, 4),))
    assert shown_row(table, table.rows[0]) == ["full context", "9.50", "too few", "too few", "4"]
    assert as_csv(table).splitlines()[1] == "lc,9.5,,,4"
    assert "| full context | 9.50 | too few | too few | 4 |" in as_markdown(table)
    assert r"full context & 9.50 & too few & too few & 4 \\" in as_latex(table)
    assert r"\caption{T\_1}" in as_latex(table)


@pytest.mark.parametrize(
    ("width", "gone"), [(None, set()), (80, {"clusters"}), (50, {"clusters", "low", "high", "n"})]
)
def test_a_narrow_terminal_gets_whole_names_and_fewer_columns(width: int | None, gone: set[str]) -> None:
    names = ("simulated · full context · 16-32k · middle", "2026-11-24", "bm25/top-5/document@100")
    columns = ("part", "change", "low", "high", "n", "clusters", "detectable")
    rows = tuple((name, -1.25, -2.5, -0.25, 48, 12, 0.5) for name in names)
    console = Console(file=StringIO(), width=width or 80, force_terminal=width is not None, color_system=None)
    print_table(Table("compare", "Scores", columns, rows, "A note of many words. " * 9), console)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert all(any(word in line for line in lines) for name in names for word in name.split())
    assert gone == {name for name in gone if name not in lines[1].split()}
    assert "part" in lines[1]
    if width:
        assert max(map(len, lines)) <= width
    else:
        assert len(lines) == 6
        assert set(columns) <= set(lines[1].split())
