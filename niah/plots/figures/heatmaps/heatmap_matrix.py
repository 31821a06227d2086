"""All heatmaps at a glance, colours alone: strategies down, readers (or needle sets) across."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.cells import Grid
from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.heatmaps.heatmaps import HEATMAP_COLUMNS, heatmap_rows
from niah.plots.kit.labels import count_label, depth_label, length_labels, mean_of, sets_label
from niah.plots.kit.lettering import fitted
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.plots.kit.scales import names_width
from niah.plots.kit.sheet import Sheet, SheetLayout, heading_lines, new_sheet, write, write_upwards
from niah.plots.kit.theme import HATCH, MISSING, PALETTE, PAPER, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

_ACROSS = 5
_MOST_SETS = 5
_PANELS, _WIDEST, _NARROWEST = 8.6, 3.2, 1.5
_TICKS = 0.5
_WHITE = 0.5


def draw_heatmap_matrix(data: FigureData) -> Iterator[RenderedFigure]:
    """All readers side by side, five a figure; and each reader's needle sets, where there are 2 to 5."""
    grids = data.grids
    readers = sorted({grid.reader for grid in grids})
    if len(grids) > 1:
        for start in range(0, len(readers), _ACROSS):
            part = readers[start : start + _ACROSS]
            name = "heatmaps" + (f"-{start // _ACROSS + 1}" if len(readers) > _ACROSS else "")
            own = {(grid.strategy, grid.reader): grid for grid in grids if grid.reader in part}
            yield _matrix(name, "Score by context length and depth", own)
    if 1 < len({grid.needle_set for grid in data.grids_per_set}) <= _MOST_SETS:
        stems = unique_stems({reader: ("needle-sets", reader) for reader in readers})
        for reader, stem in stems.items():
            own = {
                (grid.strategy, grid.needle_set or ""): grid
                for grid in data.grids_per_set
                if grid.reader == reader
            }
            yield _matrix(stem, f"{reader}: score by needle set", own)


def _matrix(name: str, title: str, grids: Mapping[tuple[str, str], Grid]) -> RenderedFigure:
    lengths = sorted({length for grid in grids.values() for length in grid.lengths})
    depths = sorted({depth for grid in grids.values() for depth in grid.depths})
    downwards = list(dict.fromkeys(down for down, _ in grids))
    across = sorted({column for _, column in grids})
    width = min(_WIDEST, max(_NARROWEST, _PANELS / len(across)))
    names = names_width(downwards, 2.0)
    height = max(0.5, min(1.1, 0.16 * len(depths)))
    layout = SheetLayout(
        len(downwards), len(across), width, height, names + _TICKS + 0.2, 0.2, 1.05,
        heading_lines=0, ticks_everywhere=False,
    )  # fmt: skip
    every = list(grids.values())
    facts = f"{sets_label(every)} · {count_label(every)}"
    subtitle = f"mean score, depth down and context length (tokens) across · {facts}"
    note = "▨ none was scored" if any(cell.mean is None for grid in every for cell in grid.cells) else ""
    sheet = new_sheet(layout, title, subtitle, note=note, headroom=0.22 * heading_lines(across, width))
    for (down, column), grid in grids.items():
        row, place = downwards.index(down), across.index(column)
        axes = sheet.panel(row, place, "", mean_of(grid))
        mesh = _draw_colours(axes, grid, lengths, depths)
        if place == 0:
            _label_ends(axes, "y", list(map(depth_label, depths)))
        if row == len(downwards) - 1:
            _label_ends(axes, "x", length_labels(lengths))
    _name(sheet, downwards, across, names)
    sheet.add_colour_bar(mesh)
    sheet.name_x("context length (tokens)")
    caption = (
        "Every heatmap as colours alone, on one scale: yellow is 10, dark is 1. "
        "The figures of each reader have the numbers."
    )
    return RenderedFigure(name, title, caption, "Scores", sheet.figure, HEATMAP_COLUMNS, heatmap_rows(every))


def _draw_colours(axes: Axes, grid: Grid, lengths: Sequence[int], depths: Sequence[float]) -> ScalarMappable:
    """One heatmap without numbers, hatched where nothing was scored; what a colour bar needs."""
    import seaborn

    means = np.full((len(depths), len(lengths)), np.nan)
    for cell in grid.cells:
        if cell.mean is not None:
            means[depths.index(cell.depth), lengths.index(cell.context_length)] = cell.mean
    axes.patch.set(facecolor=MISSING, edgecolor=HATCH, hatch="////", linewidth=0)
    seaborn.heatmap(
        means, vmin=LOWEST, vmax=HIGHEST, cmap=PALETTE, cbar=False, linewidths=_WHITE, linecolor=PAPER,
        xticklabels=False, yticklabels=False, ax=axes,
    )  # fmt: skip
    return axes.collections[0]


def _label_ends(axes: Axes, side: Literal["x", "y"], labels: Sequence[str]) -> None:
    """The first and the last label of an axis too short for more."""
    ends = sorted({0, len(labels) - 1})
    set_ticks = axes.set_xticks if side == "x" else axes.set_yticks
    set_ticks([end + 0.5 for end in ends], [labels[end] for end in ends])
    axes.tick_params(axis=side, length=0, pad=4, labelsize=8.0, labelcolor=QUIET, labelrotation=0)


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
