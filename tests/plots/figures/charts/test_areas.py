"""Areas of one colour are drawn together, and look as if each were drawn alone."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.image import imread

from niah.plots.figures.charts.areas import Areas
from niah.plots.kit.theme import themed

SIDE = 20
SQUARES = [[(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x in range(SIDE) for y in range(SIDE)]
SCORES = np.random.default_rng(7).choice([1.0, 3.0, 5.0, 7.0, 10.0], len(SQUARES))


def drawn(kind: type[PolyCollection], form: str, **look: Any) -> BytesIO:
    made = BytesIO()
    with themed():
        figure = Figure(figsize=(4, 4))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, SIDE)
        axes.set_ylim(0, SIDE)
        areas = kind(SQUARES, **look)
        if "facecolors" not in look:
            areas.set_array(SCORES)
        axes.add_collection(areas)
        figure.savefig(made, format=form)
    made.seek(0)
    return made


@pytest.mark.parametrize(
    "look",
    [
        {"edgecolors": "white", "linewidths": 1.0},
        {"facecolors": "#ececec", "edgecolors": "#c4c4c4", "hatch": "////", "linewidths": 0},
        {"facecolors": "none", "edgecolors": "black", "linewidths": 1.0},
    ],
)
def test_looks_as_if_each_were_drawn_alone(look: dict[str, Any]) -> None:
    ours, theirs = imread(drawn(Areas, "png", **look)), imread(drawn(PolyCollection, "png", **look))
    # Edges are drawn in another order: where they do not fill a dot, it is mixed in another way.
    assert np.abs(ours - theirs).mean() < 0.01
    assert ours.std() > 0.01


def test_a_shape_for_each_colour() -> None:
    ours, theirs = (
        drawn(kind, "svg", edgecolors="white").getvalue().count(b"<path") for kind in (Areas, PolyCollection)
    )
    assert ours < 20 < len(SQUARES) <= theirs
