"""The five kinds of charts: heatmaps, lines with bands, shares, dots with whiskers, points with a front.

Each takes a frame of what is drawn and gives a matplotlib figure; call them inside ``themed``. Columns of the
frame: ``panel``; ``series`` (a line, a colour); ``x``, ``y`` where there are two axes; ``mean``, ``low``,
``high`` (NaN without an interval), ``n``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.plots.labels import mean_label, signed
from niah.plots.theme import AREA, CATEGORIES, HATCH, MISSING, SCORES, Look, ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

_ACROSS = 4
"""Panels side by side at most."""
_LETTER, _WIDEST_TITLE = 0.075, 3.2
"""Inches of a letter in a panel's title; what a title may widen its panel to, before it is broken."""
_BANDS = 3
"""Of more lines than that, bands would lie upon each other; the CSV has every interval."""
_MOST_NUMBERS = 600
"""Cells of a figure that have their number in them; more take seconds to draw, and the CSV has them."""
_PALE = ("correct", "scored", "both")
"""Parts of a bar that are as they should be."""


@dataclass(frozen=True)
class Axis:
    """How an axis reads.

    Attributes:
        name: of the axis, with its unit.
        ticks: by value its label; matplotlib's own where there are none.
        log: whether equal steps are equal factors.
        ends: least and greatest value that there can be.
    """

    name: str
    ticks: Mapping[Any, str] = field(default_factory=dict)
    log: bool = False
    ends: tuple[float, float] | None = None


