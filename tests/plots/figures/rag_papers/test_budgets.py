"""Scores over retrieval budgets: points, spread over repeats, money, and printed numbers beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import stdev

import pytest
from matplotlib.text import Text

from niah.analysis.frame import trial_frame
from niah.judges.verdict import Verdict
from niah.plots.figures.figure_data import FigureData, figure_data
from niah.plots.figures.rag_papers.budget_points import budgets, line_of
from niah.plots.figures.rag_papers.budgets import (
    _curves,
    _steps_to,
    _styles,
    draw_score_by_budget,
    draw_score_by_budget_cost,
)
from niah.plots.kit.theme import themed
from niah.reference.numbers import ReferenceNumber, published
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import given_sample, given_trial
from tests.plots.figures.layout import faults

BUDGETS = (500, 1000, 8000)
REPEATS = 3
SAMPLES = {
    f"q{at}": replace(given_sample(f"q{at}", f"story {at // 2}"), question_set="quality") for at in range(12)
}
RIGHT = {"lc": 11, "oracle": 12, "closed-book": 3}
RIGHT |= {f"arctic/budget-{size}/{order}@100": 5 + at + 2 * (order == "document")
          for at, size in enumerate(BUDGETS) for order in ("norm", "document")}  # fmt: skip


def records(reader: str = "m", *, cost: float | None = None) -> list[TrialRecord]:
    """The first so many questions are right, by strategy; one fewer in the last repeat."""
    made = []
    for strategy, right in RIGHT.items():
        for at, sample in enumerate(SAMPLES.values()):
            for repeat in range(REPEATS):
                value = float(at < right - (repeat == REPEATS - 1))
                verdict = Verdict(1 + 9 * value, (), (), (), False, "auto", "1", "", value)
                spent = None if cost is None else cost * (10 if strategy == "lc" else 1 + len(strategy) % 7)
                changed = {"reader": reader, "repeat": repeat, "verdicts": (verdict,), "cost": spent}
                made.append(given_trial(sample, strategy, 1 + 9 * value, **changed))
    return made


def data(made: Sequence[TrialRecord], numbers: Sequence[ReferenceNumber] = ()) -> FigureData:
    return figure_data(trial_frame(made, SAMPLES), numbers)


def test_means_are_shares_and_their_spread_is_of_repeats() -> None:
    found = budgets(data(records()))
    assert found is not None
    assert found.in_percent
    ((panel, points),) = found.points.items()
    assert (panel.reader, panel.question_set) == ("m", "quality")
    (dos,) = [point for point in points if point.strategy == "arctic/budget-1000/document@100"]
    # Eight of twelve are right, in the third repeat seven: 23 of 36.
    assert dos.mean.estimate == pytest.approx(23 / 36)
    assert dos.sd_of_runs == pytest.approx(stdev([8 / 12, 8 / 12, 7 / 12]))
    assert (dos.mean.n, dos.mean.clusters, dos.runs) == (36, 6, 3)
    assert [point.budget for point in points if point.line == dos.line] == list(BUDGETS)


def test_a_line_is_what_differs_in_its_budget_alone() -> None:
    assert line_of("arctic/budget-500/document@100") == ("arctic/budget-N/document@100", 500)
    assert line_of("dos") == (line_of("minilm/budget-500/document@100")[0], 10_000)
    assert line_of("lc") == ("lc", None)
    assert line_of("bm25/top-5/norm") == ("bm25/top-5/norm", None)


def test_a_strategy_goes_by_its_name_and_stands_where_it_sent() -> None:
    """dos may send 10,000 tokens: of shorter documents it sends what there is."""
    like = [each for each in records() if each.strategy == "arctic/budget-8000/document@100"]

    def points(sent: int, *besides: str) -> dict[str, tuple[str, int | None, float | None]]:
        more = [
            replace(each, strategy=name, trial_id=f"{each.trial_id} {name}", context_tokens=sent)
            for each in like
            for name in ("dos", *besides)
        ]
        found = budgets(data([*records(), *more]))
        assert found is not None
        ((_, own),) = found.points.items()
        return {point.strategy: (point.line, point.budget, point.sent) for point in own}

    assert points(2000)["dos"] == ("dos", None, 2000.0)
    assert points(9000)["dos"] == ("dos", 10_000, None)
    both = points(9000, "minilm/budget-16000/document@100")
    assert both["dos"] == ("minilm/budget-N/document@100", 10_000, None)
    made = [replace(e, strategy=n, trial_id=f"{e.trial_id} {n}", context_tokens=9000)
            for e in like for n in ("dos", "minilm/budget-16000/document@100")]  # fmt: skip
    with themed():
        (figure,) = draw_score_by_budget(data([*records(), *made]))
    said = {text.get_text() for text in figure.figure.findobj(Text)}
    assert "minilm/budget-N/document@100 (dos)" in said


def test_marks_beyond_all_budgets_stand_between_labelled_places() -> None:
    assert _steps_to((300, 7000), 125, 1000) == {2000, 4000, 8000}
    assert _steps_to((40, 900), 125, 1000) == {62, 31}
    assert _steps_to((1000,), 125, 1000) == _steps_to((), 125, 1000) == set()


def test_one_budget_is_no_line() -> None:
    lone = [each for each in records() if "budget" not in each.strategy or "-500/" in each.strategy]
    assert budgets(data(lone)) is None
    assert list(draw_score_by_budget(data(lone))) == []


def test_scores_of_other_judges_stay_scores() -> None:
    found = budgets(data([replace(each, verdicts=()) for each in records()]))
    assert found is not None
    assert not found.in_percent
    assert max(point.mean.estimate for point in next(iter(found.points.values()))) > 9


def test_printed_numbers_stand_beside_the_same_model() -> None:
    paper = published("stronger-baselines-dos-rag")
    own = budgets(data(records("openai/gpt-4o-mini"), paper))
    assert own is not None
    (numbers,) = own.printed.values()
    assert {(each.reader, each.source) for each in numbers} == {("gpt-4o-mini", "table 3")}
    assert ("dos", 1000, 73.1, 0.3) in {(each.strategy, each.budget, each.value, each.sd) for each in numbers}
    # Of another model they stand beside where the paper is asked for, and then those of its best reader.
    other = budgets(data(records("qwen"), paper))
    assert other is not None
    assert {each.reader for (own,) in [other.printed.values()] for each in own} == {"gpt-4o"}
    every = budgets(data(records("qwen"), published(None)))
    assert every is not None
    assert list(every.printed.values()) == [[]]


def test_both_figures_are_drawn_and_hold_all_numbers() -> None:
    made = data(records("gpt-4o", cost=0.001), published("stronger-baselines-dos-rag"))
    with themed():
        (over,), (money,) = draw_score_by_budget(made), draw_score_by_budget_cost(made)
        assert faults(over.figure) == faults(money.figure) == []
    assert (
        len(over.rows) == len(RIGHT) - 1 + 20
    )  # table 4 has six budgets of three, ReadAgent and the whole text
    assert {row[-1] for row in over.rows} == {None, "stronger-baselines-dos-rag, table 4"}
    assert all(len(row) == len(over.columns) for row in over.rows)
    assert list(draw_score_by_budget_cost(data(records()))) == []


def texts(made: Sequence[TrialRecord]) -> str:
    """All that the figure says outside its panels."""
    with themed():
        (over,) = draw_score_by_budget(data(made))
        return " ".join(each.get_text() for each in over.figure.findobj(Text))


def test_bands_and_whiskers_are_said_to_be_what_is_drawn() -> None:
    both = texts(records())
    assert "bands: 95 % intervals" in both
    assert "whiskers: ± 1 standard deviation of the means of 3 repeats" in both
    alike = texts([replace(each, repeat=at) for at in range(2) for each in records() if not each.repeat])
    assert "no whiskers: the standard deviation of the means of 2 repeats is 0" in alike


def test_a_strategy_looks_as_in_all_figures_and_a_line_as_its_smallest_budget() -> None:
    made = data(
        [*records(), *(replace(each, strategy="mixpr") for each in records() if each.strategy == "lc")]
    )
    found = budgets(made)
    assert found is not None
    styles = _styles(found, made)
    assert styles["mixpr"] == made.styles["mixpr"]
    for order in ("norm", "document"):
        assert styles[f"arctic/budget-N/{order}@100"] == made.styles[f"arctic/budget-500/{order}@100"]
    assert len(set(styles.values())) == len(styles)


def test_a_budget_that_stands_alone_has_no_band_that_looks_like_a_whisker() -> None:
    alone = [
        replace(each, strategy="bm25/budget-500/norm@100") for each in records() if each.strategy == "lc"
    ]
    made = data([*records(), *alone])
    found = budgets(made)
    assert found is not None
    (points,) = found.points.values()
    curves = _curves(points, _styles(found, made))
    assert {len(curve.x): curve.has_band for curve in curves} == {1: False, 3: True}
