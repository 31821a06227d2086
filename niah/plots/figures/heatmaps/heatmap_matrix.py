"""All heatmaps at a glance, colours alone: strategies down, readers (or needle sets) across."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from niah.analysis.cells import Grid
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmaps import HEATMAP_COLUMNS, heatmap_rows
from niah.plots.figures.heatmaps.tiles import (
    Panel,
    draw_tiles,
    label_depths,
    label_lengths,
    new_canvas,
    on_axes,
)
from niah.plots.kit.labels import count_label, mean_of, sets_label
from niah.plots.kit.lettering import fitted
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.plots.kit.scales import names_width
from niah.plots.kit.sheets.inches import write, write_upwards
from niah.plots.kit.sheets.layout import SheetLayout, heading_lines, spread_over_figures
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.strategies.strategy import spoken

_ACROSS = 5
_MOST_SETS = 5
_PANELS, _WIDEST, _NARROWEST = 8.6, 3.2, 1.5
_TICKS = 0.5


def draw_heatmap_matrix(data: FigureData) -> Iterator[RenderedFigure]:
    """All readers side by side, at most five a figure; each reader's needle sets, where there are 2 to 5."""
    grids = data.grids_of_like_sets
    readers = sorted({grid.reader for grid in grids})
    if len(grids) > 1:
        for name, part in spread_over_figures("heatmaps", readers, _ACROSS):
            own = {(row_name(grid), grid.reader): grid for grid in grids if grid.reader in part}
            yield matrix_figure(name, "Score by context length and depth", own)
    if 1 < len({grid.needle_set for grid in data.grids_per_set}) <= _MOST_SETS:
        stems = unique_stems({reader: ("needle-sets", reader) for reader in readers})
        for reader, stem in stems.items():
            own = {
                (spoken(grid.strategy), grid.needle_set or ""): grid
                for grid in data.grids_per_set
                if grid.reader == reader
            }
            yield matrix_figure(stem, f"{reader}: score by needle set", own)


def row_name(grid: Grid) -> str:
    """The strategy; with its needle sets, where these stand in rows of their own."""
    return " · ".join(filter(None, (spoken(grid.strategy), grid.needle_set)))


def matrix_figure(
    name: str, title: str, grids: Mapping[tuple[str, str], Grid], across: Sequence[str] | None = None
) -> RenderedFigure:
    """Heatmaps as colours alone.

    Args:
        name, title: of the figure.
        grids: by the names of row and column, in the order of the rows.
        across: the columns from left to right; by name without it.
    """
    lengths = sorted({length for grid in grids.values() for length in grid.lengths})
    depths = sorted({depth for grid in grids.values() for depth in grid.depths})
    grids = {place: on_axes(grid, lengths, depths) for place, grid in grids.items()}
    downwards = list(dict.fromkeys(down for down, _ in grids))
    across = sorted({column for _, column in grids}) if across is None else across
    width = min(_WIDEST, max(_NARROWEST, _PANELS / len(across)))
    names = names_width(downwards, 2.0)
    height = max(0.5, min(1.1, 0.16 * len(depths)))
    left = names + _TICKS + 0.2
    layout = SheetLayout(
        len(downwards), len(across), width, height, left, 0.2, 1.05, heading_lines=0, ticks_everywhere=False
    ).on_page()
    lines = heading_lines(across, layout.width)
    every = list(grids.values())
    sets = "" if {grid.needle_set for grid in every} == set(across) else f"{sets_label(every)} · "
    subtitle = f"mean score, depth down and context length (tokens) across · {sets}{count_label(every)}"
    cells = [cell for grid in every for cell in grid.cells]
    notes = (
        "▨ none was scored" if any(cell.mean is None and cell.trials for cell in cells) else "",
        "an empty place was not asked" if any(not cell.trials for cell in cells) else "",
    )
    note = "      ".join(filter(None, notes))
    sheet = new_sheet(layout, title, subtitle, note=note, headroom=0.22 * lines)
    panels = []
    for (down, column), grid in grids.items():
        row, place = downwards.index(down), across.index(column)
        panel = Panel(grid, sheet.box(row, place))
        panels.append(panel)
        sheet.head(row, place, "", mean_of(grid))
        if place == 0:
            label_depths(sheet.figure, panel)
        if row == len(downwards) - 1:
            label_lengths(sheet.figure, panel, small=True)
    mesh = draw_tiles(new_canvas(sheet.figure), panels, unasked=False)
    _name(sheet, downwards, across, names)
    sheet.add_colour_bar(mesh)
    sheet.name_x("context length (tokens)")
    caption = (
        "Every heatmap as colours alone, on one scale: yellow is 10, dark is 1. "
        "The figures of each reader have the numbers."
    )
    return RenderedFigure(name, title, caption, "Scores", sheet.figure, HEATMAP_COLUMNS, heatmap_rows(every))


def _name(sheet: Sheet, downwards: Sequence[str], across: Sequence[str], names: float) -> None:
    """The names of rows, on the left, and of columns, on top."""
    for row, name in enumerate(downwards):
        box = sheet.box(row, 0)
        text, size = fitted(name, 9.5, names, 3)
        write(sheet.figure, 0.12, box.top + box.height / 2, text, fontsize=size, linespacing=1.05)
    for place, name in enumerate(across):
        box = sheet.box(0, place)
        text, size = fitted(name, 11.0, box.width, 2, bold=True)
        write_upwards(sheet.figure, box.left, box.top - 0.34, text, fontsize=size, fontweight="bold")
