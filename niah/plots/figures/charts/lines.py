"""Lines with bands: broken where a point is not known, since what is missing is no zero.

matplotlib draws them, not ``seaborn.lineplot``: its intervals resample single values where ours are
of clusters, it joins points over a gap, and it cannot set one strategy's marks hollow, or lines side by side.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from niah.analysis.stats import Interval, has_bounds
from niah.plots.figures.charts.estimates import Estimates, bounds_of
from niah.plots.kit.styles import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A single band's opacity, and that of all bands of a panel together.
_BAND, _ALL_BANDS = 0.14, 0.6
_THICK, _THIN = 2.4, 1.4
# Shares of the x axis: how far apart two lines stand, and at most all of them.
_DODGE, _WIDEST_DODGE = 0.012, 0.06


@dataclass(frozen=True)
class Curve:
    """Points from left to right; None where there is none. ``has_band`` is off where only they are drawn.

    ``name`` is what the line is of.
    """

    style: Style
    x: tuple[float, ...]
    points: tuple[Interval | None, ...]
    has_band: bool = True
    name: str = ""


def curves_of(
    styles: Mapping[str, Style],
    found: Estimates,
    places: Mapping[Any, float],
    banded: Container[str] | None = None,
) -> list[Curve]:
    """A curve for each name of whose points ``found`` knows one.

    Args:
        styles: by name, in order.
        found: by name and what stands on the x axis.
        places: where each of these stands, from left to right.
        banded: the names that have a band; all without it.
    """
    known = {name for name, _ in found}
    return [
        Curve(
            style,
            tuple(places.values()),
            tuple(found.get((name, key)) for key in places),
            banded is None or name in banded,
            name,
        )
        for name, style in styles.items()
        if name in known
    ]


def draw_curves(axes: Axes, curves: Sequence[Curve], *, apart: bool = True) -> None:
    """Draw all curves, side by side and the lower ones wider, so that each shows where they agree.

    Where points stand close together, ``apart`` is off: they are drawn on each other, at their places.
    """
    bounds = axes.get_ylim()
    left, right = axes.get_xlim()
    many, bands = max(1, len(curves)), max(1, sum(curve.has_band for curve in curves))
    step = (right - left) * min(_DODGE, _WIDEST_DODGE / many) if apart else 0.0
    for index, curve in enumerate(curves):
        shift = step * (index - (len(curves) - 1) / 2)
        style = curve.style.line | {
            "linewidth": _THICK - (_THICK - _THIN) * index / many,
            "zorder": 3 + index,
        }
        for part in _unbroken(curve):
            _draw_part(axes, part, style, shift, min(_BAND, _ALL_BANDS / bands) if curve.has_band else 0.0)
    axes.set_ylim(bounds)


def _unbroken(curve: Curve) -> Iterator[list[tuple[float, Interval]]]:
    part: list[tuple[float, Interval]] = []
    for x, point in zip(curve.x, curve.points, strict=True):
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
    if alpha:
        # A band that shrank to a point of too few clusters would look like certainty.
        for known, stretch in groupby(zip(x, part, strict=True), key=lambda place: has_bounds(place[1][1])):
            if known:
                _draw_band(
                    axes, [(at, bounds_of(point)) for at, (_, point) in stretch], style["color"], alpha
                )


def _draw_band(
    axes: Axes, points: Sequence[tuple[float, tuple[float, float]]], colour: str, alpha: float
) -> None:
    x = [at for at, _ in points]
    low, high = zip(*(bounds for _, bounds in points), strict=True)
    if len(points) == 1:
        axes.vlines(x, low, high, colors=colour, linewidths=1.2, alpha=0.7, zorder=2)
    else:
        axes.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, zorder=2)
