"""A reader's heatmaps on one sheet: strategies across, needle sets down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from niah.analysis.cells import Grid
from niah.plots.figures.heatmaps.cell_text import shows_n
from niah.plots.figures.heatmaps.tiles import (
    Panel,
    draw_tiles,
    label_depths,
    label_lengths,
    new_canvas,
    write_cells,
)
from niah.plots.kit.labels import cell_count_label, count_label, mean_of, note_on
from niah.plots.kit.lettering import fitted
from niah.plots.kit.page import page
from niah.plots.kit.sheets.inches import write
from niah.plots.kit.sheets.layout import SheetLayout, headed_alike
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.plots.kit.theme import QUIET
from niah.strategies.strategy import spoken

# Inches.
_LEFT, _RIGHT, _GAP = 0.75, 1.05, 0.2
_ALL_PANELS = 4.4
_SET_NAME, _SET_MIDDLE = 0.4, 0.26
_LEAST_CELL = 0.36
# As narrow as cells may become so that no panel stands alone in the last row.
_NARROWED_CELL = 0.26


@dataclass(frozen=True)
class Size:
    """Inches.

    Attributes:
        across: what all panels together may take, unless one alone is wider.
        panel: the least width of one.
        narrowest, widest: of a cell; wider where there are too few to fill a panel, or a figure.
        height: of a cell.
        most: panels side by side.
    """

    across: float
    panel: float
    narrowest: float
    widest: float
    height: float
    most: int = 100

    def fit(self, lengths: int) -> int:
        """How many panels of so many lengths stand side by side at the most."""
        least = max(lengths * self.narrowest, self.panel)
        across = self.across
        if room := page().width:
            across, least = min(across, room - _LEFT - _RIGHT), min(least, lengths * _LEAST_CELL)
        return max(1, min(self.most, int(across / least)))

    def side_by_side(self, panels: int, lengths: int) -> int:
        """How many of so many panels stand in a row: one more than fit, where the last would stand alone."""
        fit = self.fit(lengths)
        across = ceil(panels / ceil(panels / fit))
        alone = across > 1 and panels > across and panels % across == 1
        has_room = page().width is None and self.across / ((across + 1) * lengths) >= _NARROWED_CELL
        if alone and not has_room and panels == across + 1:
            return 1  # below one another, with no hole beside the third
        return across + 1 if alone and has_room else across

    def cell_width(self, lengths: int, across: int) -> float:
        """Of the cells of so many panels side by side."""
        if across > self.fit(lengths):
            return self.across / (across * lengths)
        usual = min(self.widest, max(self.narrowest, self.across / (across * lengths)))
        return max(usual, self.panel / lengths, _ALL_PANELS / across / lengths)


def heatmap_sheet(
    grids: Sequence[Grid], size: Size, title: str, subtitle: str, *, headed: bool = True
) -> Sheet:
    """One scale, one colour bar; each cell says its mean, or why there is none.

    Args:
        grids: of one reader, at least one; those of several needle sets stand in rows of their own.
        headed: whether strategies stand above their panels.
    """
    strategies = list(dict.fromkeys(grid.strategy for grid in grids))
    sets = sorted({grid.needle_set or "" for grid in grids})
    lengths, depths = len(grids[0].lengths), len(grids[0].depths)
    across = size.side_by_side(len(strategies), lengths)
    down = ceil(len(strategies) / across)
    width = size.cell_width(lengths, across)
    layout = SheetLayout(
        rows=len(sets) * down,
        columns=across,
        width=width * lengths,
        height=size.height * depths,
        left=_LEFT + (_SET_NAME if len(sets) > 1 else 0),
        gap=_GAP,
        right=_RIGHT,
        heading_lines=0,
    )
    if headed:
        layout = headed_alike(layout, list(map(spoken, strategies)))
    sheet = new_sheet(layout, title, subtitle, note=note_on(grids))
    usual = _same_everywhere(grids) if shows_n(width, size.height) else None
    panels = []
    names: dict[int, str] = {}
    for grid in grids:
        row, column = divmod(strategies.index(grid.strategy), across)
        row += sets.index(grid.needle_set or "") * down
        panels.append(Panel(grid, sheet.box(row, column)))
        count = count_label if shows_n(width, size.height) else cell_count_label
        facts = f"{mean_of(grid)} · {count([grid])}" + (f", {usual} a cell" if usual and grid.n else "")
        sheet.head(row, column, spoken(grid.strategy) if headed else "", facts)
        label_lengths(sheet.figure, panels[-1])
        names[row] = grid.needle_set or ""
    for row, name in names.items():
        label_depths(sheet.figure, Panel(grids[0], sheet.box(row, 0)))
        _name_row(sheet, row, name if len(sets) > 1 else "")
    canvas = new_canvas(sheet.figure)
    mesh = draw_tiles(canvas, panels)
    write_cells(canvas, panels, usual)
    sheet.add_colour_bar(mesh)
    sheet.name_x("context length (tokens)")
    return sheet


def _same_everywhere(grids: Sequence[Grid]) -> int | None:
    """How many trials each cell was planned with, where that is the same for all that have any; else None."""
    planned = {cell.trials for grid in grids for cell in grid.cells if cell.trials}
    return planned.pop() if len(planned) == 1 else None


def _name_row(sheet: Sheet, row: int, needle_set: str) -> None:
    """What a row's tick labels are, and its needle set."""
    box = sheet.box(row, 0)
    above = {"ha": "right", "va": "baseline", "fontsize": 9, "color": QUIET}
    write(sheet.figure, box.left - 0.07, box.top - 0.14, "depth", **above)
    room = box.height + sheet.layout.top
    text, size = fitted(needle_set, 11.0, room, 2, bold=True)
    turned = {"rotation": 90, "ha": "center", "fontsize": size, "fontweight": "bold", "linespacing": 1.1}
    write(sheet.figure, _SET_MIDDLE, box.top + box.height - room / 2, text, **turned)
