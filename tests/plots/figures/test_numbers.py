"""The numbers behind single figures, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

from niah.analysis.frame import trial_frame
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.plots.figures.effective_length import draw_effective_lengths
from niah.plots.figures.errors import (
    draw_error_types,
    draw_missing_and_extra,
    draw_noise_ratio,
)
from niah.plots.figures.figure_data import FigureData, figure_data
from niah.plots.figures.frontier import draw_score_by_cost, draw_score_by_tokens, front
from niah.plots.figures.needles_and_distractors import draw_distractors, draw_needle_in_needle
from niah.plots.figures.outcomes import draw_outcomes
from niah.plots.figures.retrieval import draw_context_organisation, draw_retrieval_by_length
from niah.plots.figures.scores import draw_rag_minus_lc, draw_score_by_depth, draw_score_by_length
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.styles import OUTCOME_COLOURS
from niah.plots.kit.theme import themed
from niah.runs.trial import TrialRecord
from tests.plots.figures.heatmaps.test_run_heatmaps import record
from tests.plots.figures.simulated_records import simulated_sample

Draw = Callable[[FigureData], Iterator[RenderedFigure]]


@pytest.fixture(autouse=True)
def _themed() -> Iterator[None]:
    with themed():
        yield


def rows(
    draw: Draw,
    records: list[TrialRecord],
    *columns: str,
    samples: Iterable[Sample] = (),
) -> list[tuple[Any, ...]]:
    """The first figure's rows, of these columns alone; none where there is no figure."""
    for rendered in draw(figure_data(trial_frame(records, {sample.sample_id: sample for sample in samples}))):
        places = [rendered.columns.index(name) for name in columns]
        return [tuple(row[place] for place in places) for row in rendered.rows]
    return []


def rag(length: int, score: int | None, **changes: Any) -> TrialRecord:
    told = {"strategy": "topk", "retrieval_completeness": 1.0, "noise_ratio": 0.5, "needle_ranks": (1, 2)}
    return record(length, 0, score, "refused" if score is None else "scored", **(told | changes))


@pytest.mark.parametrize(
    ("seeds", "others"),
    [((1, 1), "needle sets like these, with this one seed"), ((1, 2), "new seeds of these needle sets")],
)
def test_intervals_say_what_they_are_for(seeds: tuple[int, ...], others: str) -> None:
    data = figure_data(trial_frame([record(1000, 0, 10, seed=seed) for seed in seeds]))
    assert data.clusters.others == others


def test_rag_minus_lc_pairs_by_case_and_repeat() -> None:
    # Case a: 7 - 10; case b: 10 - 5; case c has no lc score, case d no RAG score.
    records = [
        record(512, 0, 10, case_id="a"), rag(512, 7, case_id="a"),
        record(512, 0, 5, case_id="b"), rag(512, 10, case_id="b"),
        record(512, 0, outcome="overflow", case_id="c"), rag(512, 10, case_id="c"),
        record(512, 0, 1, case_id="d"), rag(512, None, case_id="d"),
    ]  # fmt: skip
    assert rows(draw_rag_minus_lc, records, "strategy", "mean", "n") == [("topk", 1.0, 2)]
    assert rows(draw_rag_minus_lc, [r for r in records if r.strategy == "lc"], "mean") == []


def test_retrieval_counts_a_case_once_however_many_readers() -> None:
    records = [
        rag(512, 10, case_id=case, reader=reader, retrieval_completeness=share)
        for case, share in (("a", 1.0), ("b", 0.5))
        for reader in ("simulated-a", "simulated-b")
    ]
    found = rows(draw_retrieval_by_length, records, "measure", "needles", "mean", "n")
    assert found == [("needles retrieved whole", 2, 0.75, 2), ("cases with every needle", 2, 0.5, 2)]


def test_strategies_that_differ_in_order_alone_share_a_line_of_retrieval() -> None:
    records = [
        rag(512, 10, case_id="a", strategy=name, retrieval_completeness=share)
        for name, share in (("topk", 0.5), ("topk-rev", 0.5), ("half-rev", 1.0), ("topk@100", 0.0))
    ]
    data = figure_data(trial_frame(records))
    (figure,) = draw_retrieval_by_length(data)
    assert [row[2:5:2] for row in figure.rows[:3]] == [("half-rev", 1.0), ("topk", 0.5), ("topk@100", 0.0)]
    legend = {text.get_text() for text in figure.figure.axes[0].texts}
    assert {"topk, topk-rev", "topk@100", "half-rev"} <= legend


