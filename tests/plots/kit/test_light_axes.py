"""Light axes draw what matplotlib's do, to the byte."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from niah.plots.kit.light_axes import LightAxes
from niah.plots.kit.scales import name_y, plain, x_lengths, y_scores
from niah.plots.kit.theme import themed


def lengths(axes: Axes) -> None:
    plain(axes, "both")
    x_lengths(axes, {1000: "1k", 4000: "4k", 16000: "16k"}, 4)
    y_scores(axes, 1)
    name_y(axes, "mean score")
    axes.plot([10, 12, 14], [9, 7, 2])


def far_numbers(axes: Axes) -> None:
    axes.plot([1e9, 1e9 + 1, 1e9 + 2], [1e-7, 2e-7, 3e-7])  # an offset stands beside each axis
    axes.set_xlabel("far away")


def drawn(axes_class: type[Axes], fill: Callable[[Axes], None], form: str, bounds: str | None) -> bytes:
    made = BytesIO()
    with themed():
        figure = Figure(figsize=(5, 3))
        fill(figure.add_axes((0.2, 0.2, 0.7, 0.7), axes_class=axes_class))
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(made, format=form, bbox_inches=bounds, metadata=metadata)
    return made.getvalue()


@pytest.mark.parametrize("bounds", [None, "tight"])  # a notebook asks how much room labels take
@pytest.mark.parametrize("fill", [lengths, far_numbers])
@pytest.mark.parametrize("form", ["png", "svg"])
def test_the_same_bytes(fill: Callable[[Axes], None], form: str, bounds: str | None) -> None:
    assert drawn(LightAxes, fill, form, bounds) == drawn(Axes, fill, form, bounds)
