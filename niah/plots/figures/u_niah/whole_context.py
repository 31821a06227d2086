"""Readers of the whole context: over length, over depth, as heatmaps, on needles in needles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.cells import cells
from niah.analysis.frame import category_names
from niah.analysis.lengths import length_labels
from niah.analysis.tables.u_niah.settings import needle_sets, nested, whole_context
from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.figures.charts.estimates import names_in
from niah.plots.figures.charts.line_names import name_lines, with_room_for_names
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmap_matrix import matrix_figure
from niah.plots.figures.heatmaps.heatmaps import HEATMAP_COLUMNS, heatmap_rows
from niah.plots.figures.scores import depth_ends, draw_depths
from niah.plots.figures.u_niah.spreads import (
    GROUP,
    SPREAD_COLUMNS,
    Spread,
    Spreads,
    draw_spread,
    reader_label,
    readers_by_size,
    score_spreads,
)
from niah.plots.kit.labels import cell_count_label, count_label, mean_of
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, plain, x_depths, x_lengths, y_scores
from niah.plots.kit.sheets.layout import reader_panels, spread_over_figures
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import BLUE, Style, length_styles, plain_styles

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ENDS = (float(LOWEST), float(HIGHEST))
_ACROSS = 5
_DASHED = (0, (4, 1.6))


def draw_figure_4(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score over context length, a panel per reader; plain needles."""
    found = score_spreads(data.frame, _scores(data, ~nested(data.frame)), "reader", "length")
    readers = readers_by_size(data, names_in(found, 0))
    lengths = {length: data.lengths[length] for length in sorted(names_in(found, 1))}
    if len(readers) < 2 or len(lengths) < 2:
        return
    layout = reader_panels([reader_label(data, name) for name in readers], 2.2)
    title = "u-niah, figure 4: the whole context, over its length"
    subtitle = "mean score of full context over needle sets, depths and seeds · bands: ± 1 standard deviation"
    sheet = new_sheet(layout, title, subtitle)
    lowest = lowest_score(min(max(_ENDS[0], point.ends[0]) for point in found.values()))
    for index, reader in enumerate(readers):
        own = {length: point for (name, length), point in found.items() if name == reader}
        axes = sheet.panel(*divmod(index, layout.columns), reader_label(data, reader), _n(own.values()))
        plain(axes)
        y_scores(axes, lowest)
        x_lengths(axes, lengths, sheet.layout.width)
        draw_spread(axes, Style(BLUE), own, data.length_places(lengths), _ENDS)
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "u-niah-figure-4",
        title,
        "Each panel is one reader on the whole context; the band is one standard deviation of its scores, as "
        "in the paper, and no interval. It ends where the scale does. A line ends at the reader's window.",
        GROUP,
        sheet.figure,
        ("reader", "context_length", *SPREAD_COLUMNS),
        _rows(data, found),
    )


