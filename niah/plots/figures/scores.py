"""Mean scores: over context length, over depth, against full context, by kind of question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.cells import Grid
from niah.analysis.grouping import NOT_SCORED
from niah.analysis.lengths import length_labels
from niah.analysis.tables.win_rates import lc_scores
from niah.plots.figures.charts.bars import draw_dots, hatch_row
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    Estimates,
    has_intervals,
    interval_label,
    mean_gain,
    means,
    n_label,
    names_in,
    row_of,
    trials_label,
    value_range,
)
from niah.plots.figures.charts.line_names import LineEnd, line_ends, name_lines, with_room_for_names
from niah.plots.figures.charts.lines import curves_of, draw_curves
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmaps import HEATMAP_COLUMNS, heatmap_rows
from niah.plots.kit.labels import cell_count_label, count_label, mean_of, outcome_count
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.plots.kit.scales import (
    lowest_score,
    name_y,
    names_width,
    plain,
    x_depths,
    x_lengths,
    x_scores,
    y_numbers,
    y_scores,
)
from niah.plots.kit.sheets.layout import SheetLayout, heading_lines, reader_panels, row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import AREA, Style, few_in_focus, length_styles
from niah.plots.kit.theme import INK
from niah.strategies.strategy import spoken, strategy_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

LENGTH_COLUMNS = ("reader", "strategy", "context_length", *ESTIMATE_COLUMNS)

_TOGETHER = 3

_DEPTH_WIDTHS = {1: 6.8, 2: 4.7, 3: 3.2, 4: 2.35}


def draw_score_by_length(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score over context length: a panel per reader, a line per strategy (u-niah, figures 4 and 6)."""
    found = means(data.frame, "score", "reader", "strategy", "length")
    if not found:
        return
    lowest = lowest_score(value_range(found.values())[0])
    bands = interval_label(found, "bands", data.clusters)
    over = "questions" if data.banded else "depths, cases"
    allowance = (
        f" Bands are 95 % intervals for {data.clusters.others}, over 5 clusters ({data.clusters.name}) or"
        " more; they allow for a bad one that was not drawn."
    )
    yield _over_lengths(
        data,
        found,
        "score-by-length",
        "Score over context length",
        f"mean score, 1 to 10, over all {over.partition(',')[0]} · {bands}",
        f"Each line is one strategy's mean score over all {over} and repeats that were scored."
        + allowance * has_intervals(found),
        "mean score",
        lambda axes: y_scores(axes, lowest),
    )


def draw_rag_minus_lc(data: FigureData) -> Iterator[RenderedFigure]:
    """RAG against reading everything, pair by pair, over context length (u-niah, figures 7 and 8)."""
    gains = data.frame["score"].to_numpy() - lc_scores(data.frame)
    found = means(data.frame, gains, "reader", "strategy", "length", interval=mean_gain)
    if not found:
        return
    low, high = value_range(found.values())

    def y_axis(axes: Axes) -> None:
        y_numbers(axes, min(low, -0.5), max(high, 0.5))
        axes.axhline(0, color=INK, linewidth=1.0, zorder=2)

    yield _over_lengths(
        data,
        found,
        "rag-minus-lc",
        "RAG minus full context, over context length",
        "score difference of the same case, reader and repeat, RAG − full context · "
        + interval_label(found, "bands", data.clusters),
        "Above the line retrieval scores higher than the whole context on the same cases, below it lower. "
        "Only pairs of which both were scored count: where a reader cannot take the whole context, none do.",
        "← full context better      RAG better →",
        y_axis,
        "pair",
    )


def _over_lengths(
    data: FigureData,
    found: Estimates,
    name: str,
    title: str,
    subtitle: str,
    caption: str,
    y_name: str,
    y_axis: Callable[[Axes], None],
    counted: str = "trial",
) -> RenderedFigure:
    """A panel per reader, a line per strategy; ``found`` is by reader, strategy and length."""
    readers = names_in(found, 0)
    lengths = {length: data.lengths[length] for length in sorted(names_in(found, 2))}
    key = data.key(names_in(found, 1))
    if len(lengths) == 1:
        # One length has points and no lines.
        key = [(called, replace(style, dash="none")) for called, style in key]
    layout = reader_panels(readers)
    named = with_room_for_names(layout, [name for name, _ in key])
    sheet = new_sheet(named or layout, title, subtitle, () if named else key, data.uneven_note)
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, reader, n_label(own, counted))
        plain(axes)
        y_axis(axes)
        x_lengths(axes, lengths, sheet.layout.width)
        banded = names_with_band(own)
        curves = curves_of(data.styles, own, data.length_places(lengths), banded)
        draw_curves(axes, curves)
        if named:
            name_lines(axes, line_ends(curves, spoken), sheet.layout.width, layout.height)
        if column == 0:
            name_y(axes, y_name)
    sheet.name_x("context length (tokens)")
    return RenderedFigure(
        name,
        title,
        caption + few_bands_note(found),
        "Scores",
        sheet.figure,
        LENGTH_COLUMNS,
        rows_over_lengths(data, found),
    )


