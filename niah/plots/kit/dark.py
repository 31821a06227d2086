"""Figures on dark paper: the same drawing in other colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from niah.plots.kit.theme import INK, ON_BRIGHT, PAPER, ink_on

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

ON_DARK_PAPER: Mapping[str, str] = {
    "#ffffff": "#14171a",
    "#000000": "#ffffff",
    "#1f2328": "#e4e7ea",
    "#656d76": "#9aa4ae",
    "#767676": "#9d9d9d",
    "#4d4d4d": "#a6a6a6",
    "#e3e6e8": "#2c3238",
    "#ececec": "#22262a",
    "#eef0f2": "#22262a",
    "#c4c4c4": "#4a5158",
    "#dfe3e6": "#3b4248",
    "#d0d4d8": "#4a5158",
    "#0072b2": "#4aa5e0",
    "#882255": "#d0668f",
    "#86862d": "#b5b552",
}
"""Colours of figures on white, and what takes their place on dark paper, and on a dark page; others stay."""


def ink_on_either(colour: str) -> str:
    """What stands out on an area of this colour, on white paper and, both turned, on dark paper.

    Args:
        colour: "#rrggbb".
    """
    from matplotlib.colors import to_rgba

    here, there = (ink_on(to_rgba(each)) for each in (colour, ON_DARK_PAPER.get(colour, colour)))
    if here == there:
        return here
    return INK if here == ON_BRIGHT else PAPER


def darken(figure: Figure) -> None:
    """Give everything in the figure its colour on dark paper."""
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    for artist in figure.findobj():
        if isinstance(artist, Text):
            artist.set_color(_turned(artist.get_color())[0])
        elif isinstance(artist, Line2D):
            artist.set_color(_turned(artist.get_color())[0])
            artist.set_markerfacecolor(_turned(artist.get_markerfacecolor())[0])
            artist.set_markeredgecolor(_turned(artist.get_markeredgecolor())[0])
        elif isinstance(artist, Patch):
            artist.set_edgecolor(_turned(artist.get_edgecolor())[0])
            artist.set_facecolor(_turned(artist.get_facecolor())[0])
        elif isinstance(artist, Collection) and artist.get_array() is None:
            artist.set_edgecolor(_turned(artist.get_edgecolor()))
            artist.set_facecolor(_turned(artist.get_facecolor()))


def _turned(colours: ArrayLike) -> NDArray[np.float64]:
    """Colours, one or several, as red, green, blue and opacity, shape (n, 4), each as it is on dark paper."""
    from matplotlib.colors import to_hex, to_rgba, to_rgba_array

    rows = to_rgba_array(colours)
    for row in rows:
        if dark := ON_DARK_PAPER.get(to_hex(row[:3])):
            row[:3] = to_rgba(dark)[:3]
    return np.asarray(rows, dtype=np.float64)