def test_retrieval_is_known_of_trials_without_a_score_too() -> None:
    assert rows(draw_retrieval_by_length, [rag(512, None)], "n")[0] == (1,)


def test_error_types_are_shares_of_scored_answers() -> None:
    kinds = ["correct", "correct", "missing_only", "wrong_only"]
    records = [record(512, 0, 7, error_type=kind) for kind in kinds] + [record(512, 0, outcome="refused")]
    columns = ("n", "correct", "missing_only", "wrong_only", "nonsense")
    assert rows(draw_error_types, records, *columns) == [(4, 0.5, 0.25, 0.25, 0.0)]


def test_error_types_say_n_once_and_their_key_has_what_a_bar_shows() -> None:
    """A type of one answer in three hundred is no wider than a hair: it has no place in the key."""
    kinds = ["correct"] * 298 + ["missing_only", "missing_only", "nonsense"]
    records = [record(512, 0, 7, error_type=kind) for kind in kinds]
    records += [rag(512, 7, strategy=name, error_type=kind) for name in ("topk", "half") for kind in kinds]
    records.append(rag(512, 7, strategy="half", error_type="correct"))
    (rendered, _) = draw_error_types(figure_data(trial_frame(records)))
    texts = {text.get_text() for text in rendered.figure.texts}
    assert {"correct", "missing only"} <= texts
    assert "nonsense" not in texts
    assert "nonsense" in rendered.columns
    assert "n = 301 answers a row, or as it says" in texts
    beside = [text.get_text() for text in rendered.figure.axes[0].texts]
    assert [text for text in beside if text.startswith("n ")] == ["n 302"]


def test_error_types_of_the_paper_are_its_own() -> None:
    kinds = ["correct", "other", "other", "self_doubt_complete"]
    records = [record(512, 0, 7, error_type=kind) for kind in kinds]
    columns = ("n", "correct", "self_doubt_complete", "other")
    assert rows(draw_error_types, records, *columns) == [(4, 0.25, 0.25, 0.5)]
    (rendered,) = draw_error_types(figure_data(trial_frame(records)))
    assert not {"taken_back", "wrong_answer", "nonsense"} & set(rendered.columns)


def test_missing_and_extra_are_numbers_an_answer() -> None:
    records = [record(512, 0, 5, missing=("a", "b"), wrong=("x",)), record(512, 0, 10)]
    found = rows(draw_missing_and_extra, records, "measure", "mean")
    assert found == [("missing elements", 1.0), ("extra elements", 0.5)]


def test_elements_that_no_answer_has_are_said_and_not_drawn() -> None:
    records = [record(512, 0, 5, missing=("a", "b"), wrong=()), record(512, 0, 10)]
    (rendered,) = draw_missing_and_extra(figure_data(trial_frame(records)))
    assert [axes.get_gid() for axes in rendered.figure.axes] == ["panel"]
    assert "No answer has extra elements." in {text.get_text() for text in rendered.figure.texts}
    assert {row[0] for row in rendered.rows} == {"missing elements", "extra elements"}


def test_noise_counts_only_complete_retrieval() -> None:
    records = [
        rag(512, 10, noise_ratio=0.1),
        rag(512, 5, noise_ratio=0.2),  # the edge belongs to the bin below
        rag(512, 3, noise_ratio=1.0),
        rag(512, 1, noise_ratio=0.1, retrieval_completeness=0.5),
        record(512, 0, 1),
    ]
    found = rows(draw_noise_ratio, records, "measure", "noise_from_percent", "noise_to_percent", "mean", "n")
    assert [row[1:] for row in found if row[0] == "mean score"] == [(0, 20, 7.5, 2), (98, 100, 3.0, 1)]


def test_the_axis_of_noise_names_even_steps_alone() -> None:
    (rendered,) = draw_noise_ratio(figure_data(trial_frame([rag(512, 10, noise_ratio=0.1, trial_id=str(at))
                                                            for at in range(5)])))  # fmt: skip
    (panel,) = [axes for axes in rendered.figure.axes if axes.get_gid() == "panel"]
    names = [label.get_text() for label in panel.get_xticklabels()]
    assert [name for name in names if name] == ["0", "20", "40", "60", "80", "100"]


