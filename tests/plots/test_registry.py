"""All figures of a run: which are drawn, what is on disk, that nothing overlaps, that bytes repeat."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from niah.analysis.frame import trial_frame
from niah.errors import UnknownName
from niah.plots.drawing import start_drawing
from niah.plots.figures.figure_data import figure_data
from niah.plots.figures.frontier import draw_score_by_tokens
from niah.plots.figures.scores import draw_score_by_kind, draw_score_by_length
from niah.plots.kit.saved_figure import RenderedFigure, SavedFigure
from niah.plots.kit.theme import themed
from niah.plots.one_figure.figure_needs import NEEDS
from niah.plots.registry import FIGURES, rendered_figures
from niah.runs.file.read_model import read_run
from tests.plots.figures.layout import faults
from tests.plots.figures.simulated_records import World, simulate
from tests.plots.figures.worlds import WORLDS, single, tiny, ugly
from tests.plots.html.given_run import write_given_run, write_question_set

SMALL = World(
    readers=("simulated-a",),
    strategies=("lc", "topk", "topk-rev", "half"),
    lengths=(1000, 4000),
    depths=(0, 100),
    sets=("pizza-ingredients", "needle-in-needle"),
    seeds=(1, 2, 3),
    failing=0.1,
    distractors=(0, 4),
)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "full")) for name in WORLDS],
)
def world(request: pytest.FixtureRequest) -> list[RenderedFigure]:
    """Every figure of a simulated run, drawn and not yet written."""
    records, samples = WORLDS[request.param]()
    data = figure_data(trial_frame(records, samples))
    with themed():
        return [one for _, figure in FIGURES.items() for one in figure.draw(data)]


def test_no_text_leaves_a_figure_or_lies_on_another(world: list[RenderedFigure]) -> None:
    with themed():
        assert {one.name: found for one in world if (found := faults(one.figure))} == {}


def test_no_figure_is_wider_than_a_page_can_show(world: list[RenderedFigure]) -> None:
    assert {one.name for one in world if one.figure.get_size_inches()[0] > 13} == set()


def test_no_two_figures_have_the_same_name(world: list[RenderedFigure]) -> None:
    assert len(world) == len({one.name for one in world})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[SavedFigure]]:
    """Where the figures of a small run are, and what is said of them."""
    folder = tmp_path_factory.mktemp("small")
    records, samples = simulate(SMALL)
    return folder, start_drawing(trial_frame(records, samples), folder).finish()


def test_every_figure_is_there_as_svg_png_and_csv(small: tuple[Path, list[SavedFigure]]) -> None:
    folder, drawn = small
    assert [one.name for one in drawn] == [
        "score-by-length",
        "heatmaps",
        "needle-sets--simulated-a",
        "heatmaps--simulated-a",
        "score-by-depth--simulated-a",
        "rag-minus-lc",
        "effective-length",
        "needle-in-needle",
        "distractors",
        "retrieval-by-length",
        "context-organisation",
        "error-types",
        "error-types-complete",
        "missing-and-extra",
        "noise-ratio",
        "outcomes",
        "score-by-tokens",
        "score-by-cost",
    ]
    for one in drawn:
        assert one.png.read_bytes().startswith(b"\x89PNG")
        assert b"<svg" in one.svg.read_bytes()
        rows = list(csv.reader(io.StringIO((folder / f"{one.name}.csv").read_text())))
        assert tuple(rows[0]) == one.table.columns
        assert len(rows) == 1 + len(one.table.rows) > 1
        assert {len(row) for row in rows} == {len(one.table.columns)}
        assert one.caption
        assert one.group in ("Scores", "Retrieval", "Errors", "Cost")


def test_the_same_records_in_any_order_give_the_same_bytes(
    small: tuple[Path, list[SavedFigure]], tmp_path: Path
) -> None:
    folder, _ = small
    records, samples = simulate(SMALL)
    start_drawing(trial_frame(Random(1).sample(records, len(records)), samples), tmp_path).finish()
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 3 * 18
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_svgs_have_no_date(tmp_path: Path) -> None:
    records, samples = single()
    for one in start_drawing(trial_frame(records, samples), tmp_path).finish():
        assert b"<dc:date>" not in one.svg.read_bytes()


def test_figures_without_data_are_left_out(tmp_path: Path) -> None:
    records, samples = single()
    names = [one.name for one in start_drawing(trial_frame(records, samples), tmp_path).finish()]
    assert names == [
        "score-by-length",
        "heatmaps--simulated",
        "error-types",
        "missing-and-extra",
        "score-by-tokens",
        "score-by-cost",
    ]


def test_published_numbers_are_those_of_the_paper_asked_for(tmp_path: Path) -> None:
    records = [replace(record, reader="openai/gpt-4o-mini") for record in single()[0]]
    asked, other = (
        {one.name for one in start_drawing(trial_frame(records), tmp_path / paper, paper).finish()}
        for paper in ("u-niah", "mixture-of-pageranks")
    )
    assert asked - other == {"beside-papers"}


def test_an_unknown_paper_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        start_drawing(trial_frame(*single()), tmp_path / "none", "nowhere")
    assert not (tmp_path / "none").exists()


def test_no_records_no_figures(tmp_path: Path) -> None:
    assert start_drawing(trial_frame([]), tmp_path / "none").finish() == []
    assert not (tmp_path / "none").exists()


def test_a_run_that_has_not_begun_shows_only_that(tmp_path: Path) -> None:
    records, _ = tiny()
    blank = {"outcome": "not_run", "score": None, "retrieval_completeness": None, "noise_ratio": None}
    blank |= {"needle_ranks": None, "prompt_tokens": None, "cost": None}
    waiting = [replace(record, **blank) for record in records]  # type: ignore[arg-type]
    assert [one.name for one in start_drawing(trial_frame(waiting), tmp_path).finish()] == ["outcomes"]


def test_nothing_that_was_not_scored_is_counted() -> None:
    records, samples = ugly()
    with themed():
        (rendered,) = draw_score_by_length(figure_data(trial_frame(records, samples)))
    n, mean = rendered.columns.index("n"), rendered.columns.index("mean")
    assert sum(int(row[n] or 0) for row in rendered.rows) == sum(r.outcome == "scored" for r in records)
    assert all(1 <= float(row[mean] or 0) <= 10 for row in rendered.rows)


def test_a_failed_trial_that_kept_a_score_has_none() -> None:
    records, samples = simulate(SMALL)
    odd = [replace(r, outcome="judge_error") if r.outcome == "scored" else r for r in records]
    with themed():
        data = figure_data(trial_frame(odd, samples))
        assert [*draw_score_by_tokens(data), *draw_score_by_length(data)] == []


def test_given_questions_have_the_figures_that_their_facets_allow(tmp_path: Path) -> None:
    write_given_run(tmp_path / "given.sqlite", write_question_set(tmp_path))
    run = read_run(tmp_path / "given.sqlite")
    with themed():
        drawn = list(rendered_figures(trial_frame(run.records, run.samples)))
        assert {one.name: found for one in drawn if (found := faults(one.figure))} == {}
    # No depth: no heatmap, no line over depth. No elements: no error types.
    assert [one.name for one in drawn] == [
        "score-by-length",
        "score-by-kind",
        "rag-minus-lc",
        "retrieval-by-length",
        "noise-ratio",
        "outcomes",
        "score-by-tokens",
        "score-by-cost",
        "lc-vs-rag-figure-3",
        "lc-vs-rag-figure-6",
    ]
    by_length = drawn[0]
    assert {row[2] for row in by_length.rows} == {"4k–8k", "8k–16k", "16k–32k"}


def test_a_kind_of_which_nothing_was_scored_is_hatched_and_says_why(tmp_path: Path) -> None:
    write_given_run(tmp_path / "given.sqlite", write_question_set(tmp_path))
    run = read_run(tmp_path / "given.sqlite")
    whole_frame = trial_frame(run.records, run.samples)
    lost = min(whole_frame["kind"].dropna())
    frame = trial_frame(
        [
            replace(record, outcome="judge_error", score=None) if kind == lost else record
            for record, kind in zip(run.records, whole_frame["kind"], strict=True)
        ],
        run.samples,
    )
    failed = int((frame["outcome"] == "judge_error").sum())
    with themed():
        (whole,) = draw_score_by_kind(figure_data(whole_frame))
        (drawn,) = draw_score_by_kind(figure_data(frame))
        assert not faults(drawn.figure)
    said = [text.get_text() for axes in drawn.figure.axes for text in axes.texts]
    assert said == [f"{failed} judge errors"]
    hatched = [part for axes in drawn.figure.axes for part in axes.collections if part.get_gid() == "missing"]
    assert [part.get_hatch() for part in hatched] == ["////"]
    assert not [text for axes in whole.figure.axes for text in axes.texts]


def test_given_questions_have_no_figure_of_needles_however_many_readers_were_asked(tmp_path: Path) -> None:
    write_given_run(tmp_path / "given.sqlite", write_question_set(tmp_path))
    run = read_run(tmp_path / "given.sqlite")
    both = [*run.records, *(replace(record, reader="simulated-b") for record in run.records)]
    with themed():
        names = [one.name for one in rendered_figures(trial_frame(both, run.samples))]
    assert not [name for name in names if name.startswith("u-niah")]


def test_what_a_figure_needs_is_said_of_figures_that_there_are() -> None:
    assert NEEDS.keys() <= set(FIGURES)
    # Of those alone that any trials have.
    always = {"score-by-length", "heatmaps", "heatmap-matrix", "error-types", "score-by-tokens"}
    assert {name for name in FIGURES.own if not FIGURES[name].of_needles} - NEEDS.keys() == always
