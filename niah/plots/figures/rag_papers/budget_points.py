"""What each retrieval budget scores: strategies that differ in their budget alone make a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import categorical, row_groups, strategies_in
from niah.analysis.stats import Interval, mean_interval
from niah.analysis.tables.published_comparison import model_name
from niah.plots.figures.charts.estimates import mean_share, means
from niah.plots.figures.figure_data import FigureData
from niah.reference.numbers import ReferenceNumber
from niah.strategies.grammar.budget_lines import budget_lines
from niah.strategies.strategy import Strategy, strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import Categorical, DataFrame

_FILLED = 0.5
"""The share of a budget below which it is not what was sent: contexts are shorter than it."""

_PERCENT = ("accuracy %", "F1")
"""Printed metrics whose numbers are shares in percent."""


@dataclass(frozen=True)
class BudgetPanel:
    """What stands in one panel; ``question_set`` is "" of planted needles."""

    reader: str
    question_set: str


@dataclass(frozen=True)
class Point:
    """One strategy's mean.

    Attributes:
        strategy: its name.
        line: strategies that share it differ in their budget alone; its own name of one without budget, and
            of one that no other shares a line with.
        budget: tokens that are sent at most; None of one without, and of one that sent far fewer.
        sent: tokens that it sent on average, of one that has no such budget and does not send everything by
            what it is, or what it is told; None of others.
        mean: over all its trials, with the interval for new documents, or seeds.
        sd_of_runs: the standard deviation of the means of single repeats; None of a single repeat.
        runs: how many repeats.
        cost: US dollars a trial; None where no price is known.
    """

    strategy: str
    line: str
    budget: int | None
    sent: float | None
    mean: Interval
    sd_of_runs: float | None
    runs: int
    cost: float | None


@dataclass(frozen=True)
class Budgets:
    """All points, by panel.

    Attributes:
        points: budgets rising within a line.
        in_percent: whether a metric judged all trials, so that means are shares from 0 to 1.
        measured: what the means are of, for people.
        printed: published numbers that stand beside a panel's.
    """

    points: Mapping[BudgetPanel, Sequence[Point]]
    in_percent: bool
    measured: str
    printed: Mapping[BudgetPanel, Sequence[ReferenceNumber]]


def budgets(data: FigureData) -> Budgets | None:
    """None where no line has two budgets. What reads nothing of the context is left out."""
    frame = data.frame[~data.frame["is_floor"]]
    frame = frame.assign(asked=_asked(frame))
    value, score = frame["value"].to_numpy(), frame["score"].to_numpy()
    in_percent = bool((np.isnan(value) == np.isnan(score)).all())
    numbers = value if in_percent else score
    found = means(
        frame, numbers, "reader", "asked", "strategy", interval=mean_share if in_percent else mean_interval
    )
    strategies = strategies_in(frame)
    lines = budget_lines(strategies.values())
    panels: dict[BudgetPanel, list[Point]] = {}
    for (reader, asked, name), rows in row_groups(frame, "reader", "asked", "strategy"):
        if (mean := found.get((reader, asked, name))) is not None:
            point = _point(strategies[name], lines[name], mean, frame.iloc[rows], numbers[rows])
            panels.setdefault(BudgetPanel(reader, asked), []).append(point)
    kept = {panel: sorted(_named(own), key=_place) for panel, own in panels.items() if _has_a_line(own)}
    if not kept:
        return None
    printed = {panel: _printed(data.published, panel) if in_percent else [] for panel in kept}
    right = in_percent and set(np.unique(value[~np.isnan(value)])) <= {0.0, 1.0}
    measured = "share right" if right else "mean of the metric" if in_percent else "mean score"
    return Budgets(kept, in_percent, measured, printed)


def line_of(name: str) -> tuple[str, int | None]:
    """What strategies share that differ in their budget alone, and the budget."""
    strategy = strategy_of(name)
    return strategy.system_line, strategy.budget


def _asked(frame: DataFrame) -> Categorical[str]:
    return categorical([name if isinstance(name, str) else "" for name in frame["question_set"]])


def _point(
    strategy: Strategy, line: str, mean: Interval, trials: DataFrame, numbers: NDArray[np.float64]
) -> Point:
    repeats = trials["repeat"].to_numpy()
    known = ~np.isnan(numbers)
    of_runs = [float(numbers[known & (repeats == each)].mean()) for each in np.unique(repeats[known])]
    cost = trials["cost"].to_numpy()
    paid = cost[~np.isnan(cost)]
    budget = strategy.budget
    tokens = trials["context_tokens"].to_numpy(dtype=np.float64)
    tokens = tokens[known & ~np.isnan(tokens)]
    sent = float(tokens.mean()) if len(tokens) else None
    if budget is not None and sent is not None and sent < _FILLED * budget:
        line, budget = strategy.name, None
    is_level = budget is not None or strategy.sends_context or strategy.needs_evidence
    return Point(
        strategy.name,
        line,
        budget,
        None if is_level else sent,
        mean,
        float(np.std(of_runs, ddof=1)) if len(of_runs) > 1 else None,
        len(of_runs),
        float(paid.mean()) if len(paid) and paid.mean() > 0 else None,
    )


def _named(points: Sequence[Point]) -> list[Point]:
    """Each that no other shares a line with goes by its own name, as it was asked for."""
    shared = Counter(point.line for point in points)
    return [point if shared[point.line] > 1 else replace(point, line=point.strategy) for point in points]


def _place(point: Point) -> tuple[str, int]:
    return point.line, point.budget or 0


def _has_a_line(points: Sequence[Point]) -> bool:
    lines = [point.line for point in points if point.budget]
    return len(lines) > len(set(lines))


def _printed(numbers: Sequence[ReferenceNumber], panel: BudgetPanel) -> list[ReferenceNumber]:
    """What papers print of the same questions and model; where one paper is asked for, else of its best."""
    same = [each for each in numbers if each.metric in _PERCENT and _is_of(each, panel.question_set)]
    own = [each for each in same if each.reader and model_name(each.reader) == model_name(panel.reader)]
    if own or len({each.paper for each in numbers}) != 1 or not same:
        return own
    best = max(same, key=lambda each: each.value).reader
    return [each for each in same if each.reader == best]


def _is_of(number: ReferenceNumber, question_set: str) -> bool:
    """Whether a printed number is of that question set, whose name may say more, or less."""
    if not number.dataset or not question_set or (number.budget is None and number.spent is None):
        return False
    ours, theirs = (_letters(name) for name in (question_set, number.dataset))
    return ours.startswith(theirs) or theirs.startswith(ours)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.rpartition("/")[2].lower() if letter.isalnum())


def lines_in(points: Sequence[Point]) -> Iterator[tuple[str, list[Point]]]:
    """Each line of a panel with its points, budgets rising; strategies without budget are not there."""
    for line in dict.fromkeys(point.line for point in points if point.budget):
        yield line, [point for point in points if point.line == line]
