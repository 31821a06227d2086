"""Many heatmaps on one canvas, drawn fast: all cells at once, and numbers as shared shapes.

One pair of axes spans the figure, its coordinates are inches from the upper left corner, and panels are boxes
on it. ``seaborn.heatmap`` wants axes for every panel: for 160 panels without text it took 1.7 times as long.
It also writes one text of one size into a cell, where ours have a mean and its n, or why there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.cells import Cell, Grid
from niah.analysis.grouping import OUTCOMES
from niah.analysis.lengths import length_labels
from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.figures.charts.corners import Corners, rectangle
from niah.plots.figures.heatmaps.cell_text import CellLine, cell_lines, why_missing
from niah.plots.kit.labels import depth_label
from niah.plots.kit.lettering import width_of
from niah.plots.kit.scales import thinned
from niah.plots.kit.sheets.inches import Box, add_axes, write
from niah.plots.kit.theme import HATCH, INK, MISSING, PALETTE, PAPER, POINTS_PER_INCH, QUIET, score_ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_CORNER = 0.22
# The white between cells, in points, by their height in inches.
_HEIGHTS, _LINES = (0.2, 0.5), (0.5, 1.2)
# The plate below words: how far it reaches beyond them, in inches, and half its height in ems.
_PLATE, _HALF_LINE = 0.025, 0.6
_TICK, _SMALL_TICK = 8.5, 8.0


@dataclass(frozen=True)
class Panel:
    """A grid and where it stands, in inches."""

    grid: Grid
    box: Box

    @property
    def width(self) -> float:
        """Of a cell."""
        return self.box.width / len(self.grid.lengths)

    @property
    def height(self) -> float:
        """Of a cell."""
        return self.box.height / len(self.grid.depths)

    @property
    def placed(self) -> Iterator[tuple[Cell, float, float]]:
        """Every cell with its left and top."""
        for row, cells in enumerate(self.grid.rows):
            for column, cell in enumerate(cells):
                yield cell, self.box.left + column * self.width, self.box.top + row * self.height

    @property
    def columns(self) -> Iterator[tuple[Sequence[Cell], float, float]]:
        """Cells that say the same, with the left and the top of the first.

        Each with a score alone, and together those below one another that lack it for the same reason.
        """
        for column in range(len(self.grid.lengths)):
            cells = [row[column] for row in self.grid.rows]
            at = 0
            for why, same in groupby(cells, lambda cell: why_missing(cell) if cell.mean is None else None):
                for block in [list(same)] if why else ([cell] for cell in same):
                    yield block, self.box.left + column * self.width, self.box.top + at * self.height
                    at += len(block)


def new_canvas(figure: Figure) -> Axes:
    """Axes over the whole figure, in inches from its upper left corner."""
    width, height = figure.get_size_inches()
    canvas = add_axes(figure, Box(0, 0, width, height))
    canvas.set_axis_off()
    canvas.set_xlim(0, width)
    canvas.set_ylim(height, 0)
    canvas.set_gid("canvas")
    return canvas


def draw_tiles(canvas: Axes, panels: Sequence[Panel], *, unasked: bool = True) -> ScalarMappable:
    """All cells' colours, 1 to 10, and hatching where nothing was scored; what a colour bar needs.

    Args:
        canvas, panels: see ``new_canvas`` and ``Panel``.
        unasked: whether cells without any trial are hatched too; they are left empty without it.
    """
    from niah.plots.figures.charts.areas import Areas

    cells = [
        (cell, rectangle(x, y, x + panel.width, y + panel.height))
        for panel in panels
        for cell, x, y in panel.placed
    ]
    scored = [(cell.mean, square) for cell, square in cells if cell.mean is not None]
    missing = [square for cell, square in cells if cell.mean is None and (unasked or cell.trials)]
    lines: dict[str, Any] = {
        "edgecolors": PAPER,
        "linewidths": np.interp(panels[0].height, _HEIGHTS, _LINES),
    }
    mesh = Areas([square for _, square in scored], cmap=PALETTE, gid="scored", **lines)
    mesh.set_array(np.array([mean for mean, _ in scored], dtype=np.float64))
    mesh.set_clim(LOWEST, HIGHEST)
    canvas.add_collection(mesh, autolim=False)
    if missing:
        hatch: dict[str, Any] = {"edgecolors": HATCH, "hatch": "////", "linewidths": 0}
        for part in (
            Areas(missing, gid="missing", facecolors=MISSING, **hatch),
            Areas(missing, facecolors="none", **lines),
        ):
            canvas.add_collection(part, autolim=False)
    return mesh


def write_cells(canvas: Axes, panels: Sequence[Panel], usual: int | None = None) -> None:
    """What each cell says; a folded corner where some trials were not scored.

    ``usual`` is the number of trials that is said elsewhere, and not in each cell that has it.
    """
    letters: dict[tuple[str, str, float, bool], list[tuple[float, float]]] = defaultdict(list)
    plates: list[Corners] = []
    corners: list[Corners] = []
    corner_inks: list[str] = []
    for panel in panels:
        for alike, left, top in panel.columns:
            cell = alike[0]
            x, y = left + panel.width / 2, top + len(alike) * panel.height / 2
            lines = cell_lines(cell, panel.width, panel.height, usual, alike=len(alike))
            ink = INK if cell.mean is None else score_ink(cell.mean)
            for line in lines:
                letters[line.text, ink, round(line.points, 2), line.turned].append((x, y + line.below))
            if cell.mean is None:
                plates += [_plate(line, x, y) for line in lines]
            if cell.partial:
                corners.append(_corner(panel, left + panel.width, top))
                corner_inks.append(ink)
    _add_areas(canvas, plates, MISSING, 3, "plates")
    for (text, ink, points, turned), middles in sorted(letters.items()):
        shape = _shape(text, points)
        canvas.add_collection(
            _letters(canvas, _upwards(shape) if turned else shape, ink, middles), autolim=False
        )
    _add_areas(canvas, corners, corner_inks, 5, "partial")


def label_lengths(figure: Figure, panel: Panel, *, small: bool = False) -> None:
    """Context lengths below a panel, as far as they fit; ``small`` and quiet where numbers matter less."""
    middles = [panel.box.left + (i + 0.5) * panel.width for i in range(len(panel.grid.lengths))]
    points, colour, down = (_SMALL_TICK, QUIET, 0.15) if small else (_TICK, INK, 0.17)
    below = panel.box.top + panel.box.height + down
    style = {"ha": "center", "va": "baseline", "fontsize": points, "color": colour}
    for text, x in zip(thinned(length_labels(panel.grid.lengths), middles, points), middles, strict=True):
        if text:
            write(figure, x, below, text, **style)


def label_depths(figure: Figure, panel: Panel) -> None:
    """Depths left of a panel; where they would touch, the ends alone."""
    depths = panel.grid.depths
    shown = range(len(depths)) if panel.height * POINTS_PER_INCH >= 1.3 * _TICK else {0, len(depths) - 1}
    for row in shown:
        y = panel.box.top + (row + 0.5) * panel.height
        write(figure, panel.box.left - 0.07, y, depth_label(depths[row]), ha="right", fontsize=_TICK)


def on_axes(grid: Grid, lengths: Sequence[int], depths: Sequence[float]) -> Grid:
    """The same grid with cells for other lengths and depths too, of which there are no trials."""
    known = {(cell.context_length, cell.depth): cell for cell in grid.cells}
    none = dict.fromkeys(OUTCOMES, 0)
    rows = tuple(
        tuple(known.get((length, depth), Cell(length, depth, None, 0, none)) for length in lengths)
        for depth in depths
    )
    return replace(grid, lengths=tuple(lengths), depths=tuple(depths), rows=rows)


def _plate(line: CellLine, x: float, y: float) -> Corners:
    """What keeps hatching off a line of text in a cell whose middle is at ``x`` and ``y``."""
    across = width_of(line.text, line.points) / 2 + _PLATE
    down = _HALF_LINE * line.points / POINTS_PER_INCH
    if line.turned:
        across, down = down, across
    return rectangle(x - across, y + line.below - down, x + across, y + line.below + down)


def _add_areas(canvas: Axes, areas: Sequence[Corners], colours: Any, zorder: int, gid: str) -> None:
    from niah.plots.figures.charts.areas import Areas

    if areas:
        canvas.add_collection(
            Areas(areas, facecolors=colours, linewidths=0, zorder=zorder, gid=gid), autolim=False
        )


def _letters(canvas: Axes, shape: Any, ink: str, offsets: Sequence[tuple[float, float]]) -> Any:
    from matplotlib.collections import PathCollection

    return PathCollection(
        [shape],
        offsets=offsets,
        offset_transform=canvas.transData,
        transform=canvas.figure.dpi_scale_trans,
        facecolors=ink,
        linewidths=0,
        zorder=4,
    )


@lru_cache(maxsize=1024)
def _shape(text: str, points: float) -> Any:
    """The outline of ``text`` in inches, its middle at 0, 0."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath

    outline = TextPath((0, 0), text, size=points, prop=FontProperties())
    vertices: NDArray[np.float64] = np.asarray(outline.vertices, dtype=np.float64)
    digit = 0.73 * points
    middle = np.array([width_of(text, points) * POINTS_PER_INCH / 2, digit / 2])
    return Path((vertices - middle) / POINTS_PER_INCH, outline.codes)


def _upwards(shape: Any) -> Any:
    """An outline turned so that it reads upwards."""
    from matplotlib.transforms import Affine2D

    return Affine2D().rotate_deg(90).transform_path(shape)


def _corner(panel: Panel, right: float, top: float) -> Corners:
    side = _CORNER * min(panel.width, panel.height)
    return [(right - side, top), (right, top), (right, top + side)]
