"""Places on a figure in inches, what is written there, and the colour bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.judges.verdict import HIGHEST, LOWEST, SCORES
from niah.plots.kit.theme import INK, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

# Inches.
_BAR_GAP, _BAR_WIDTH, _BAR_LONGEST = 0.18, 0.14, 3.6
_BAR_WITH_TICKS = 0.9


@dataclass(frozen=True)
class Box:
    """A rectangle in inches; ``left`` and ``top`` are the distances from the figure's upper left corner."""

    left: float
    top: float
    width: float
    height: float


def add_axes(figure: Figure, box: Box) -> Axes:
    """Axes that fill ``box``."""
    width, height = figure.get_size_inches()
    bottom = height - box.top - box.height
    return figure.add_axes((box.left / width, bottom / height, box.width / width, box.height / height))


def write(figure: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Text at ``left``, its middle at ``top``, in inches from the upper left corner."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, text, **{"va": "center", "ha": "left", "color": INK} | style)


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