def test_noise_is_shown_apart_for_questions_that_ask_for_more_and_to_scale() -> None:
    """Fifteen elements among as many chunks leave less noise, and more to miss, than three."""
    cases = [Case(name, "essays", 512, 0) for name in ("pizza-ingredients", "academy-courses")]
    samples = list(map(simulated_sample, cases))
    records = [
        rag(512, 7, case_id=case.case_id, noise_ratio=noise) for case in cases for noise in (0.1, 0.99)
    ]
    found = rows(draw_noise_ratio, records, "measure", "asked", "noise_to_percent", samples=samples)
    assert [row[1:] for row in found if row[0] == "mean score"] == [
        *(("questions for 3 elements", 20), ("questions for 3 elements", 100)),
        *(("questions for 15 elements", 20), ("questions for 15 elements", 100)),
    ]
    (rendered,) = draw_noise_ratio(
        figure_data(trial_frame(records, {sample.sample_id: sample for sample in samples}))
    )
    lines: Any = rendered.figure.axes[0].lines
    assert [round(x, 6) for line in lines for x in line.get_xdata()] == [10, 99]


def test_organisation_needs_two_ways_to_organise() -> None:
    both = [rag(512, 10), rag(512, 7, strategy="topk-rev"), record(512, 0, 1)]
    found = rows(draw_context_organisation, both, "strategy", "scope", "order", "mean")
    assert found == [("topk", "top-auto", "norm", 10.0), ("topk-rev", "top-auto", "reverse", 7.0)]
    assert rows(draw_context_organisation, both[:1], "mean") == []


def test_noise_is_a_row_of_its_own() -> None:
    orders = [
        rag(512, score, strategy=f"topk{order}{noise}")
        for noise, score in (("", 10), ("+noise-0.5", 5))
        for order in ("", "-rev")
    ]
    (rendered,) = draw_context_organisation(figure_data(trial_frame(orders)))
    (axes,) = rendered.figure.axes[:1]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["top-auto", "top-auto+noise-0.5"]


def test_nested_and_plain_are_compared_at_common_lengths() -> None:
    cases = [Case("pizza", "essays", length, 0) for length in (512, 4096)]
    cases.append(Case("needle-in-needle", "essays", 512, 0))
    records = [
        record(case.context_length, 0, score, case_id=case.case_id)
        for case, score in zip(cases, (10, 1, 5), strict=True)
    ]
    samples = list(map(simulated_sample, cases))
    found = rows(draw_needle_in_needle, records, "nested", "mean", "n", samples=samples)
    assert found == [(False, 10.0, 1), (True, 5.0, 1)]
    assert rows(draw_needle_in_needle, records, "mean") == []


def test_distractors_are_read_from_the_samples() -> None:
    plain = Case("pizza", "essays", 512, 0)
    easy = Case("pizza", "essays", 512, 0, distractors=4, distractor_hardness="easy")
    samples = [simulated_sample(case) for case in (plain, easy)]
    records = [record(512, 0, 10, case_id=plain.case_id), record(512, 0, 5, case_id=easy.case_id)]
    found = rows(draw_distractors, records, "hardness", "distractors", "mean", samples=samples)
    assert found == [(None, 0, 10.0), ("easy", 4, 5.0)]
    assert rows(draw_distractors, records, "mean") == []


def test_outcomes_are_counted_and_only_shown_where_some_trial_has_no_score() -> None:
    records = [record(512, 0, 10), record(512, 0, outcome="overflow"), record(4096, 0, 7)]
    columns = ("context_length", "trials", "scored", "overflow", "refused")
    assert rows(draw_outcomes, records, *columns) == [(512, 2, 1, 1, 0), (4096, 1, 1, 0, 0)]
    assert rows(draw_outcomes, records[::2], *columns) == []


def test_outcomes_say_which_strategy_they_are_of_and_which_is_the_commonest() -> None:
    """All of one strategy's trials failed: beside others that is a cell of 100 %, no low bar."""
    records = [
        record(4096, 0, outcome="overflow"),
        *(rag(4096, score) for score in (10, None, 10)),
        record(4096, 0, outcome="refused"),
        record(4096, 0, outcome="overflow"),
        rag(4096, 10, strategy="half"),
        rag(4096, 10, reader="simulated-b"),
    ]
    columns = ("reader", "strategy", "trials", "overflow", "refused")
    assert rows(draw_outcomes, records, *columns) == [
        ("simulated", "lc", 3, 2, 1),
        ("simulated", "half", 1, 0, 0),
        ("simulated", "topk", 3, 0, 1),
        ("simulated-b", "topk", 1, 0, 0),
    ]
    (rendered,) = draw_outcomes(figure_data(trial_frame(records)))
    (axes,) = rendered.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["full context", "topk"]
    assert [text.get_text() for text in axes.texts] == ["100", "33"]
    full, third = np.asarray(axes.collections[0].get_facecolor()).tolist()
    assert (to_hex(full), full[3]) == (OUTCOME_COLOURS["overflow"], 1)
    assert to_hex(third) == OUTCOME_COLOURS["refused"]
    assert 0.3 < third[3] < 0.6
    assert any("every trial has a score" in text.get_text() for text in rendered.figure.texts)


