"""Stacked bars of shares, and rows of dots with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.stats import Interval
from niah.plots.figures.charts.corners import rectangle
from niah.plots.figures.charts.estimates import bounds_of
from niah.plots.kit.dark import ink_on_either
from niah.plots.kit.styles import Style
from niah.plots.kit.theme import HATCH, INK, MISSING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_WRITTEN = 0.075
_THICK = 0.72


def stack_across(axes: Axes, shares: NDArray[np.float64], colours: Sequence[str]) -> None:
    """Bars from left to right, one a row; shares of 8 % and more are written into them.

    Args:
        shares: shape (rows, colours); a row without any bar is NaN.
        colours: of the parts.
    """
    from niah.plots.figures.charts.areas import Areas

    left = np.zeros(len(shares))
    for part, colour in zip(shares.T, colours, strict=True):
        right = left + np.nan_to_num(part)
        bars = [
            rectangle(left[row], row - _THICK / 2, right[row], row + _THICK / 2)
            for row in np.flatnonzero(part > 0).tolist()
        ]
        axes.add_collection(Areas(bars, facecolors=colour, linewidths=0, zorder=2), autolim=False)
        for row in np.flatnonzero(part >= _WRITTEN).tolist():
            axes.text(
                (left[row] + right[row]) / 2, row, f"{part[row]:.0%}"[:-1], ha="center", va="center_baseline",
                fontsize=8.5, color=ink_on_either(colour), zorder=3,
            )  # fmt: skip
        left = right


def usual_count(counts: Sequence[int]) -> tuple[int, dict[int, int]]:
    """The count that most rows with any have, the higher of two alike; and the others by place."""
    usual = max(filter(None, counts), key=lambda count: (counts.count(count), count))
    return usual, {place: count for place, count in enumerate(counts) if count != usual}


def draw_dots(axes: Axes, series: Sequence[tuple[Style, Sequence[Interval | None]]]) -> None:
    """Dots with their intervals, a row per name; several series stand below each other in a row."""
    apart = min(0.24, 0.7 / len(series))
    many = [
        sum(point is not None for point in row) for row in zip(*(points for _, points in series), strict=True)
    ]
    before = [0] * len(many)
    for style, points in series:
        known = []
        for row, point in enumerate(points):
            if point is not None:
                known.append((row + apart * (before[row] - (many[row] - 1) / 2), point))
                before[row] += 1
        if not known:
            continue
        rows = [row for row, _ in known]
        bounds = [bounds_of(point) for _, point in known]
        axes.hlines(
            rows, [low for low, _ in bounds], [high for _, high in bounds],
            colors=style.colour, linewidths=1.8, alpha=0.55, zorder=2,
        )  # fmt: skip
        dots = {**style.line, "linestyle": "none", "markersize": 7}
        axes.plot([point.estimate for _, point in known], rows, zorder=3, clip_on=False, **dots)


def hatch_row(axes: Axes, row: int, why: str) -> None:
    """A row of dots in which nothing was scored, hatched as such a heatmap's cell is, and why."""
    from niah.plots.figures.charts.areas import Areas

    left, right = axes.get_xlim()
    area = rectangle(left, row - _THICK / 2, right, row + _THICK / 2)
    hatch: dict[str, Any] = {"facecolors": MISSING, "edgecolors": HATCH, "hatch": "////", "linewidths": 0}
    axes.add_collection(Areas([area], gid="missing", zorder=1.5, **hatch), autolim=False)
    plate = {"facecolor": MISSING, "edgecolor": "none", "pad": 2}
    middle = (left + right) / 2
    axes.text(
        middle, row, why, ha="center", va="center_baseline", fontsize=8.5, color=INK, zorder=3, bbox=plate
    )
