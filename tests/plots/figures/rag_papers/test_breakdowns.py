"""Which side alone is correct, or better, by source and by type of question: worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.text import Text

from niah.analysis.frame import trial_frame
from niah.cases.sample import Sample
from niah.plots.figures.figure_data import figure_data
from niah.plots.figures.rag_papers.breakdowns import (
    draw_lc_vs_rag_figure_3,
    draw_lc_vs_rag_figure_4,
    draw_lc_vs_rag_figure_6,
    draw_lc_vs_rag_figure_7,
)
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.theme import themed
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import given_sample, given_trial
from tests.plots.figures.layout import faults

# (lc correct, lc F1, retrieval correct, its F1), six of each set: full context alone is right on hotpotqa's
# questions, retrieval alone on those of tpo, and of qasper's nobody is, retrieval being nearer.
SIDES = {
    "hotpotqa": (True, 1.0, False, 0.2),
    "tpo": (False, 0.1, True, 1.0),
    "qasper": (False, 0.1, False, 0.4),
}
ASKS = {"hotpotqa": "Who rows?", "tpo": "Where does it land?", "qasper": "Does it leak?"}
DRAWS = {
    "3": draw_lc_vs_rag_figure_3,
    "4": draw_lc_vs_rag_figure_4,
    "6": draw_lc_vs_rag_figure_6,
    "7": draw_lc_vs_rag_figure_7,
}


def _samples() -> dict[str, Sample]:
    made = {}
    for name, question in ASKS.items():
        for at in range(6):
            sample = given_sample(f"{name}-{at}", f"{name} {at}")
            key = replace(sample.key, question=question)
            made[sample.sample_id] = replace(sample, key=key, question_set=name, source_name=None)
    return made


def _drawn(
    number: str,
    readers: tuple[str, ...] = ("m",),
    strategies: tuple[str, ...] = ("topk",),
    repeats: int = 1,
) -> list[RenderedFigure]:
    samples = _samples()
    records: list[TrialRecord] = []
    for sample in samples.values():
        lc, lc_f1, rag, rag_f1 = SIDES[sample.question_set or ""]
        for reader in readers:
            for strategy in ("lc", *strategies):
                correct, f1 = (lc, lc_f1) if strategy == "lc" else (rag, rag_f1)
                scores = {"contained-match": 10.0 if correct else 1.0, "token-f1": 1 + 9 * f1}
                trial = given_trial(sample, strategy, 5.0, judge_scores=scores, reader=reader)
                records += [replace(trial, repeat=repeat) for repeat in range(repeats)]
    with themed():
        return list(DRAWS[number](figure_data(trial_frame(records, samples))))


def _shares(figure: RenderedFigure) -> dict[tuple[object, object], object]:
    return {(row[3], row[4]): row[5] for row in figure.rows}


def test_sides_alone_by_the_papers_sources() -> None:
    (figure,) = _drawn("3")
    assert figure.name == "lc-vs-rag-figure-3"
    shares = _shares(figure)
    assert {key: share for key, share in shares.items() if share} == {
        ("all", "lc"): 0.333333,
        ("all", "rag"): 0.333333,
        ("Wikipedia", "lc"): 1.0,
        ("dialogue", "rag"): 1.0,
    }
    assert ("paper or report", "rag") in shares
    assert not faults(figure.figure)


def test_better_is_nearer_where_nobody_is_correct() -> None:
    (figure,) = _drawn("6")
    shares = _shares(figure)
    assert shares["paper or report", "rag"] == 1.0
    assert shares["all", "rag"] == 0.666667


def test_types_of_questions() -> None:
    (strict,), (loose,) = _drawn("4"), _drawn("7")
    assert _shares(strict)["who", "lc"] == 1.0
    assert _shares(strict)["other", "rag"] == 0.0
    assert _shares(loose)["other", "rag"] == 1.0


def test_a_panel_for_each_reader_and_retriever() -> None:
    (figure,) = _drawn("3", ("first-reader", "second"), ("topk", "bm25/top-5/norm"))
    panels = {row[:2] for row in figure.rows}
    assert len(panels) == 4
    assert len([axes for axes in figure.figure.axes if axes.get_gid() == "panel"]) == 4
    assert not faults(figure.figure)


def test_a_panel_says_how_often_its_questions_were_asked_and_budgets_rise() -> None:
    budgets = tuple(f"bm25/budget-{size}/norm" for size in (10_000, 500, 2500))
    (once,), (twice,) = _drawn("3", strategies=budgets), _drawn("3", repeats=2)
    assert [text.get_text() for text in once.figure.findobj(Text)].count("n = 18 questions") == 3
    assert list(dict.fromkeys(row[1] for row in once.rows)) == [budgets[at] for at in (1, 2, 0)]
    assert "n = 36 pairs, in 2 repeats" in [text.get_text() for text in twice.figure.findobj(Text)]


def test_nothing_to_tell_apart_is_no_figure() -> None:
    samples = {name: sample for name, sample in _samples().items() if sample.question_set == "tpo"}
    records = [given_trial(sample, name, 5.0) for sample in samples.values() for name in ("lc", "topk")]
    with themed():
        data = figure_data(trial_frame(records, samples))
        assert [list(draw(data)) for draw in DRAWS.values()] == [[], [], [], []]
