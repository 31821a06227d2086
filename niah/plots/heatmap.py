"""Score heatmaps, x = context length, y = depth, as in the papers' figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid, cells
from niah.plots.file_names import unique_stems
from niah.plots.furniture import (
    LEFT,
    TOP,
    Box,
    add_axes,
    add_colour_bar,
    add_note,
    add_titles,
    count_label,
    mean_of,
    new_figure,
    note_on,
    sets_label,
)
from niah.plots.overview import draw_overview
from niah.plots.panel import CellSize, draw_panel
from niah.plots.theme import save, themed
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Inches.
_NARROWEST_PANEL, _USUAL_PANEL = 4.2, 6.4
_NARROWEST_CELL, _WIDEST_CELL = 0.62, 1.05
_CELL_HEIGHT = 0.5


def heatmaps(records: Sequence[TrialRecord], folder: Path) -> list[Path]:
    """Draw every reader's heatmaps into ``folder``, as PNG and SVG; the files written, in order.

    Per reader one overview, all strategies side by side (needle sets as rows where there are several), then
    one heatmap per strategy over all its needle sets. All share one colour scale, 1 to 10. Grids of which no
    trial has been run yet are left out. The same records give the same bytes, in any order.
    """
    per_strategy = [grid for grid in cells(records) if grid.begun]
    per_set = [grid for grid in cells(records, per_needle_set=True) if grid.begun]
    readers = list(dict.fromkeys(grid.reader for grid in per_strategy))
    names = {(reader, ""): (reader, "overview") for reader in readers}
    names |= {(grid.reader, grid.strategy): (grid.reader, grid.strategy) for grid in per_strategy}
    stems = unique_stems(names)
    paths: list[Path] = []
    with themed():
        for reader in readers:
            overview = draw_overview([grid for grid in per_set if grid.reader == reader])
            paths += save(overview, folder, stems[reader, ""])
            for grid in per_strategy:
                if grid.reader == reader:
                    paths += save(draw_heatmap(grid), folder, stems[reader, grid.strategy])
    return paths


def draw_heatmap(grid: Grid) -> Figure:
    """One grid as a figure of its own. Call it inside ``themed``."""
    size = _cell_size(len(grid.lengths))
    panel = Box(LEFT, TOP, size.width * len(grid.lengths), size.height * len(grid.depths))
    note = note_on([grid])
    figure = new_figure(panel, note)
    axes = add_axes(figure, panel)
    axes.set_gid("panel")
    mesh = draw_panel(axes, grid, size)
    axes.set_xlabel("context length (tokens)", labelpad=6)
    axes.set_ylabel("depth", labelpad=6)
    subtitle = f"{mean_of(grid)} · {sets_label([grid])} · {count_label([grid])}"
    add_titles(figure, panel, f"{grid.reader} · {grid.strategy}", subtitle)
    add_colour_bar(figure, panel, mesh)
    add_note(figure, panel, note)
    return figure


def _cell_size(columns: int) -> CellSize:
    width = min(_WIDEST_CELL, max(_NARROWEST_CELL, _USUAL_PANEL / columns))
    return CellSize(max(width, _NARROWEST_PANEL / columns), _CELL_HEIGHT)