def draw_figure_5(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score over depth, a panel per reader, a line per length; plain needles."""
    frame = data.frame[whole_context(data.frame) & ~nested(data.frame)]
    grids = {grid.reader: grid for grid in cells(frame) if grid.n and len(grid.depths) > 1}
    if len(grids) < 2:
        return
    readers = readers_by_size(data, list(grids))
    styles = length_styles({length for grid in grids.values() for length in grid.lengths})
    layout = reader_panels([reader_label(data, name) for name in readers], 2.2)
    title = "u-niah, figure 5: the whole context, over depth"
    counted = count_label(list(grids.values()))
    subtitle = f"mean score of full context, a line per context length (tokens) · {counted}"
    key = list(zip(length_labels(list(styles)), styles.values(), strict=True))
    named = with_room_for_names(layout, [name for name, _ in key])
    sheet = new_sheet(named or layout, title, subtitle, () if named else key)
    labels = dict(zip(styles, (name for name, _ in key), strict=True))
    means = [cell.mean for grid in grids.values() for cell in grid.cells if cell.mean is not None]
    for index, reader in enumerate(readers):
        grid = grids[reader]
        facts = f"{mean_of(grid)} · {cell_count_label([grid])}"
        axes = sheet.panel(*divmod(index, layout.columns), reader_label(data, reader), facts)
        plain(axes)
        y_scores(axes, lowest_score(min(means)))
        x_depths(axes, grid.depths, sheet.layout.width)
        draw_depths(axes, grid, styles)
        if named:
            name_lines(axes, depth_ends(grid, styles, labels), sheet.layout.width, layout.height)
        name_y(axes, "")
    sheet.name_x("depth of the first needle (%; 0 is the start of the context)")
    yield RenderedFigure(
        "u-niah-figure-5",
        title,
        "Each line is one context length, dark for long; a dip in the middle is “lost in the middle”. Panels "
        "are readers, the smaller first where the config states sizes.",
        GROUP,
        sheet.figure,
        HEATMAP_COLUMNS,
        heatmap_rows([grids[reader] for reader in readers]),
    )


def draw_figure_6(data: FigureData) -> Iterator[RenderedFigure]:
    """Heatmaps of the whole context, readers down and needle sets across; plain needles."""
    which = whole_context(data.frame) & ~nested(data.frame)
    grids = {
        (grid.reader, grid.needle_set or ""): grid
        for grid in cells(data.frame[which], per_needle_set=True)
        if grid.begun
    }
    readers = readers_by_size(data, names_in(grids, 0))
    sets = [name for name in needle_sets(data.frame, which) if name in names_in(grids, 1)]
    if len(readers) < 2 or len(sets) < 2:
        return
    for name, part in spread_over_figures("u-niah-figure-6", sets, _ACROSS):
        own = {key: grids[key] for reader in readers for name in part if (key := (reader, name)) in grids}
        title = "u-niah, figure 6: heatmaps of the whole context by needle set"
        yield replace(matrix_figure(name, title, own, part), group=GROUP)


def draw_figure_13(data: FigureData) -> Iterator[RenderedFigure]:
    """Needles in needles, the whole context: a panel per haystack, a line per reader."""
    found = score_spreads(data.frame, _scores(data, nested(data.frame)), "haystack", "reader", "length")
    readers = readers_by_size(data, names_in(found, 1))
    lengths = {length: data.lengths[length] for length in sorted(names_in(found, 2))}
    if len(readers) < 2 or len(lengths) < 2:
        return
    haystacks = [name for name in category_names(data.frame, "haystack") if name in names_in(found, 0)]
    layout = reader_panels(haystacks, 2.8)
    title = "u-niah, figure 13: needles in needles, the whole context"
    thinking = bool(data.frame["reasoning"].any())
    apart = " · full marks and lines: reasoning models" if thinking else ""
    styles = _by_reasoning(data, readers)
    key = [(reader_label(data, name), styles[name]) for name in readers]
    sheet = new_sheet(layout, title, f"mean score of full context over all depths and seeds{apart}", key)
    lowest = lowest_score(min(point.mean for point in found.values()))
    for index, haystack in enumerate(haystacks):
        own = [point for (name, _, _), point in found.items() if name == haystack]
        axes = sheet.panel(*divmod(index, layout.columns), haystack, _n(own))
        plain(axes)
        y_scores(axes, lowest)
        x_lengths(axes, lengths, sheet.layout.width)
        for reader in readers:
            line = {
                length: found[place] for length in lengths if (place := (haystack, reader, length)) in found
            }
            if line:
                bare = {length: point._replace(sd=None) for length, point in line.items()}
                draw_spread(axes, styles[reader], bare, data.length_places(lengths))
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "u-niah-figure-13",
        title,
        "Needles that hide in long passages, read whole, on each background. Models that think before they "
        "answer are those of which the config says reasoning: true.",
        GROUP,
        sheet.figure,
        ("haystack", "reader", "context_length", *SPREAD_COLUMNS),
        tuple(
            (haystack, reader, data.length_value(length), *point.row)
            for (haystack, reader, length), point in found.items()
        ),
    )


def _scores(data: FigureData, which: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Shape (n,): scores of the whole context in some rows, elsewhere NaN."""
    return np.where(whole_context(data.frame) & which, data.frame["score"].to_numpy(), np.nan)


def _rows(data: FigureData, found: Spreads) -> tuple[tuple[str | float | int | None, ...], ...]:
    return tuple((name, data.length_value(length), *point.row) for (name, length), point in found.items())


def _by_reasoning(data: FigureData, readers: list[str]) -> dict[str, Style]:
    """A colour each; hollow and dashed where others think and this reader does not."""
    thinks = set(data.frame.loc[data.frame["reasoning"], "reader"])
    styles = plain_styles(readers)
    if not thinks:
        return styles
    return {
        name: style if name in thinks else replace(style, dash=_DASHED, filled=False)
        for name, style in styles.items()
    }


def _n(points: Iterable[Spread]) -> str:
    counts = [point.n for point in points]
    low, high = min(counts), max(counts)
    return f"n = {low:,}" + (f"–{high:,}" if high > low else "") + " trials a point"
