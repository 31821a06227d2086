"""Lines with bands: broken where a point is not known, since what is missing is no zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.analysis.stats.bootstrap import Interval
from niah.plots.figures.charts.estimates import LEAST_CLUSTERS, Estimates
from niah.plots.kit.styles import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A single band's opacity, and that of all bands of a panel together.
_BAND, _ALL_BANDS = 0.14, 0.6
_THICK, _THIN = 2.4, 1.4
# Shares of the x axis: how far apart two lines stand, and at most all of them.
_DODGE, _WIDEST_DODGE = 0.012, 0.06


@dataclass(frozen=True)
class Line:
    """Points from left to right; None where there is none."""

    style: Style
    x: tuple[float, ...]
    points: tuple[Interval | None, ...]


def lines_of(
    styles: Iterable[Style], found: Estimates, keys: Sequence[float], x: Sequence[float]
) -> list[Line]:
    """A line for each style of whose place ``found`` knows a point.

    Args:
        styles: in the order of their places.
        found: by place and key.
        keys: from left to right, ``x`` where each stands.
    """
    known = {place for place, _ in found}
    return [
        Line(style, tuple(x), tuple(found.get((place, key)) for key in keys))
        for place, style in enumerate(styles)
        if place in known
    ]


def draw_lines(axes: Axes, lines: Sequence[Line]) -> None:
    """Draw all lines, side by side and the lower ones wider, so that each shows where they agree."""
    bounds = axes.get_ylim()
    left, right = axes.get_xlim()
    many = max(1, len(lines))
    step = (right - left) * min(_DODGE, _WIDEST_DODGE / many)
    for index, line in enumerate(lines):
        shift = step * (index - (len(lines) - 1) / 2)
        style = line.style.line | {"linewidth": _THICK - (_THICK - _THIN) * index / many, "zorder": 3 + index}
        for part in _unbroken(line):
            _draw_part(axes, part, style, shift, min(_BAND, _ALL_BANDS / many))
    axes.set_ylim(bounds)


def bounds_of(point: Interval) -> tuple[float, float]:
    """What its band reaches from and to; the mean itself where clusters are too few for a band."""
    if point.low is None or point.high is None or point.clusters < LEAST_CLUSTERS:
        return point.estimate, point.estimate
    return point.low, point.high


def value_range(points: Iterable[Interval]) -> tuple[float, float]:
    """From where to where the points and their bands value_range; at least one."""
    bounds = [bounds_of(point) for point in points]
    return min(low for low, _ in bounds), max(high for _, high in bounds)


def _unbroken(line: Line) -> Iterator[list[tuple[float, Interval]]]:
    part: list[tuple[float, Interval]] = []
    for x, point in zip(line.x, line.points, strict=True):
        if point is None:
            if part:
                yield part
            part = []
        else:
            part.append((x, point))
    if part:
        yield part


def _draw_part(
    axes: Axes, part: Sequence[tuple[float, Interval]], style: dict[str, Any], shift: float, alpha: float
) -> None:
    x = [place + shift for place, _ in part]
    axes.plot(x, [point.estimate for _, point in part], clip_on=False, **style)
    low, high = zip(*(bounds_of(point) for _, point in part), strict=True)
    colour = style["color"]
    if len(part) == 1:
        axes.vlines(x, low, high, colors=colour, linewidths=1.2, alpha=0.7, zorder=2)
    else:
        axes.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, zorder=2)
