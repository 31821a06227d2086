"""The key of a sheet: names with what they look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from niah.plots.kit.lettering import fitted, width_of
from niah.plots.kit.sheets.inches import Box, write
from niah.plots.kit.sheets.layout import SheetLayout
from niah.plots.kit.styles import Style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEY_LINE = 0.25
"""One row of a key."""

_KEY = 10.0
_SAMPLE, _SAMPLE_GAP, _KEY_SPACE = 0.5, 0.1, 0.3


@dataclass(frozen=True)
class Swatch:
    """A filled area's colour in a key."""

    colour: str


Key = Sequence[tuple[str, Style | Swatch]]
"""Names with what they look like."""


def key_in_empty_place(layout: SheetLayout, key: Key, top: float) -> tuple[Box, int] | None:
    """A key's first cell and its columns, where the last row has a place without a panel and it fits there.

    Args:
        top: where the first row of panels begins, in inches from above.
    """
    if not (key and layout.empty and layout.rows > 1):
        return None
    left = layout.left + (layout.columns - layout.empty) * (layout.width + layout.gap)
    columns, width = key_columns(key, layout.empty * (layout.width + layout.gap) - layout.gap)
    if ceil(len(key) / columns) * KEY_LINE > layout.height:
        return None
    return Box(left, top + layout.top + (layout.rows - 1) * layout.pitch, width, KEY_LINE), columns


def key_columns(key: Key, room: float) -> tuple[int, float]:
    """How many columns a key has, and how wide each is."""
    if not key:
        return 1, room
    widest = max(width_of(name, _KEY) for name, _ in key) + _SAMPLE + _SAMPLE_GAP + _KEY_SPACE
    fit = max(1, min(len(key), int(room / widest)))
    columns = ceil(len(key) / ceil(len(key) / fit))
    return columns, min(widest, room / columns)


def draw_key(figure: Figure, key: Key, cell: Box, columns: int) -> None:
    """Draw the key, its first entry in ``cell``."""
    for index, (name, look) in enumerate(key):
        row, column = divmod(index, columns)
        left, middle = cell.left + column * cell.width, cell.top + (row + 0.5) * cell.height
        figure.add_artist(_sample(figure, left, middle, look))
        text, size = fitted(name, _KEY, cell.width - _SAMPLE - _SAMPLE_GAP)
        write(figure, left + _SAMPLE + _SAMPLE_GAP, middle, text, fontsize=size)


def _sample(figure: Figure, left: float, middle: float, look: Style | Swatch) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    width, height = figure.get_size_inches()
    y = 1 - middle / height
    if isinstance(look, Swatch):
        size = (0.3 / width, 0.15 / height)
        corner = ((left + 0.1) / width, y - size[1] / 2)
        return Rectangle(corner, *size, facecolor=look.colour, edgecolor="none", transform=figure.transFigure)
    x = [(left + share * _SAMPLE) / width for share in (0, 0.5, 1)]
    # A mark that stands alone is as large as in the panels.
    alone = {"markersize": 8} if look.dash == "none" else {}
    return Line2D(x, [y] * 3, markevery=[1], **{**look.line, **alone})
