"""What retrieval finds, and how what it finds is put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from niah.analysis.frame import category_names, strategies_in
from niah.analysis.lengths import length_labels
from niah.analysis.stats import Interval
from niah.analysis.tables.retrieval import RetrievalRow, retrieval_rows
from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    interval_label,
    mean_share,
    means,
    n_label,
    names_in,
    row_of,
    trials_label,
    value_range,
)
from niah.plots.figures.charts.line_names import line_ends, name_lines, with_room_for_names
from niah.plots.figures.charts.lines import curves_of, draw_curves
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.scores import names_with_band
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import (
    length_place,
    lowest_score,
    lowest_share,
    name_y,
    names_width,
    plain,
    x_lengths,
    x_scores,
    y_shares,
)
from niah.plots.kit.sheets.layout import SheetLayout, reader_panels, row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import plain_styles, plan_of, strategy_styles
from niah.plots.kit.theme import save, themed
from niah.strategies.axes.retrieval_plan import RetrievalPlan
from niah.strategies.orders import ORDERS
from niah.strategies.scopes import SCOPES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from niah.runs.retrieval import RetrievalRecord

_MEASURES = ("needles retrieved whole", "cases with every needle")
_WIDTHS = {1: 6.8, 2: 4.7, 3: 3.3, 4: 2.5}


def draw_retrieval_by_length(data: FigureData) -> Iterator[RenderedFigure]:
    """Retrieval over context length, a column per number of needles (u-niah, figure 9).

    One figure, of the strategies that retrieve: mean completeness, and how often it is complete. Readers,
    repeats and orders of a case share one retrieval, which counts once.
    """
    import pandas as pd

    retrieved = data.frame[(data.frame["n_needles"] > 0) & data.frame["retrieval_completeness"].notna()]
    alike = _by_what_is_retrieved(category_names(retrieved, "strategy"))
    first = {name: names[0] for names in alike for name in names}
    renamed = pd.Categorical(retrieved["strategy"].map(first), categories=[names[0] for names in alike])
    frame = retrieved.assign(strategy=renamed).drop_duplicates(["case_id", "strategy"])
    numbers = frame["n_needles"].astype(int)
    frame = frame.assign(needles=pd.Categorical(numbers, categories=sorted(set(numbers.tolist()))))
    shares = frame["retrieval_completeness"].to_numpy()
    by = ("needles", "strategy", "length")
    found = (
        means(frame, shares, *by, interval=mean_share),
        means(frame, (shares == 1).astype(np.float64), *by, interval=mean_share),
    )
    if not found[0]:
        return
    needles = names_in(found[0], 0)
    lengths = {length: data.lengths[length] for length in sorted(names_in(found[0], 2))}
    layout = SheetLayout(2, len(needles), _WIDTHS[min(4, len(needles))], 2.1, 0.85)
    title = "Retrieval over context length"
    says = "share of needles wholly inside what is retrieved, and of cases with all of them"
    subtitle = f"{says} · {interval_label(found[0], 'bands', data.clusters)}"
    asked = {names[0]: ", ".join(names) for names in alike}
    key = [(asked[name], style) for name, style in data.key(names_in(found[0], 1))]
    named = with_room_for_names(layout, [name for name, _ in key])
    sheet = new_sheet(named or layout, title, subtitle, () if named else key)
    for row, (measure, estimates) in enumerate(zip(_MEASURES, found, strict=True)):
        lowest = lowest_share(value_range(estimates.values())[0])
        for column, number in enumerate(needles):
            own = {key[1:]: point for key, point in estimates.items() if key[0] == number}
            heading = needles_label(number) if row == 0 else ""
            axes = sheet.panel(row, column, heading, n_label(own, "case"))
            plain(axes)
            y_shares(axes, lowest, labelled=column == 0)
            x_lengths(axes, lengths, sheet.layout.width)
            curves = curves_of(data.styles, own, data.length_places(lengths), names_with_band(own))
            draw_curves(axes, curves)
            if named:
                name_lines(axes, line_ends(curves, asked.__getitem__), sheet.layout.width, layout.height)
            if column == 0:
                name_y(axes, measure)
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "retrieval-by-length",
        title,
        "What retrieval found before any reader answered, by number of needles: above, the mean share of "
        "needles found whole; below, the share of cases with every needle, which bounds a complete answer. "
        "Strategies that differ in their order alone retrieve the same, and share a line. Of more than "
        "three, only the best has a band; the CSV has every interval.",
        "Retrieval",
        sheet.figure,
        ("measure", "needles", "strategy", "context_length", *ESTIMATE_COLUMNS),
        tuple(
            (measure, number, strategy, data.length_value(length), *row_of(point))
            for measure, estimates in zip(_MEASURES, found, strict=True)
            for (number, strategy, length), point in estimates.items()
        ),
    )


def _by_what_is_retrieved(strategies: Sequence[str]) -> list[list[str]]:
    """Strategies that retrieve the same together, whatever order they put it in."""
    alike = dict[str, list[str]]()
    for name in strategies:
        plan = plan_of(name)
        alike.setdefault(plan.unordered if plan else name, []).append(name)
    return list(alike.values())


class _ScopeRow(NamedTuple):
    """Strategies of one row, which differ in order alone; rows sort by how much they take."""

    retriever: str
    chunker: str
    scope: int
    size: int
    noise: float


def draw_context_organisation(data: FigureData) -> Iterator[RenderedFigure]:
    """How retrieved context is organised: scope against order (u-niah, section 5.2).

    One figure, where a retriever was asked with two orders or scopes.
    """
    asked_for = strategies_in(data.frame).items()
    plans = {name: plan for name, strategy in asked_for if (plan := strategy.retrieval)}
    rows = dict(sorted({_scope_row(plan): plan for plan in plans.values()}.items()))
    if len({(plan.scope, plan.order) for plan in plans.values()}) < 2:
        return
    scores = np.where(data.frame["strategy"].isin(list(plans)), data.frame["score"], np.nan)
    found = means(data.frame, scores, "reader", "strategy")
    if not found:
        return
    readers = names_in(found, 0)
    retrievers, chunkers = {row.retriever for row in rows}, {row.chunker for row in rows}
    by_row: dict[_ScopeRow, list[str]] = {}
    for name, plan in plans.items():
        by_row.setdefault(_scope_row(plan), []).append(name)
    # A row of one strategy is called as it was asked for; one of several by what they share.
    names = [
        by_row[row][0]
        if len(by_row[row]) == 1
        else (f"{row.retriever}/" if len(retrievers) > 1 else "")
        + str(plan.scope)
        + (f"@{row.chunker}" if len(chunkers) > 1 else "")
        + (f"+noise-{row.noise:g}" if row.noise else "")
        for row, plan in rows.items()
    ]
    layout = row_panels(readers, names_width(names), 0.4 * len(names) + 0.15)
    asked = {plan.order for plan in plans.values()}
    styles = {name: style for name, style in plain_styles(list(ORDERS)).items() if name in asked}
    title = "How retrieved context is organised"
    whiskers = interval_label(found, "whiskers", data.clusters)
    subtitle = f"mean score by scope and order, over all lengths and depths · {whiskers}"
    sheet = new_sheet(
        layout, title, subtitle, [(_order_label(name), style) for name, style in styles.items()]
    )
    lowest = lowest_score(value_range(found.values())[0])
    for index, reader in enumerate(readers):
        own = {strategy: point for (name, strategy), point in found.items() if name == reader}
        at = {(_scope_row(plan), plan.order): own.get(name) for name, plan in plans.items()}
        axes = sheet.named_rows(index, reader, trials_label(own), names)
        x_scores(axes, lowest)
        draw_dots(axes, [(style, [at.get((row, order)) for row in rows]) for order, style in styles.items()])
    sheet.name_x("mean score")
    yield RenderedFigure(
        "context-organisation",
        title,
        "Each row is how much is retrieved, each mark in which order it stands before the question. "
        "Norm puts the best chunk farthest from the question, reverse next to it.",
        "Retrieval",
        sheet.figure,
        ("reader", "strategy", "scope", "order", *ESTIMATE_COLUMNS),
        tuple(
            (reader, name, str(plans[name].scope), plans[name].order, *row_of(point))
            for (reader, name), point in found.items()
        ),
    )


def _order_label(name: str) -> str:
    """For keys: "norm: best first"."""
    description = ORDERS.find(name, "order").description.partition(",")[0]
    return f"{name}: {description}"


def _scope_row(plan: RetrievalPlan) -> _ScopeRow:
    scope = list(SCOPES).index(plan.scope.kind)
    return _ScopeRow(plan.retriever, str(plan.chunker), scope, plan.scope.size, plan.noise or 0)


def save_retrieval(records: Sequence[RetrievalRecord], folder: Path) -> list[Path]:
    """Draw retrieval.png and retrieval.svg into ``folder``; the files written.

    None where no case has needles. The same records, whatever their seconds, give the same bytes.
    """
    rows = retrieval_rows(records, per_length=True, per_needles=True)
    if not rows:
        return []
    strategies = list(dict.fromkeys(record.strategy for record in records))
    with themed():
        return save(draw_retrieval(rows, strategies), folder, "retrieval")


def draw_retrieval(rows: Sequence[RetrievalRow], strategies: Sequence[str]) -> Figure:
    """Completeness alone, no reader asked: a panel per number of needles. Call it inside ``themed``.

    Args:
        rows: per length, number of needles and strategy; at least one.
        strategies: in the order of the key.
    """
    needles = sorted({row.needles or 0 for row in rows})
    lengths = sorted({row.context_length or 0 for row in rows})
    labels = dict(zip(lengths, length_labels(lengths), strict=True))
    styles = strategy_styles(strategies)
    layout = reader_panels([needles_label(number) for number in needles], 2.3)
    sheet = new_sheet(
        layout,
        "Retrieval completeness over context length",
        "mean share of needles wholly inside what is retrieved, no reader asked",
        tuple(styles.items()),
    )
    lowest = lowest_share(min(row.completeness for row in rows))
    for index, number in enumerate(needles):
        own = {
            (row.strategy, row.context_length or 0): Interval(row.completeness, None, None, row.n, clusters=0)
            for row in rows
            if row.needles == number
        }
        axes = sheet.panel(*divmod(index, layout.columns), needles_label(number), n_label(own, "case"))
        plain(axes)
        y_shares(axes, lowest)
        x_lengths(axes, labels, sheet.layout.width)
        draw_curves(axes, curves_of(styles, own, {length: length_place(length) for length in lengths}))
    sheet.name_x("context length (tokens)")
    return sheet.figure


def needles_label(number: int) -> str:
    """How many needles: "1 needle", "3 needles"."""
    return f"{number} needle{'s' if number > 1 else ''}"
