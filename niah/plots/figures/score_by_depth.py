"""Mean score over depth, a line per context length: is the middle lost? (u-niah, figure 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmaps import COLUMNS, table_rows
from niah.plots.kit.labels import cell_count_label, count_label, length_labels, mean_of
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.plots.kit.scales import lowest_score, name_y, plain, x_depths, y_scores
from niah.plots.kit.sheet import SheetLayout, heading_lines, new_sheet
from niah.plots.kit.styles import Style, length_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTHS = {1: 6.8, 2: 4.7, 3: 3.2, 4: 2.35}


def paint(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure per reader, where there is more than one depth."""
    grids = [grid for grid in data.trials.grids if grid.begun]
    if len(data.trials.depths) < 2:
        return
    readers = [name for name in data.trials.readers if any(g.reader == name and g.n for g in grids)]
    stems = unique_stems({reader: ("score-by-depth", reader) for reader in readers})
    styles = length_styles(data.trials.lengths)
    for reader, stem in stems.items():
        yield _of_reader(stem, [grid for grid in grids if grid.reader == reader and grid.n], styles)


def _of_reader(stem: str, grids: Sequence[Grid], styles: dict[int, Style]) -> RenderedFigure:
    fit = 1 if len(grids) == 1 else 2 if len(grids) in (2, 4) else 3 if len(grids) in (3, 5, 6, 9) else 4
    width = _WIDTHS[fit]
    lines = heading_lines((grid.strategy for grid in grids), width)
    layout = SheetLayout(ceil(len(grids) / fit), fit, width, 1.9, gap=0.3, heading_lines=lines)
    title = f"{grids[0].reader}: score over depth"
    key = list(zip(length_labels(grids[0].lengths), (styles[n] for n in grids[0].lengths), strict=True))
    sheet = new_sheet(
        layout, title, f"mean score, a line per context length (tokens) · {count_label(grids)}", key
    )
    lowest = lowest_score(min(cell.mean for grid in grids for cell in grid.cells if cell.mean is not None))
    for index, grid in enumerate(grids):
        row, column = divmod(index, layout.columns)
        axes = sheet.panel(row, column, grid.strategy, f"{mean_of(grid)} · {cell_count_label([grid])}")
        plain(axes)
        y_scores(axes, lowest, labelled=column == 0)
        x_depths(axes, grid.depths, layout.width)
        _draw(axes, grid, styles)
        if column == 0:
            name_y(axes, "mean score")
    sheet.name_x("depth of the first needle (%; 0 is the start of the context)")
    caption = (
        "Each line is one context length, dark for long; a dip in the middle is “lost in the middle”. "
        "Points are the heatmap's cells; lines break where nothing was scored."
    )
    return RenderedFigure(stem, title, caption, "Scores", sheet.figure, COLUMNS, table_rows(grids))


def _draw(axes: Axes, grid: Grid, styles: dict[int, Style]) -> None:
    for column, length in enumerate(grid.lengths):
        means = [row[column].mean for row in grid.rows]
        if any(mean is not None for mean in means):
            y = [float("nan") if mean is None else mean for mean in means]
            axes.plot(grid.depths, y, clip_on=False, zorder=3 + column, **styles[length].line)
