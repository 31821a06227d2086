"""All strategies of one reader side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid
from niah.plots.furniture import (
    LEFT,
    TOP,
    Box,
    add_axes,
    add_colour_bar,
    add_note,
    add_titles,
    count_label,
    fitting,
    mean_of,
    new_figure,
    note_on,
    sets_label,
    write,
)
from niah.plots.panel import CellSize, draw_panel
from niah.plots.theme import QUIET

if TYPE_CHECKING:
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure

# Inches.
_WIDEST = 12.5
_NARROWEST_PANEL = 1.7
_NARROWEST_CELL, _WIDEST_CELL = 0.38, 0.62
_GAP_ACROSS, _GAP_DOWN = 0.18, 0.14
_PANEL_TITLE, _ROW_LABEL = 0.5, 0.34


@dataclass(frozen=True)
class _Layout:
    """Where the panels go: ``strategies`` from left to right, ``needle_sets`` from top to bottom.

    With a single needle set, ``across`` may be less than the number of strategies: they wrap.
    """

    strategies: tuple[str, ...]
    needle_sets: tuple[str | None, ...]
    across: int
    cell: CellSize
    panel_width: float
    panel_height: float

    @classmethod
    def of(cls, grids: Sequence[Grid]) -> _Layout:
        strategies = tuple(dict.fromkeys(grid.strategy for grid in grids))
        sets = tuple(sorted({grid.needle_set or "" for grid in grids}))
        lengths, depths = len(grids[0].lengths), len(grids[0].depths)
        across = len(strategies)
        if len(sets) == 1:
            fit = max(1, int(_WIDEST / max(lengths * _NARROWEST_CELL, _NARROWEST_PANEL)))
            across = ceil(across / ceil(across / fit))
        width = min(_WIDEST_CELL, max(_NARROWEST_CELL, _WIDEST / (across * lengths)))
        width = max(width, _NARROWEST_PANEL / lengths)
        cell = CellSize(width, min(0.44, max(0.34, 0.8 * width)))
        return cls(strategies, sets, across, cell, cell.width * lengths, cell.height * depths)

    @property
    def down(self) -> int:
        return len(self.needle_sets) * ceil(len(self.strategies) / self.across)

    @property
    def panels(self) -> Box:
        """All panels together, without the furniture."""
        left = LEFT + (_ROW_LABEL if len(self.needle_sets) > 1 else 0)
        width = self.across * (self.panel_width + _GAP_ACROSS) - _GAP_ACROSS
        height = self.down * (self.panel_height + _PANEL_TITLE + _GAP_DOWN) - _PANEL_TITLE - _GAP_DOWN
        return Box(left, TOP + _PANEL_TITLE, width, height)

    def place(self, grid: Grid) -> tuple[int, int]:
        """The grid's row and column."""
        index = self.strategies.index(grid.strategy)
        if len(self.needle_sets) > 1:
            return self.needle_sets.index(grid.needle_set or ""), index
        return divmod(index, self.across)

    def box(self, row: int, column: int) -> Box:
        """Where the panel of that row and column stands."""
        return Box(
            self.panels.left + column * (self.panel_width + _GAP_ACROSS),
            self.panels.top + row * (self.panel_height + _PANEL_TITLE + _GAP_DOWN),
            self.panel_width,
            self.panel_height,
        )


def draw_overview(grids: Sequence[Grid]) -> Figure:
    """One reader's grids: a column per strategy, a row per needle set; one scale, one colour bar.

    With a single needle set the strategies wrap where one row would be too wide. Call it inside ``themed``.
    """
    layout = _Layout.of(grids)
    note = note_on(grids)
    figure = new_figure(layout.panels, note)
    lowest = {column: row for row, column in sorted(map(layout.place, grids))}
    meshes = [_draw_tile(figure, layout, grid, lowest) for grid in grids]
    for row, name in _row_names(layout):
        _name_row(figure, layout, row, name)
    add_titles(figure, layout.panels, f"{grids[0].reader} · all strategies", _subtitle(grids))
    add_colour_bar(figure, layout.panels, meshes[0])
    _name_axes(figure, layout)
    add_note(figure, layout.panels, note)
    return figure


def _draw_tile(figure: Figure, layout: _Layout, grid: Grid, lowest: dict[int, int]) -> QuadMesh:
    row, column = layout.place(grid)
    box = layout.box(row, column)
    axes = add_axes(figure, box)
    axes.set_gid("panel")
    mesh = draw_panel(axes, grid, layout.cell)
    axes.tick_params(labelleft=column == 0, labelbottom=row == lowest[column], labelsize=8)
    size = fitting(grid.strategy, 10, box.width, bold=True)
    write(figure, box.left, box.top - 0.32, grid.strategy, fontsize=size, fontweight="bold")
    facts = f"{mean_of(grid)} · {count_label([grid])}"
    write(figure, box.left, box.top - 0.13, facts, fontsize=fitting(facts, 7.5, box.width), color=QUIET)
    return mesh


def _row_names(layout: _Layout) -> Iterator[tuple[int, str]]:
    if len(layout.needle_sets) > 1:
        yield from enumerate(name or "" for name in layout.needle_sets)


def _name_row(figure: Figure, layout: _Layout, row: int, name: str) -> None:
    box = layout.box(row, 0)
    size = fitting(name, 10, box.height, bold=True)
    middle = box.top + box.height / 2
    write(figure, 0.22, middle, name, rotation=90, ha="center", fontsize=size, fontweight="bold")


def _name_axes(figure: Figure, layout: _Layout) -> None:
    panels = layout.panels
    middle, below = panels.left + panels.width / 2, panels.top + panels.height + 0.42
    write(figure, middle, below, "context length (tokens)", ha="center", fontsize=9, color=QUIET)
    write(figure, panels.left - 0.1, panels.top - 0.13, "depth", ha="right", fontsize=9, color=QUIET)


def _subtitle(grids: Sequence[Grid]) -> str:
    return f"mean score by context length and depth · {sets_label(grids)} · {count_label(grids)}"
