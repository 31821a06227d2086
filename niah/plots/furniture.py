"""What stands around the panels of a figure: title, colour bar, note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.analysis.cells import Grid
from niah.plots.labels import mean_label
from niah.plots.theme import HIGHEST, INK, LOWEST, POINTS_PER_INCH, QUIET, SCORES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

# Inches.
LEFT, TOP = 0.85, 0.85
_RIGHT, _BOTTOM = 1.05, 0.62
_NOTE_HEIGHT = 0.24
_TITLE_Y, _SUBTITLE_Y = 0.32, 0.6
_BAR_GAP, _BAR_WIDTH, _BAR_LONGEST = 0.18, 0.14, 3.6
_BAR_WITH_TICKS = 0.9

_TITLE, _SUBTITLE, _SMALL = 13.0, 9.0, 7.5
_EM, _BOLD_EM = 0.6, 0.69
_LISTED_SETS = 3


@dataclass(frozen=True)
class Box:
    """A rectangle in inches; ``left`` and ``top`` are the distances from the figure's upper left corner."""

    left: float
    top: float
    width: float
    height: float


def new_figure(panels: Box, note: str) -> Figure:
    """An empty figure with room around ``panels`` for all furniture, and for the note below."""
    from matplotlib.figure import Figure

    height = panels.top + panels.height + _BOTTOM + (_NOTE_HEIGHT if note else 0)
    return Figure(figsize=(panels.left + panels.width + _RIGHT, height))


def add_axes(figure: Figure, box: Box) -> Axes:
    """Axes that fill ``box``."""
    width, height = figure.get_size_inches()
    bottom = height - box.top - box.height
    return figure.add_axes((box.left / width, bottom / height, box.width / width, box.height / height))


def write(figure: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Text at ``left``, its middle at ``top``, in inches from the upper left corner."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, text, **{"va": "center", "ha": "left", "color": INK} | style)


def fitting(text: str, points: float, inches: float, *, bold: bool = False) -> float:
    """The type size, ``points`` at most, at which one line of ``text`` is no wider than ``inches``."""
    return min(points, inches * POINTS_PER_INCH / (max(1, len(text)) * (_BOLD_EM if bold else _EM)))


def add_titles(figure: Figure, panels: Box, title: str, subtitle: str) -> None:
    """The two lines on top."""
    room = panels.width + _RIGHT - 0.1
    size = fitting(title, _TITLE, room, bold=True)
    write(figure, panels.left, _TITLE_Y, title, fontsize=size, fontweight="bold")
    write(
        figure, panels.left, _SUBTITLE_Y, subtitle, fontsize=fitting(subtitle, _SUBTITLE, room), color=QUIET
    )


def add_colour_bar(figure: Figure, panels: Box, mesh: ScalarMappable) -> None:
    """One colour bar, right of the panels and level with their top."""
    height = min(panels.height, _BAR_LONGEST)
    axes = add_axes(figure, Box(panels.left + panels.width + _BAR_GAP, panels.top, _BAR_WIDTH, height))
    axes.set_gid("colour-bar")
    ticks = SCORES if height >= _BAR_WITH_TICKS else (LOWEST, HIGHEST)
    bar = figure.colorbar(mesh, cax=axes, ticks=ticks)
    bar.ax.set_ylim(LOWEST, HIGHEST)
    bar.ax.tick_params(length=0, pad=4, labelsize=8.5)
    bar.outline.set_visible(False)
    bar.set_label("mean score", color=QUIET, labelpad=6)


def add_note(figure: Figure, panels: Box, note: str) -> None:
    """Small print below the panels; "" for none."""
    top = panels.top + panels.height + _BOTTOM + _NOTE_HEIGHT * 0.4
    size = fitting(note, _SMALL, panels.width + _RIGHT - 0.1)
    write(figure, panels.left, top, note, fontsize=size, color=QUIET)


def note_on(grids: Sequence[Grid]) -> str:
    """What the marks in these grids mean; "" where there are none."""
    every = [cell for grid in grids for cell in grid.cells]
    marks = []
    if any(cell.partial for cell in every):
        marks.append("◥ some trials were not scored")
    if any(cell.mean is None for cell in every):
        marks.append("▨ none was scored, and why")
    return "      ".join(marks)


def count_label(grids: Sequence[Grid]) -> str:
    """How many trials stand behind the numbers: "n = 118 of 120 trials"."""
    n, trials = sum(grid.n for grid in grids), sum(grid.trials for grid in grids)
    return f"n = {n:,} trials" if n == trials else f"n = {n:,} of {trials:,} trials"


def sets_label(grids: Sequence[Grid]) -> str:
    """The needle sets by name, or how many where there are many."""
    names = sorted({name for grid in grids for name in grid.needle_sets})
    if len(names) > _LISTED_SETS:
        return f"{len(names)} needle sets"
    return f"needle set{'s' if len(names) > 1 else ''} {', '.join(names)}"


def mean_of(grid: Grid) -> str:
    """The grid's mean score, or "no score"."""
    return "no score" if grid.mean is None else f"mean {mean_label(grid.mean)}"