def test_tokens_and_front() -> None:
    records = [
        record(512, 0, 10, prompt_tokens=500),
        record(512, 0, 7, prompt_tokens=700),
        record(512, 0, 1, outcome="refused", prompt_tokens=9000),
        rag(512, 7, prompt_tokens=100),
        rag(512, 7, strategy="half", prompt_tokens=300),
    ]
    found = rows(draw_score_by_tokens, records, "strategy", "prompt_tokens", "on_front", "mean")
    assert found == [("lc", 600.0, True, 8.5), ("half", 300.0, False, 7.0), ("topk", 100.0, True, 7.0)]
    assert rows(draw_score_by_cost, records, "mean") == []


def test_what_nobody_can_ship_is_no_front() -> None:
    records = [
        record(512, 0, 5, prompt_tokens=500),
        *(rag(512, 10, strategy=name, prompt_tokens=200) for name in ("oracle", "topk+noise-0.5")),
        rag(512, 7, prompt_tokens=300),
        rag(512, 6, strategy="closed-book", prompt_tokens=10),
    ]
    found = dict(rows(draw_score_by_tokens, records, "strategy", "on_front"))
    assert [name for name in found if found[name]] == ["topk"]
    (rendered,) = draw_score_by_tokens(figure_data(trial_frame(records)))
    lines: Any = rendered.figure.axes[0].lines
    level = [line.get_ydata()[0] for line in lines if line.get_linestyle() == ":"]
    assert sorted(level) == [6, 10]
    alone = [record for record in records if record.strategy == "oracle"]
    assert rows(draw_score_by_tokens, alone, "on_front") == [(False,)]


def test_free_trials_have_no_place_on_a_money_axis() -> None:
    records = [record(512, 0, 10, cost=0.0), rag(512, 7, cost=0.002)]
    assert rows(draw_score_by_cost, records, "strategy", "cost_usd") == [("topk", 0.002)]


def test_strategies_are_compared_on_the_cases_that_all_of_them_answered() -> None:
    """Without that, what cannot read the long contexts would look cheapest, and best."""
    records = [
        record(512, 0, 10, case_id="a", prompt_tokens=512),
        record(1024, 0, 10, case_id="b", prompt_tokens=1024),
        record(4096, 0, outcome="overflow", case_id="c"),
        *(rag(512, 7, case_id=case, prompt_tokens=n) for case, n in (("a", 100), ("b", 800), ("c", 900))),
        rag(512, 4, strategy="half", prompt_tokens=1, case_id="d"),
    ]
    found = rows(draw_score_by_tokens, records, "strategy", "prompt_tokens", "mean", "n")
    assert found == [("lc", 768.0, 10.0, 2), ("topk", 450.0, 7.0, 2)]
    (rendered,) = draw_score_by_tokens(figure_data(trial_frame(records)))
    said = " ".join(text.get_text() for text in rendered.figure.texts)
    assert "n = 2 of 4 trials a point" in said
    assert "2 trials a point (2 for want of full context’s)" in said
    assert "1 strategy with too few of them" in said


def test_the_front_is_what_nothing_beats() -> None:
    assert front([(3, 9), (1, 5), (2, 5), (2, 4), (3, 8), (4, 9)]) == [(1, 5), (3, 9)]


def test_lines_over_depth_break_where_nothing_was_scored() -> None:
    records = [record(512, depth, score) for depth, score in ((0, 10), (50, 7), (100, 10))]
    records.append(record(4096, 0, 5))
    (rendered,) = draw_score_by_depth(figure_data(trial_frame(records)))
    lines: Any = rendered.figure.axes[0].lines
    assert [np.asarray(line.get_xydata()).tolist() for line in lines] == [
        [[0, 10], [50, 7], [100, 10]],
        [[0, 5]],
    ]


def test_a_line_over_depth_is_not_drawn_across_a_gap() -> None:
    records = [record(512, depth, 10) for depth in (0, 25, 75, 100)]
    records.append(record(512, 50, outcome="truncated"))
    (rendered,) = draw_score_by_depth(figure_data(trial_frame(records)))
    lines: Any = rendered.figure.axes[0].lines
    assert [np.asarray(line.get_xydata()).tolist() for line in lines] == [
        [[0, 10], [25, 10]],
        [[75, 10], [100, 10]],
    ]