def few_bands_note(found: Estimates) -> str:
    """Which lines have a band, where some that could have none; ``found`` is by reader, strategy and more."""
    strategies = [len({key[1] for key in found if key[0] == reader}) for reader in names_in(found, 0)]
    if not has_intervals(found) or max(strategies) <= _TOGETHER:
        return ""
    return (
        " Of more than three strategies, only full context and the reader's best retrieval have a band; the"
        " CSV has every interval."
    )


def names_with_band(own: Estimates, best: Callable[..., str | None] = max) -> set[str]:
    """Of one reader's strategies those with a band: few all, of many full context and the best retrieval.

    Args:
        own: by strategy, and what stands on the x axis.
        best: ``max``, or ``min`` where less is better.
    """
    names = names_in(own, 0)
    if len(names) <= _TOGETHER:
        return set(names)
    mean = {name: fmean(point.estimate for (one, _), point in own.items() if one == name) for name in names}
    retrieving = [name for name in names if strategy_of(name).retrieves and strategy_of(name).is_deployable]
    first = best(retrieving, key=mean.__getitem__, default=None)
    return {name for name in names if name == first or strategy_of(name).sends_context}


def rows_over_lengths(data: FigureData, found: Estimates) -> tuple[tuple[str | float | int | None, ...], ...]:
    """What ``found``, by reader, strategy and length, has; see ``LENGTH_COLUMNS``."""
    return tuple(
        (reader, strategy, data.length_value(length), *row_of(point))
        for (reader, strategy, length), point in found.items()
    )


