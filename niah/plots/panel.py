"""One grid drawn on one pair of axes: x = context length, y = depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.analysis.cells import Cell, Grid
from niah.plots.labels import depth_label, length_labels, mean_label, outcome_label
from niah.plots.theme import (
    HATCH,
    HIGHEST,
    INK,
    LOWEST,
    MISSING,
    PALETTE,
    PAPER,
    POINTS_PER_INCH,
    QUIET,
    ink_on,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

# DejaVu Sans, in ems: a digit is 0.64 wide, small letters 0.6 on the average.
_EM = 0.62
_SMALLEST = 5.0
_CORNER = 0.2
_LONG_LINE = len("truncated")


@dataclass(frozen=True)
class CellSize:
    """Width and height of a cell in inches; all type in it follows from them."""

    width: float
    height: float

    @property
    def mean_points(self) -> float:
        """Type size of the mean: three characters fit, and a second line has room below."""
        return min(11.0, self.height * POINTS_PER_INCH * 0.36, self.width * POINTS_PER_INCH / (4 * _EM))

    @property
    def note_points(self) -> float:
        """Type size of n."""
        return self.mean_points * 0.62

    @property
    def shows_n(self) -> bool:
        """Whether n would be large enough to read."""
        return self.note_points >= _SMALLEST

    def points_for(self, text: str) -> float:
        """The type size at which the longest line of ``text`` fits."""
        longest = max(map(len, text.splitlines()))
        lines = text.count("\n") + 1
        return min(
            7.5,
            self.width * POINTS_PER_INCH * 0.94 / (longest * _EM),
            self.height * POINTS_PER_INCH * 0.8 / (lines * 1.2),
        )


def draw_panel(axes: Axes, grid: Grid, size: CellSize) -> QuadMesh:
    """Draw ``grid``; returns the coloured cells, for a colour bar.

    Colours run from 1 to 10 in every panel. A cell with nothing scored is hatched and says why; a cell with
    some trials not scored has a folded corner.
    """
    mesh = _colour(axes, grid)
    for row, cells in enumerate(grid.rows):
        for column, cell in enumerate(cells):
            if cell.mean is None:
                _draw_missing(axes, column, row, cell, size)
            else:
                _draw_scored(axes, column, row, cell, size)
    _draw_borders(axes, len(grid.lengths), len(grid.depths))
    _label(axes, grid)
    return mesh


def _colour(axes: Axes, grid: Grid) -> QuadMesh:
    import numpy as np

    means = np.array([[np.nan if cell.mean is None else cell.mean for cell in row] for row in grid.rows])
    return axes.pcolormesh(
        np.arange(len(grid.lengths) + 1),
        np.arange(len(grid.depths) + 1),
        np.ma.masked_invalid(means),
        cmap=PALETTE,
        vmin=LOWEST,
        vmax=HIGHEST,
    )


def _draw_scored(axes: Axes, column: int, row: int, cell: Cell, size: CellSize) -> None:
    assert cell.mean is not None
    ink = ink_on(score_colour(cell.mean))
    middle = column + 0.5
    rise = 0.1 if size.shows_n else 0.0
    axes.text(
        middle,
        row + 0.5 - rise,
        mean_label(cell.mean),
        ha="center",
        va="center",
        color=ink,
        fontsize=size.mean_points,
    )
    if size.shows_n:
        n = f"n {cell.n}/{cell.trials}" if cell.partial else f"n {cell.n}"
        axes.text(
            middle, row + 0.77, n, ha="center", va="center", color=ink, fontsize=size.note_points, alpha=0.85
        )
    if cell.partial:
        _fold_corner(axes, column, row, size, ink)


def score_colour(mean: float) -> tuple[float, float, float, float]:
    """The colour of a mean score, 1 to 10, as red, green, blue, opacity from 0 to 1."""
    from matplotlib import colormaps

    red, green, blue, opacity = colormaps[PALETTE]((mean - LOWEST) / (HIGHEST - LOWEST))
    return float(red), float(green), float(blue), float(opacity)


def _fold_corner(axes: Axes, column: int, row: int, size: CellSize, ink: str) -> None:
    from matplotlib.patches import Polygon

    side = _CORNER * min(size.width, size.height)
    across, down = side / size.width, side / size.height
    right = column + 1
    points = [(right - across, row), (right, row), (right, row + down)]
    axes.add_patch(Polygon(points, closed=True, facecolor=ink, edgecolor="none", gid="partial", zorder=2))


def _draw_missing(axes: Axes, column: int, row: int, cell: Cell, size: CellSize) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (column, row), 1, 1, facecolor=MISSING, edgecolor=HATCH, hatch="////", linewidth=0, gid="missing"
        )
    )
    text = why_missing(cell)
    axes.text(
        column + 0.5,
        row + 0.5,
        text,
        ha="center",
        va="center",
        color=INK,
        fontsize=size.points_for(text),
        linespacing=1.1,
        bbox={"facecolor": MISSING, "edgecolor": "none", "pad": 1.0},
    )


def why_missing(cell: Cell) -> str:
    """What kept a cell from being scored, in short lines: "truncated 3", "reader error 2 of 3"."""
    if cell.hindrance is None:
        return "no trial"
    outcome, count = cell.hindrance
    words = outcome_label(outcome)
    if len(words) > _LONG_LINE:
        words = words.replace(" ", "\n")
    return f"{words}\n{count}" + (f" of {cell.trials}" if count < cell.trials else "")


def _draw_borders(axes: Axes, columns: int, rows: int) -> None:
    axes.vlines(range(columns + 1), 0, rows, colors=PAPER, linewidths=1.2, zorder=3)
    axes.hlines(range(rows + 1), 0, columns, colors=PAPER, linewidths=1.2, zorder=3)


def _label(axes: Axes, grid: Grid) -> None:
    axes.set_xticks([i + 0.5 for i in range(len(grid.lengths))], length_labels(grid.lengths))
    axes.set_yticks([j + 0.5 for j in range(len(grid.depths))], [depth_label(depth) for depth in grid.depths])
    axes.tick_params(length=0, pad=4)
    axes.set_xlim(0, len(grid.lengths))
    axes.set_ylim(len(grid.depths), 0)  # the start of the context is on top
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.label.set_color(QUIET)
    axes.yaxis.label.set_color(QUIET)
