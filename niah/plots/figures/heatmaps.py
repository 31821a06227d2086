"""A reader's heatmaps, a panel per strategy, with a number in each cell (u-niah, figure 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid
from niah.plots.figures.estimates import rounded
from niah.plots.figures.material import Material
from niah.plots.figures.publish import Painted
from niah.plots.figures.sheet import Layout, Sheet, heading_lines, new_sheet
from niah.plots.figures.tiles import (
    Panel,
    cell_count_label,
    draw_tiles,
    label_depths,
    label_lengths,
    new_canvas,
    write_numbers,
)
from niah.plots.file_names import unique_stems
from niah.plots.furniture import add_colour_bar, count_label, mean_of, note_on, sets_label

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable

_WIDEST, _LEAST, _MOST, _HEIGHT = 10.4, 0.36, 0.62, 0.28
_NARROWEST_PANEL = 2.4
_LEFT, _RIGHT = 0.75, 1.05

COLUMNS = ("reader", "strategy", "needle_set", "context_length", "depth", "mean", "n", "trials")


def paint(material: Material) -> Iterator[Painted]:
    """One figure per reader."""
    stems = unique_stems({reader: ("heatmaps", reader) for reader in material.trials.readers})
    for reader, stem in stems.items():
        grids = [grid for grid in material.trials.grids if grid.reader == reader and grid.begun]
        if grids:
            yield _of_reader(reader, stem, grids)


def table_rows(grids: Sequence[Grid]) -> tuple[tuple[str | int | float | None, ...], ...]:
    """Every cell, see ``COLUMNS``."""
    return tuple(
        (
            grid.reader,
            grid.strategy,
            grid.needle_set,
            cell.context_length,
            cell.depth,
            None if cell.mean is None else rounded(cell.mean),
            cell.n,
            cell.trials,
        )
        for grid in grids
        for cell in grid.cells
        if cell.trials
    )


def add_bar(sheet: Sheet, mesh: ScalarMappable) -> None:
    """The one colour bar, right of the first row of panels."""
    first, layout = sheet.box(0, 0), sheet.layout
    rows = min(2, layout.rows) - 1
    height = rows * layout.pitch + layout.height
    add_colour_bar(sheet.figure, replace(first, width=layout.panels_width, height=height), mesh)


def _of_reader(reader: str, stem: str, grids: Sequence[Grid]) -> Painted:
    lengths, depths = len(grids[0].lengths), len(grids[0].depths)
    fit = max(1, min(4, int(_WIDEST / max(lengths * _LEAST, _NARROWEST_PANEL))))
    across = ceil(len(grids) / ceil(len(grids) / fit))
    cell = max(_NARROWEST_PANEL / lengths, min(_MOST, max(_LEAST, _WIDEST / (across * lengths))))
    lines = heading_lines((grid.strategy for grid in grids), cell * lengths)
    layout = Layout(
        ceil(len(grids) / across),
        across,
        cell * lengths,
        _HEIGHT * depths,
        _LEFT,
        0.2,
        _RIGHT,
        heading_lines=lines,
    )
    title = f"{reader}: score by context length and depth"
    subtitle = f"mean score, one colour scale for all figures · {sets_label(grids)} · {count_label(grids)}"
    sheet = new_sheet(layout, title, subtitle, note=note_on(grids))
    panels = [Panel(grid, sheet.box(*divmod(index, across))) for index, grid in enumerate(grids)]
    canvas = new_canvas(sheet.figure)
    mesh = draw_tiles(canvas, panels)
    write_numbers(canvas, panels)
    for index, panel in enumerate(panels):
        row, column = divmod(index, across)
        facts = f"{mean_of(panel.grid)} · {cell_count_label([panel.grid])}"
        sheet.head(row, column, panel.grid.strategy, facts)
        label_lengths(sheet.figure, panel)
        if column == 0:
            label_depths(sheet.figure, panel)
    add_bar(sheet, mesh)
    sheet.name_x("context length (tokens)")
    caption = (
        "Each cell is the mean score of all scored trials at one context length (across) and depth of the "
        "first needle (down). Hatched cells have no score and say why; they count as nothing, not as zero."
    )
    return Painted(stem, title, caption, "Scores", sheet.figure, COLUMNS, table_rows(grids))