def test_of_many_lengths_over_depth_three_have_lines_and_the_others_a_range() -> None:
    scores = {512: 10, 1024: 9, 2048: 8, 4096: 7, 8192: 3, 16384: 5}
    records = [record(length, depth, score) for length, score in scores.items() for depth in (0, 100)]
    (rendered,) = draw_score_by_depth(figure_data(trial_frame(records)))
    axes = rendered.figure.axes[0]
    lines: Any = axes.lines
    assert [line.get_ydata()[0] for line in lines] == [10, 3, 5]
    assert [text.get_text() for text in axes.texts] == ["8k", "16k", "512"]
    (area, *_) = axes.collections
    heights = np.asarray(area.get_paths()[0].vertices)[:, 1]
    assert (heights.min(), heights.max()) == (7, 9)
    assert "grey: the range of the 3 others" in " ".join(text.get_text() for text in rendered.figure.texts)
    few = [each for each in records if each.context_length < 16384]
    (rendered,) = draw_score_by_depth(figure_data(trial_frame(few)))
    lines = rendered.figure.axes[0].lines
    assert len(lines) == 5


def test_how_context_is_organised_calls_strategies_as_they_were_asked_for() -> None:
    strategies = ("dos", "half", "bm25/top-5/norm", "bm25/top-5/document")
    records = [
        record(1000, 0, 10, strategy=name, seed=seed, trial_id=f"{name} {seed}")
        for name in strategies
        for seed in range(3)
    ]
    (rendered,) = draw_context_organisation(figure_data(trial_frame(records)))
    (panel,) = [axes for axes in rendered.figure.axes if axes.get_gid() == "panel"]
    names = {label.get_text() for label in panel.get_yticklabels()}
    assert {"dos", "half"} < names
    assert any(name.startswith("bm25/top-5") for name in names)
    assert len(names) == 3


def test_an_effective_length_of_too_few_clusters_has_no_panel() -> None:
    """Four needle sets and seeds tell nothing, however their means fall; twenty do."""
    few, many = (
        [
            record(length, depth, 10, seed=seed, reader=reader, case_id=f"{length}-{depth}-{seed}")
            for seed in range(seeds)
            for length in (1000, 2000, 4000)
            for depth in (0, 100)
        ]
        for reader, seeds in (("few", 4), ("many", 20))
    )
    assert not list(draw_effective_lengths(figure_data(trial_frame(few))))
    (rendered,) = draw_effective_lengths(figure_data(trial_frame(few + many)))
    (panel,) = [axes for axes in rendered.figure.axes if axes.get_gid() == "panel"]
    assert {text.get_text() for text in panel.texts} == {"4k →"}
    assert "too few throughout: few." in " ".join(text.get_text() for text in rendered.figure.texts)
    assert {row[0] for row in rendered.rows} == {"few", "many"}
    # No mark is explained that is not drawn.
    assert "→" in _written(rendered)
    assert "×" not in _written(rendered)
    assert "Hollow" not in _written(rendered)


def _written(rendered: RenderedFigure) -> str:
    return " ".join(text.get_text() for text in rendered.figure.texts)


def test_lines_over_lengths_say_where_a_needle_set_is_not_asked() -> None:
    records = [record(length, 0, 10) for length in (1000, 2000)] + [record(1000, 0, 1, needle_set="hard")]
    (rendered,) = draw_score_by_length(figure_data(trial_frame(records)))
    said = " ".join(text.get_text() for text in rendered.figure.texts)
    assert "Not every needle set is asked at every length (hard not at 2k)" in said
    (even,) = draw_score_by_length(figure_data(trial_frame(records[:2])))
    assert not any("Not every" in text.get_text() for text in even.figure.texts)


@pytest.mark.parametrize(("seeds", "strategies"), [(1, 2), (1, 4), (6, 2), (6, 4)])
def test_captions_speak_of_bands_where_some_are_drawn(seeds: int, strategies: int) -> None:
    names = ("lc", "oracle", "mixpr", "bm25/top-5/document")[:strategies]
    records = [
        record(length, 0, 10, strategy=name, seed=seed)
        for length in (1000, 2000)
        for seed in range(seeds)
        for name in names
    ]
    (rendered,) = draw_score_by_length(figure_data(trial_frame(records)))
    assert ("Bands are" in rendered.caption) is (seeds > 1)
    assert ("more than three strategies" in rendered.caption) is (seeds > 1 and strategies > 3)
