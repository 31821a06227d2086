"""What the paper draws instead of intervals: a mean and one standard deviation to either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from niah.analysis.frame import row_groups
from niah.plots.figures.charts.estimates import round_value
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.styles import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray
    from pandas import DataFrame

GROUP = "As in u-niah"
"""The chapter of the report."""

SPREAD_COLUMNS = ("mean", "sd", "n")

_BAND = 0.14


class Spread(NamedTuple):
    """A mean, the sample standard deviation (None of a single value), and of how many values."""

    mean: float
    sd: float | None
    n: int

    @property
    def ends(self) -> tuple[float, float]:
        """One deviation to either side."""
        sd = self.sd or 0.0
        return self.mean - sd, self.mean + sd

    @property
    def row(self) -> tuple[float | int | None, ...]:
        """As tables hold it, see ``SPREAD_COLUMNS``."""
        return round_value(self.mean), None if self.sd is None else round_value(self.sd), self.n


Spreads = dict[tuple[Any, ...], Spread]
"""By the names of a group, in the order of tables."""


def score_spreads(frame: DataFrame, values: NDArray[np.float64], *by: str) -> Spreads:
    """Of ``values``, shape (n,), in each group of trials alike in ``by``; NaN values are left out."""
    found: Spreads = {}
    for names, rows in row_groups(frame, *by, rows=np.flatnonzero(~np.isnan(values))):
        own = values[rows]
        found[names] = Spread(float(own.mean()), float(own.std(ddof=1)) if len(own) > 1 else None, len(own))
    return found


def draw_spread(
    axes: Axes,
    style: Style,
    points: Mapping[int, Spread],
    places: Mapping[int, float],
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> None:
    """A line over lengths with its band; the band ends at ``bounds``."""
    known = [(place, points[length]) for length, place in places.items() if length in points]
    x = [place for place, _ in known]
    ends = np.clip([point.ends for _, point in known], *bounds)
    axes.fill_between(x, ends[:, 0], ends[:, 1], color=style.colour, alpha=_BAND, linewidth=0, zorder=2)
    axes.plot(x, [point.mean for _, point in known], zorder=3, clip_on=False, **style.line)


def readers_by_size(data: FigureData, names: Sequence[str]) -> list[str]:
    """Those that think last; of either kind the smaller first, and those of no known size by name."""

    def place(name: str) -> tuple[bool, float, str]:
        size, thinks = _traits(data, name)
        return thinks, np.inf if np.isnan(size) else size, name

    return sorted(names, key=place)


def reader_label(data: FigureData, name: str) -> str:
    """A reader as panels name it: "name (72B)", "name (reasoning)"."""
    size, thinks = _traits(data, name)
    facts = [*([f"{size:g}B"] if not np.isnan(size) else []), *(["reasoning"] if thinks else [])]
    return f"{name} ({', '.join(facts)})" if facts else name


def _traits(data: FigureData, name: str) -> tuple[float, bool]:
    """A reader's size, NaN where nobody said, and whether it thinks."""
    place = int((data.frame["reader"] == name).to_numpy().argmax())
    sizes, thinks = data.frame["reader_size"].to_numpy(), data.frame["reasoning"].to_numpy()
    return float(sizes[place]), bool(thinks[place])