def heatmaps(
    numbers: DataFrame, x: Axis, y: Axis, value: Axis, title: str, look: Look, *, difference: bool = False
) -> Figure:
    """A heatmap a panel, all on one scale; a cell without a number is hatched and says why.

    Args:
        numbers: with ``x`` (columns) and ``y`` (rows); ``text`` says why a cell has no mean; ``framed`` marks
            cells.
        x, y, value: ``value.ends`` are the ends of the colours.
        title, look: of the figure.
        difference: colours go from red to blue by way of white.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    low, high = value.ends or (1, 10)
    colours = colormaps["RdBu" if difference else SCORES]
    columns, rows = numbers["x"].nunique(), numbers["y"].nunique()
    width, height = max(1.7, 0.42 * columns + 0.5), max(0.8, 0.3 * rows)
    drawing, panels = _sheet(numbers, title, look, width, height)
    for axes, panel, own in panels:
        grid = own.pivot(index="y", columns="x", values="mean")
        across, down = list(grid.columns), list(grid.index)
        scored = own["mean"].to_numpy()
        overall = (np.nansum(scored * own["n"]) / own["n"].sum()) if own["n"].sum() else np.nan
        says = "no score" if np.isnan(overall) else signed(overall) if difference else mean_label(overall)
        axes.set_title(f"{panel}\n{says} · n = {int(own['n'].sum()):,}", loc="left")
        axes.set_facecolor(MISSING)
        axes.add_patch(
            Rectangle(
                (0, 0), 1, 1, transform=axes.transAxes, hatch="////", ec=HATCH, fc=MISSING, lw=0, zorder=0
            )
        )
        shades = np.ma.masked_invalid(grid.to_numpy(dtype=float))
        axes.pcolormesh(shades, cmap=colours, vmin=low, vmax=high, edgecolors="#ffffff", linewidth=0.6)
        axes.set_xticks(np.arange(len(across)) + 0.5, [x.ticks.get(at, at) for at in across])
        axes.set_yticks(np.arange(len(down)) + 0.5, [y.ticks.get(at, at) for at in down])
        axes.invert_yaxis()
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelrotation=0)
        axes.set(xlabel="", ylabel="")
        cells: Any = own.itertuples() if len(numbers) <= _MOST_NUMBERS or difference else ()
        for cell in cells:
            column, row = across.index(cell.x) + 0.5, down.index(cell.y) + 0.5
            place: dict[str, Any] = {"ha": "center", "va": "center", "size": "small", "in_layout": False}
            if np.isnan(cell.mean):
                axes.text(
                    column, row, getattr(cell, "text", ""), color="#1f2328", **place | {"size": "x-small"}
                )
                continue
            ink = ink_on(colours((cell.mean - low) / (high - low)))
            axes.text(
                column, row, signed(cell.mean) if difference else mean_label(cell.mean), color=ink, **place
            )
            if getattr(cell, "framed", False):
                axes.add_patch(
                    Rectangle((column - 0.46, row - 0.44), 0.92, 0.88, fill=False, ec="#1f2328", lw=1.6)
                )
    _name_axes(drawing, x.name, y.name)
    bar = drawing.colorbar(
        ScalarMappable(Normalize(low, high), colours), ax=drawing.axes, aspect=30, fraction=0.025, pad=0.01
    )
    bar.outline.set_visible(False)
    bar.set_label(value.name)
    return drawing


def lines(
    numbers: DataFrame,
    x: Axis,
    y: Axis,
    styles: Mapping[str, Mapping[str, Any]],
    title: str,
    look: Look,
    names: Callable[[str], str] = str,
    mark: Mapping[str, float] | None = None,
) -> Figure:
    """A line a series over ``x``, with 95 % bands where few enough lines would not hide each other.

    Args:
        numbers: of every point.
        x, y, title, look: of the figure.
        styles: by series.
        names: what the key calls a series.
        mark: by panel, the height of a dotted line.
    """
    drawing, panels = _sheet(numbers, title, look, 2.6, 1.9)
    for axes, panel, own in panels:
        axes.set_title(f"{panel}{chr(10) if panel else ''}n = {int(own['n'].sum()):,}", loc="left")
        present = own["series"].unique()
        for series in present:
            line = own[(own["series"] == series) & own["mean"].notna()].sort_values("x")
            axes.plot(line["x"], line["mean"], label=names(series), **_points(styles[series]), zorder=3)
            if len(present) <= _BANDS:
                axes.fill_between(
                    line["x"],
                    line["low"].astype(float),
                    line["high"].astype(float),
                    color=styles[series]["color"],
                    alpha=0.13,
                    lw=0,
                )
        if mark and panel in mark:
            axes.axhline(mark[panel], color="#767676", lw=0.9, ls=":")
        if y.ends is None:
            axes.axhline(0, color="#767676", lw=0.9)
        _scale(axes, x, y, numbers)
    _name_axes(drawing, x.name, y.name)
    _key(drawing)
    return drawing


def shares(
    numbers: DataFrame,
    kinds: Sequence[str],
    title: str,
    look: Look,
    names: Callable[[str], str] = str,
    kind_names: Callable[[str], str] = str,
) -> Figure:
    """A bar a series, cut by ``kind`` into ``share`` (0 to 1); ``n`` counts what the whole bar is of.

    Args:
        numbers: with ``kind`` and ``share``.
        kinds: in the order of the bar; those of ``_PALE`` are pale.
        title, look: of the figure.
        names, kind_names: what a series and a kind are called.
    """
    from matplotlib.ticker import PercentFormatter

    colours = dict(zip((kind for kind in kinds if kind not in _PALE), CATEGORIES, strict=False))
    colours |= dict.fromkeys(_PALE, AREA)
    rows = max(numbers.groupby("panel", observed=True)["series"].nunique())
    drawing, panels = _sheet(numbers, title, look, 3.4, 0.32 * rows + 0.2)
    for axes, panel, own in panels:
        axes.set_title(panel, loc="left")
        table = own.pivot(index="series", columns="kind", values="share").reindex(
            own["series"].unique()[::-1]
        )
        counts = own.groupby("series")["n"].first()
        labels = [f"{names(series)}  n {int(counts[series]):,}" for series in table.index]
        left = np.zeros(len(table))
        for kind in (kind for kind in kinds if kind in table):
            width = table[kind].fillna(0).to_numpy()
            bars = axes.barh(
                labels, width, left=left, color=colours[kind], label=kind_names(kind), height=0.72
            )
            texts = [f"{share:.0%}" if share > 0.07 else "" for share in width]
            ink = "#1f2328" if kind in _PALE else "#ffffff"
            axes.bar_label(bars, texts, label_type="center", color=ink, size="x-small")
            left += width
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.tick_params(length=0)
    _key(drawing)
    return drawing


def dots(
    numbers: DataFrame,
    x: Axis,
    styles: Mapping[str, Mapping[str, Any]],
    title: str,
    look: Look,
    names: Callable[[str], str] = str,
) -> Figure:
    """A row for each ``y``, with a dot and its whiskers a series.

    Args:
        numbers: with ``y``, the name of the row.
        x: the axis of the numbers.
        styles, names, title, look: as for ``lines``.
    """
    rows = numbers["y"].drop_duplicates().tolist()
    drawing, panels = _sheet(numbers, title, look, 3.2, 0.36 * len(rows) + 0.3)
    for axes, panel, own in panels:
        axes.set_title(panel, loc="left")
        present = own["series"].unique()
        for at, series in enumerate(present):
            mine = own[own["series"] == series]
            offset = (at - (len(present) - 1) / 2) * min(0.16, 0.7 / len(present))
            places = [rows.index(row) + offset for row in mine["y"]]
            below, above = (
                (mine["mean"] - mine["low"]).clip(lower=0),
                (mine["high"] - mine["mean"]).clip(lower=0),
            )
            style = _points(styles[series]) | {"linestyle": "none"}
            axes.errorbar(
                mine["mean"],
                places,
                xerr=[below.astype(float), above.astype(float)],
                label=names(series),
                elinewidth=1.1,
                **style,
            )
        axes.set_yticks(range(len(rows)), [names(row) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(axis="x", lw=0.6)
        axes.tick_params(axis="y", length=0)
        if x.ends:
            axes.set_xlim(*_view(x.ends, numbers))
    _name_axes(drawing, x.name, "")
    if numbers["series"].nunique() > 1:
        _key(drawing)
    return drawing


def points(
    numbers: DataFrame,
    x: Axis,
    y: Axis,
    styles: Mapping[str, Mapping[str, Any]],
    title: str,
    look: Look,
    names: Callable[[str], str] = str,
    lines_of: Mapping[str, str] | None = None,
) -> Figure:
    """A point a series at (``x``, mean) with whiskers; a stepped line joins those that no other beats.

    Args:
        numbers: with ``x``; ``on_front`` says which points the stepped line joins.
        x, y, styles, names, title, look: as for ``lines``.
        lines_of: series of the same name are joined: one retriever at several budgets.
    """
    drawing, panels = _sheet(numbers, title, look, 3.4, 2.4)
    for axes, panel, own in panels:
        axes.set_title(panel, loc="left")
        own = own.sort_values("x")
        front = own[own["on_front"]]
        axes.step(front["x"], front["mean"], where="post", color="#8c959f", lw=1.2, zorder=1)
        for line in set((lines_of or {}).values()):
            joined = own[[(lines_of or {}).get(series) == line for series in own["series"]]]
            if len(joined) > 1:
                colour = styles[joined["series"].iloc[0]]["color"]
                axes.plot(joined["x"], joined["mean"], color=colour, lw=1.0, ls=":", zorder=2)
        each: Any = own.itertuples()
        for point in each:
            ends = [[max(0, point.mean - point.low)], [max(0, point.high - point.mean)]]
            axes.errorbar(
                [point.x],
                [point.mean],
                yerr=None if np.isnan(point.low) else ends,
                zorder=3,
                elinewidth=1.1,
                label=names(point.series),
                **_points(styles[point.series]) | {"linestyle": "none"},
            )
        _scale(axes, x, y, numbers)
    _name_axes(drawing, x.name, y.name)
    _key(drawing)
    return drawing


def _sheet(
    numbers: DataFrame, title: str, look: Look, width: float, height: float
) -> tuple[Figure, list[tuple[Axes, str, DataFrame]]]:
    """A figure with a panel for each name in ``panel``: (axes, name, its numbers), in their order."""
    from matplotlib.figure import Figure

    parts = dict(list(numbers.groupby("panel", sort=False, observed=True)))
    inches = look.inches
    if len(parts) == 1:  # with room for its title and key
        width, height = 1.8 * width, 1.25 * height
    width = max(width, min(_LETTER * max(len(str(name)) for name in parts), _WIDEST_TITLE))
    across = min(len(parts), _ACROSS, max(1, int((inches or 12.0) / width)))
    down = ceil(len(parts) / across)
    size = (inches or across * width + 1.0, down * (height + 0.5) + 0.9)
    drawing = Figure(figsize=size, layout="constrained")
    if look.titled:
        drawing.suptitle(title, x=0.01, ha="left", weight="bold", wrap=True)
    every = drawing.subplots(down, across, squeeze=False).flat
    for axes in list(every)[len(parts) :]:
        axes.remove()
    letters = max(12, int(size[0] / across / _LETTER))
    return drawing, [
        (axes, textwrap.fill(str(name), letters), own)
        for axes, (name, own) in zip(drawing.axes, parts.items(), strict=True)
    ]


def _points(style: Mapping[str, Any]) -> dict[str, Any]:
    reverse = style["linestyle"] not in ("-", "none") and style["marker"] == "o"
    edge = {"markerfacecolor": "none"} if reverse else {"markeredgecolor": "none"}
    return {"linewidth": 1.5, "markersize": 5.5, **style, **edge}


def _view(ends: tuple[float, float], numbers: DataFrame) -> tuple[float, float]:
    """The part of a scale that holds every number and interval, with room for whole marks."""
    room = 0.03 * (ends[1] - ends[0])
    lowest = float(np.nanmin(numbers[["mean", "low"]].to_numpy(dtype=float)))
    step = (ends[1] - ends[0]) / 9
    return max(ends[0], ends[0] + step * np.floor((lowest - ends[0]) / step - 0.2)) - room, ends[1] + room


def _scale(axes: Axes, x: Axis, y: Axis, numbers: DataFrame) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    from niah.plots.labels import amount_label

    axes.grid(axis="y", lw=0.6)
    axes.set_axisbelow(True)
    if x.log:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: amount_label(value)))
    if x.ticks:
        shown = list(x.ticks.items())[:: ceil(len(x.ticks) / 8)]
        axes.set_xticks([at for at, _ in shown], [label for _, label in shown])
    if y.ends:
        axes.set_ylim(*_view(y.ends, numbers))


def _name_axes(drawing: Figure, x: str, y: str) -> None:
    """Names below the lowest panel of each column, and left of each row."""
    placed: list[tuple[Axes, Any]] = [(axes, axes.get_subplotspec()) for axes in drawing.axes]
    for axes, place in placed:
        columns = [other.rowspan.start for _, other in placed if other.colspan.start == place.colspan.start]
        if place.rowspan.start == max(columns):
            axes.set_xlabel(x)
        if place.colspan.start == 0:
            axes.set_ylabel(y)


def _key(drawing: Figure) -> None:
    """Each series once, below the panels."""
    found: dict[str, Any] = {}
    for axes in drawing.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    widest = max(map(len, found), default=1)
    columns = max(1, min(4, int(drawing.get_size_inches()[0] * 12 / (widest + 6))))
    drawing.legend(
        found.values(),
        found.keys(),
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize="small",
    )
