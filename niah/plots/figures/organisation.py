"""How the context is organised: scope against order (u-niah, section 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from niah.analysis.stats.bootstrap import Interval
from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import (
    COLUMNS,
    Estimates,
    means,
    row_of,
    trials_label,
    whiskers_label,
)
from niah.plots.figures.charts.lines import value_range
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, names_width, plain, x_scores, y_names
from niah.plots.kit.sheet import new_sheet, row_panels
from niah.plots.kit.styles import BLUE, GREEN, PURPLE, VERMILION, Style, plan_of
from niah.strategies.strategy import Order, RetrievalPlan

ORDERS: Mapping[Order, tuple[str, Style]] = {
    "norm": ("norm: best first", Style(BLUE)),
    "reverse": ("reverse: best last", Style(VERMILION, marker="s")),
    "document": ("document: original order", Style(GREEN, marker="^")),
    "sides": ("sides: best at both ends", Style(PURPLE, marker="D")),
}
_SCOPES = ("top", "top-auto", "budget", "half", "full")


class _Row(NamedTuple):
    """Strategies of one row, which differ in order alone; rows sort by how much they take."""

    retriever: str
    chunker: str
    scope: int
    size: int


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, where a retriever was asked with two orders or scopes."""
    trials = data.trials
    plans = [plan_of(name) for name in trials.strategies]
    rows = dict(sorted({_row(plan): plan for plan in plans if plan}.items()))
    if len({(plan.scope, plan.order) for plan in plans if plan}) < 2:
        return
    rag = np.isin(trials.strategy, [i for i, plan in enumerate(plans) if plan])
    found = means(np.where(rag, trials.score, np.nan), trials.cluster, trials.reader, trials.strategy)
    if not found:
        return
    readers = sorted({int(reader) for reader, _ in found})
    names = _names(rows)
    layout = row_panels([trials.readers[i] for i in readers], names_width(names), 0.4 * len(names) + 0.15)
    orders = [order for order in ORDERS if any(plan and plan.order == order for plan in plans)]
    title = "How retrieved context is organised"
    subtitle = f"mean score by scope and order, over all lengths and depths · {whiskers_label(found)}"
    sheet = new_sheet(layout, title, subtitle, [ORDERS[order] for order in orders])
    lowest = lowest_score(value_range(found.values())[0])
    for index, reader in enumerate(readers):
        own = {int(strategy): point for (r, strategy), point in found.items() if r == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, trials.readers[reader], trials_label(own))
        plain(axes, "x")
        x_scores(axes, lowest)
        y_names(axes, names if column == 0 else [""] * len(names), layout.left - 0.2)
        draw_dots(axes, [(ORDERS[order][1], _points(plans, rows, order, own)) for order in orders])
    sheet.name_x("mean score")
    yield RenderedFigure(
        "context-organisation",
        title,
        "Each row is how much is retrieved, each mark in which order it stands before the question. "
        "Norm puts the best chunk farthest from the question, reverse next to it.",
        "Retrieval",
        sheet.figure,
        ("reader", "strategy", "scope", "order", *COLUMNS),
        _table(data, plans, found),
    )


def _row(plan: RetrievalPlan) -> _Row:
    return _Row(plan.retriever, str(plan.chunker), _SCOPES.index(plan.scope.kind), plan.scope.size)


def _names(rows: Mapping[_Row, RetrievalPlan]) -> list[str]:
    """The rows' scopes; with retriever and chunks where these differ."""
    retrievers, chunkers = {row.retriever for row in rows}, {row.chunker for row in rows}
    return [
        (f"{row.retriever}/" if len(retrievers) > 1 else "")
        + str(plan.scope)
        + (f"@{row.chunker}" if len(chunkers) > 1 else "")
        for row, plan in rows.items()
    ]


def _points(
    plans: Sequence[RetrievalPlan | None], rows: Iterable[_Row], order: Order, own: Mapping[int, Interval]
) -> list[Interval | None]:
    at = {_row(plan): own.get(i) for i, plan in enumerate(plans) if plan and plan.order == order}
    return [at.get(row) for row in rows]


def _table(
    data: FigureData, plans: Sequence[RetrievalPlan | None], found: Estimates
) -> tuple[tuple[str | float | int | None, ...], ...]:
    trials = data.trials
    return tuple(
        (trials.readers[int(r)], trials.strategies[int(s)], str(plan.scope), plan.order, *row_of(point))
        for (r, s), point in found.items()
        if (plan := plans[int(s)])
    )