def draw_score_by_depth(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score over depth, a line per context length: is the middle lost? (u-niah, figure 5).

    One figure per reader, where there is more than one depth.
    """
    grids = [grid for grid in data.grids if grid.n]
    if len({depth for grid in data.grids for depth in grid.depths}) < 2:
        return
    readers = [reader for reader in data.readers if any(grid.reader == reader for grid in grids)]
    styles = length_styles({length for grid in data.grids for length in grid.lengths})
    for reader, stem in unique_stems({name: ("score-by-depth", name) for name in readers}).items():
        own = [grid for grid in grids if grid.reader == reader]
        yield _over_depths(stem, own, few_in_focus(styles, _worst_length(own)))


def _worst_length(grids: Sequence[Grid]) -> int:
    """Where the lowest of all cells is."""
    cells = ((cell.mean, cell.context_length) for grid in grids for cell in grid.cells)
    return min((mean, length) for mean, length in cells if mean is not None)[1]


def _over_depths(stem: str, grids: Sequence[Grid], styles: Mapping[int, Style]) -> RenderedFigure:
    """A panel per strategy of one reader."""
    count = len(grids)
    fit = 1 if count == 1 else 2 if count in (2, 4) else 3 if count in (3, 5, 6, 9) else 4
    width = _DEPTH_WIDTHS[fit]
    lines = heading_lines((spoken(grid.strategy) for grid in grids), width)
    every = dict(zip(grids[0].lengths, length_labels(grids[0].lengths), strict=True))
    labels = {length: label for length, label in every.items() if length in styles}
    others = every.keys() - styles.keys()
    layout = SheetLayout(ceil(count / fit), fit, width, 1.9, gap=0.3, heading_lines=lines)
    named = with_room_for_names(layout, list(labels.values()))
    title = f"{grids[0].reader}: score over depth"
    key = [(label, styles[length]) for length, label in labels.items()]
    grey = f", grey: the range of the {len(others)} others" if others else ""
    subtitle = f"mean score, a line per context length (tokens){grey} · {count_label(grids)}"
    sheet = new_sheet(named or layout, title, subtitle, () if named else key)
    lowest = lowest_score(min(cell.mean for grid in grids for cell in grid.cells if cell.mean is not None))
    for index, grid in enumerate(grids):
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(
            row, column, spoken(grid.strategy), f"{mean_of(grid)} · {cell_count_label([grid])}"
        )
        plain(axes)
        y_scores(axes, lowest, labelled=column == 0)
        x_depths(axes, grid.depths, sheet.layout.width)
        _draw_range(axes, grid, others)
        draw_depths(axes, grid, styles)
        if named:
            name_lines(axes, depth_ends(grid, styles, labels), sheet.layout.width, layout.height)
        name_y(axes, "mean score" if column == 0 else "")
    sheet.name_x("depth of the first needle (%; 0 is the start of the context)")
    caption = (
        "Each line is one context length, dark for long; of more than five, the shortest, the longest and "
        "the one with the lowest cell, and in grey the range of all others. A dip in the middle is “lost in "
        "the middle”. Points are the heatmap's cells; lines break where nothing was scored."
    )
    return RenderedFigure(stem, title, caption, "Scores", sheet.figure, HEATMAP_COLUMNS, heatmap_rows(grids))


def depth_ends(grid: Grid, styles: Mapping[int, Style], labels: Mapping[int, str]) -> list[LineEnd]:
    """Where each length's line ends: at the deepest needle that has a score."""
    ends = []
    for column, length in enumerate(grid.lengths):
        if length not in styles:
            continue
        known = [(row[column].depth, mean) for row in grid.rows if (mean := row[column].mean) is not None]
        if known:
            ends.append(LineEnd(*known[-1], styles[length], labels[length], known[-1][0] == grid.depths[-1]))
    return ends


def _draw_range(axes: Axes, grid: Grid, lengths: Collection[int]) -> None:
    """From the lowest to the highest mean of these lengths at every depth; open where none has a score."""
    places = [place for place, length in enumerate(grid.lengths) if length in lengths]
    means = np.array([[row[place].mean for place in places] for row in grid.rows], dtype=np.float64)
    known = ~np.isnan(means).all(axis=1) if places else np.zeros(0, dtype=np.bool_)
    if not known.any():
        return
    low, high = np.fmin.reduce(means, axis=1), np.fmax.reduce(means, axis=1)
    axes.fill_between(grid.depths, low, high, where=known, color=AREA, linewidth=0, zorder=1.5)


def draw_depths(axes: Axes, grid: Grid, styles: Mapping[int, Style]) -> None:
    """A line per length that has a style, broken where nothing was scored.

    matplotlib draws it: ``seaborn.lineplot`` makes the same picture, in thirty times as long a panel.
    """
    for length in sorted(styles.keys() & set(grid.lengths)):
        column, style = grid.lengths.index(length), styles[length]
        points = [(depth, row[column].mean) for depth, row in zip(grid.depths, grid.rows, strict=True)]
        for is_known, stretch in groupby(points, key=lambda point: point[1] is not None):
            if is_known:
                axes.plot(
                    *zip(*stretch, strict=True), color=style.colour, marker=style.marker, linewidth=1.6,
                    markersize=5, markeredgewidth=0.6, markeredgecolor="w", clip_on=False,
                )  # fmt: skip


def draw_score_by_kind(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score of given questions by kind, source and question set, a panel per reader.

    One figure, where the questions differ in any of these.
    """
    given = data.frame[data.frame["origin"] == "given"]
    found: dict[str, Estimates] = {"all": means(given, "score", "reader", "strategy")}
    asked = {"all": given}
    if not found["all"]:
        return
    for facet in ("kind", "source", "question_set"):
        names = sorted(set(given[facet].dropna()))
        for name in names if len(names) > 1 else ():
            label = f"{facet.replace('_', ' ')}: {name}"
            asked[label] = given[given[facet] == name]
            found[label] = means(asked[label], "score", "reader", "strategy")
    if len(found) == 1:
        return
    rows = list(found)
    readers = names_in(found["all"], 0)
    layout = row_panels(readers, names_width(rows), 0.34 * len(rows) + 0.15)
    every = {(row, *key): point for row, points in found.items() for key, point in points.items()}
    title = "Score by kind of question"
    subtitle = f"mean score, 1 to 10, of given questions · {interval_label(every, 'whiskers', data.clusters)}"
    strategies = names_in(every, 2)
    sheet = new_sheet(layout, title, subtitle, data.key(strategies))
    lowest = lowest_score(value_range(every.values())[0])
    for index, reader in enumerate(readers):
        own = {key: point for key, point in found["all"].items() if key[0] == reader}
        axes = sheet.named_rows(index, reader, trials_label(own), rows)
        x_scores(axes, lowest)
        draw_dots(
            axes,
            [(data.styles[name], [found[row].get((reader, name)) for row in rows]) for name in strategies],
        )
        for place, row in enumerate(rows):
            if why := _why_unscored(asked[row][asked[row]["reader"] == reader]):
                hatch_row(axes, place, why)
    sheet.name_x("mean score")
    yield RenderedFigure(
        "score-by-kind",
        title,
        "Each row is one kind, source or set of given questions, each mark a strategy. The rows overlap: a "
        "question stands in the row of its kind and in that of its source. Where nothing was scored the row "
        "is hatched and says why.",
        "Scores",
        sheet.figure,
        ("questions", "reader", "strategy", *ESTIMATE_COLUMNS),
        tuple((*key, *row_of(point)) for key, point in every.items()),
    )


def _why_unscored(trials: DataFrame) -> str:
    """What kept every one of the trials from a score; "" where one has one, or there are none."""
    if trials["scored"].any():
        return ""
    counts = trials["outcome"].value_counts()
    return ", ".join(outcome_count(int(counts[name]), name) for name in NOT_SCORED if counts.get(name, 0))
