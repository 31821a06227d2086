"""Places on a figure in inches from its upper left corner, and what is put there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.plots.kit.theme import INK, POINTS_PER_INCH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Box:
    """A rectangle in inches; ``left`` and ``top`` are the distances from the figure's upper left corner."""

    left: float
    top: float
    width: float
    height: float


def add_axes(figure: Figure, box: Box) -> Axes:
    """Axes that fill ``box``."""
    from niah.plots.kit.light_axes import LightAxes  # it imports matplotlib

    width, height = figure.get_size_inches()
    bottom = height - box.top - box.height
    place = (box.left / width, bottom / height, box.width / width, box.height / height)
    return figure.add_axes(place, axes_class=LightAxes)


def write(figure: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Text at ``left``, its middle at ``top``, in inches from the upper left corner."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, text, **{"va": "center", "ha": "left", "color": INK} | style)


def write_upwards(
    figure: Figure, left: float, base: float, text: str, *, fontsize: float, **style: Any
) -> None:
    """Lines of text of which the last one stands on ``base``."""
    for index, line in enumerate(reversed(text.split("\n"))):
        top = base - index * fontsize * 1.2 / POINTS_PER_INCH
        write(figure, left, top, line, fontsize=fontsize, va="baseline", **style)
