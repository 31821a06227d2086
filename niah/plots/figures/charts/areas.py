"""Thousands of filled areas, drawn as one shape for each colour: an SVG has an element for each shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.path import Path

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOGETHER = 150
"""Areas in a shape: what has more than 1,024 corners, matplotlib does not set on whole dots."""


class Areas(PolyCollection):
    """Areas that do not lie over one another; those of one colour are drawn together."""

    def draw(self, renderer: RendererBase) -> None:
        """Draw them, colour by colour."""
        self.update_scalarmappable()
        colours, paths = np.asarray(self.get_facecolor(), dtype=np.float64), self.get_paths()
        groups = list(_by_colour(colours, paths)) if len(colours) else [(colours, paths)]
        shapes = [
            (colour, Path.make_compound_path(*alike[at : at + _TOGETHER]))
            for colour, alike in groups
            for at in range(0, len(alike), _TOGETHER)
        ]
        look: dict[str, Any] = {
            "facecolors": np.vstack([colour for colour, _ in shapes]) if shapes else colours,
            "edgecolors": self.get_edgecolor(),
            "linewidths": self.get_linewidth(),
            "hatch": self.get_hatch(),
            "gid": self.get_gid(),
        }
        together = PathCollection([shape for _, shape in shapes], **look)
        together.set_transform(self.get_transform())
        together.set_clip_box(self.get_clip_box())
        if figure := self.get_figure():
            together.set_figure(figure)
        together.draw(renderer)
        self.stale = False


def _by_colour(
    colours: NDArray[np.float64], paths: Sequence[Path]
) -> Iterator[tuple[NDArray[np.float64], list[Path]]]:
    """The paths of each colour with that, shape (1, 4); one colour may be that of all."""
    each, places = np.unique(colours, axis=0, return_inverse=True)
    place_of = np.resize(places, len(paths))
    for place in range(len(each)):
        yield each[place : place + 1], [paths[at] for at in np.flatnonzero(place_of == place).tolist()]
