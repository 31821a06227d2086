"""Many heatmaps on one canvas, drawn fast: all cells at once, and numbers as shared shapes.

Axes with ticks for each of dozens of panels would take most of a report's time; here one pair of axes spans
the figure, its coordinates are inches from the upper left corner, and panels are boxes on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.cells import Cell, Grid
from niah.analysis.grouping import OUTCOMES
from niah.plots.figures.lettering import width_of
from niah.plots.figures.scales import thinned
from niah.plots.furniture import Box, add_axes, write
from niah.plots.labels import depth_label, length_labels, mean_label, outcome_label
from niah.plots.panel import score_colour
from niah.plots.text_heatmap import SHORT_OUTCOMES
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
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_EM = 0.64
_CORNER = 0.22
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


def new_canvas(figure: Figure) -> Axes:
    """Axes over the whole figure, in inches from its upper left corner."""
    width, height = figure.get_size_inches()
    canvas = add_axes(figure, Box(0, 0, width, height))
    canvas.set_axis_off()
    canvas.set_xlim(0, width)
    canvas.set_ylim(height, 0)
    canvas.set_gid("canvas")
    return canvas


def draw_tiles(canvas: Axes, panels: Sequence[Panel]) -> ScalarMappable:
    """All cells' colours, 1 to 10, and hatching where nothing was scored; what a colour bar needs."""
    from matplotlib.collections import PolyCollection

    cells = [(cell, _square(panel, x, y)) for panel in panels for cell, x, y in panel.placed]
    scored = [(cell.mean, square) for cell, square in cells if cell.mean is not None]
    missing = [square for cell, square in cells if cell.mean is None]
    mesh = PolyCollection(
        [square for _, square in scored], cmap=PALETTE, edgecolors=PAPER, linewidths=0.6, gid="scored"
    )
    mesh.set_array(np.array([mean for mean, _ in scored], dtype=np.float64))
    mesh.set_clim(LOWEST, HIGHEST)
    canvas.add_collection(mesh, autolim=False)
    if missing:
        hatched: dict[str, Any] = {
            "facecolors": MISSING,
            "edgecolors": HATCH,
            "hatch": "////",
            "linewidths": 0,
        }
        canvas.add_collection(PolyCollection(missing, gid="missing", **hatched), autolim=False)
    return mesh


def write_numbers(canvas: Axes, panels: Sequence[Panel]) -> None:
    """Each cell's mean, or why there is none; a folded corner where some trials were not scored."""
    from matplotlib.collections import PolyCollection

    places: dict[tuple[str, str, float], list[tuple[float, float]]] = defaultdict(list)
    corners = []
    for panel in panels:
        for cell, x, y in panel.placed:
            places[_lettered(cell, panel)].append((x + panel.width / 2, y + panel.height / 2))
            if cell.partial:
                corners.append(_corner(panel, x + panel.width, y))
    for (text, ink, size), offsets in sorted(places.items()):
        if text:
            canvas.add_collection(_letters(canvas, text, ink, size, offsets), autolim=False)
    canvas.add_collection(
        PolyCollection(corners, facecolors=INK, linewidths=0, zorder=5, gid="partial"), autolim=False
    )


def label_lengths(figure: Figure, panel: Panel) -> None:
    """Context lengths below a panel, as far as they fit."""
    middles = [panel.box.left + (i + 0.5) * panel.width for i in range(len(panel.grid.lengths))]
    below = panel.box.top + panel.box.height + 0.17
    for text, x in zip(thinned(length_labels(panel.grid.lengths), middles, _TICK), middles, strict=True):
        if text:
            write(figure, x, below, text, ha="center", va="baseline", fontsize=_TICK)


def label_depths(figure: Figure, panel: Panel) -> None:
    """Depths left of a panel; where they would touch, the ends alone."""
    depths = panel.grid.depths
    shown = range(len(depths)) if panel.height * POINTS_PER_INCH >= 1.3 * _TICK else {0, len(depths) - 1}
    for row in shown:
        y = panel.box.top + (row + 0.5) * panel.height
        write(figure, panel.box.left - 0.07, y, depth_label(depths[row]), ha="right", fontsize=_TICK)


def label_ends(figure: Figure, panel: Panel) -> None:
    """The shortest and the longest context below a panel too small for more."""
    labels = length_labels(panel.grid.lengths)
    for i in {0, len(labels) - 1}:
        x = panel.box.left + (i + 0.5) * panel.width
        below = panel.box.top + panel.box.height + 0.15
        style = {"ha": "center", "va": "baseline", "fontsize": _SMALL_TICK, "color": QUIET}
        write(figure, x, below, labels[i], **style)


def on_axes(grid: Grid, lengths: Sequence[int], depths: Sequence[float]) -> Grid:
    """The same grid with cells for other lengths and depths too, of which there are no trials."""
    known = {(cell.context_length, cell.depth): cell for cell in grid.cells}
    none = dict.fromkeys(OUTCOMES, 0)
    rows = tuple(
        tuple(known.get((length, depth), Cell(length, depth, None, 0, none)) for length in lengths)
        for depth in depths
    )
    return replace(grid, lengths=tuple(lengths), depths=tuple(depths), rows=rows)


def cell_count_label(grids: Sequence[Grid]) -> str:
    """How many trials stand behind each cell that has any: "n = 12 a cell", or their range."""
    counts = [cell.n for grid in grids for cell in grid.cells if cell.n]
    if not counts:
        return "n = 0"
    low, high = min(counts), max(counts)
    return f"n = {low} a cell" if low == high else f"n = {low}–{high} a cell"


def _square(panel: Panel, x: float, y: float) -> list[tuple[float, float]]:
    right, bottom = x + panel.width, y + panel.height
    return [(x, y), (right, y), (right, bottom), (x, bottom)]


def _lettered(cell: Cell, panel: Panel) -> tuple[str, str, float]:
    """What is written into a cell, in which colour and size."""
    points = min(9.0, panel.height * POINTS_PER_INCH * 0.48, panel.width * POINTS_PER_INCH / (3.3 * _EM))
    if cell.mean is not None:
        text = mean_label(cell.mean)
        return text, _ink(text), points
    if cell.hindrance is None:
        return "", INK, points
    size, room = 0.8 * points, 0.92 * panel.width
    words = (outcome_label(cell.hindrance[0]), SHORT_OUTCOMES[cell.hindrance[0]])
    text = next((word for word in words if width_of(word, size) <= room), words[-1])
    return text, INK, size * min(1.0, room / width_of(text, size))


@lru_cache(maxsize=128)
def _ink(mean: str) -> str:
    return ink_on(score_colour(float(mean)))


def _letters(canvas: Axes, text: str, ink: str, points: float, offsets: Sequence[tuple[float, float]]) -> Any:
    from matplotlib.collections import PathCollection

    return PathCollection(
        [_shape(text, round(points, 2))],
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

    outline = TextPath((0, 0), text, size=points, prop=FontProperties(family="DejaVu Sans"))
    vertices: NDArray[np.float64] = np.asarray(outline.vertices, dtype=np.float64)
    digit = 0.73 * points
    middle = np.array([width_of(text, points) * POINTS_PER_INCH / 2, digit / 2])
    return Path((vertices - middle) / POINTS_PER_INCH, outline.codes)


def _corner(panel: Panel, right: float, top: float) -> list[tuple[float, float]]:
    side = _CORNER * min(panel.width, panel.height)
    return [(right - side, top), (right, top), (right, top + side)]
