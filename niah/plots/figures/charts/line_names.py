"""Lines called by their names where they end, in place of a key, as far as there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.plots.figures.charts.lines import Curve
from niah.plots.kit.lettering import width_of
from niah.plots.kit.page import page
from niah.plots.kit.sheets.layout import SheetLayout
from niah.plots.kit.styles import Style
from niah.plots.kit.theme import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_POINTS, _LEADING = 8.5, 0.148
# Inches: from the panel to the names, with a line of the curve's colour across; beyond them.
_LEADER, _MARGIN = 0.16, 0.06
_MOST_NAMES = 5
_WIDEST_NAME, _LEAST_PANEL, _WIDEST_FIGURE = 1.6, 2.3, 12.9


@dataclass(frozen=True)
class LineEnd:
    """Where a line ends, at ``x`` and ``y`` of its axes, how it looks and what it is called.

    ``is_last`` is off where it ends before the others do: nothing is drawn from there on.
    """

    x: float
    y: float
    style: Style
    name: str
    is_last: bool = True


def with_room_for_names(layout: SheetLayout, names: Sequence[str]) -> SheetLayout | None:
    """The layout with room for these names right of every panel; None where a key does better.

    That is where a name is long, where lines are more than five or one alone, and where panels would become
    too narrow.
    """
    widest = max((width_of(name, _POINTS) for name in names), default=0.0)
    if not 1 < len(names) <= _MOST_NAMES or widest > _WIDEST_NAME:
        return None
    room = _LEADER + widest + _MARGIN
    wide = replace(layout, gap=max(layout.gap, layout.gap - 0.25 + room), right=max(layout.right, room))
    most = page().width or _WIDEST_FIGURE
    width = min(layout.width, (most - wide.left - wide.right + wide.gap) / wide.columns - wide.gap)
    return replace(wide, width=width) if width >= _LEAST_PANEL else None


def line_ends(curves: Iterable[Curve], called: Callable[[str], str]) -> list[LineEnd]:
    """Where curves end, each ``called`` by its name."""
    return [
        LineEnd(*known[-1], curve.style, called(curve.name), known[-1][0] == curve.x[-1])
        for curve in curves
        if (known := [(x, one.estimate) for x, one in zip(curve.x, curve.points, strict=True) if one])
    ]


def name_lines(axes: Axes, ends: Sequence[LineEnd], width: float, height: float) -> None:
    """Write the names right of a panel of so many inches, moved apart where they would touch."""
    from matplotlib.collections import LineCollection

    if not ends:
        return
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    across, up = (right - left) / width, (high - low) / height
    rising = sorted(ends, key=lambda end: end.y)
    places = spread_apart(np.array([(end.y - low) / up for end in rising]), _LEADING, height)
    at = right + _LEADER * across
    leaders = []
    for end, place in zip(rising, (low + places * up).tolist(), strict=True):
        # Drawn on from where a line ends early, a leader would look like scores that nobody has.
        start = (end.x, end.y) if end.is_last else (right + 0.03 * across, place)
        leaders.append([start, (at - 0.03 * across, place)])
        axes.text(at, place, end.name, fontsize=_POINTS, color=INK, va="center_baseline")
    look: dict[str, Any] = {
        "linewidths": 0.9,
        "alpha": 0.75,
        "clip_on": False,
        "zorder": 1.6,
        "gid": "leaders",
    }
    colours, dashes = [end.style.colour for end in rising], [end.style.dash for end in rising]
    axes.add_collection(LineCollection(leaders, colors=colours, linestyles=dashes, **look), autolim=False)


def spread_apart(places: NDArray[np.float64], apart: float, most: float) -> NDArray[np.float64]:
    """Places near these, rising, at least so far apart, between 0 and ``most`` where there is room.

    The nearest by least squares: an isotonic regression of what is left when the distances are taken off.
    """
    from scipy.optimize import isotonic_regression

    steps = apart * np.arange(len(places))
    rest = isotonic_regression(places - steps).x
    return np.asarray(np.clip(rest, 0, max(0.0, most - steps[-1])) + steps, dtype=np.float64)
