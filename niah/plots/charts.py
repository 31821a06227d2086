"""The four kinds of charts: heatmaps, lines with bands, shares, points with whiskers and a front."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter
from pandas import DataFrame

from niah.plots.figures import Kind
from niah.plots.labels import amount_label, mean_label, signed
from niah.plots.theme import AREA, CATEGORIES, GREY, HATCH, INK, MISSING, PAGE, SCORES, Look, ink_on

_ACROSS = 4  # panels side by side at most
_LETTER, _WIDEST_TITLE = 0.075, 3.2  # inches of a letter; what a title may widen its panel to
_BANDS = 3  # of more lines than that, bands would lie upon each other; the CSV has every interval
_MOST_NUMBERS = 600  # cells that have their number in them: more take seconds, and the CSV has them
_FLOOR: Mapping[str, Any] = {"color": GREY, "lw": 0.9, "ms": 12, "label": "a guesser"}
_AS_IT_SHOULD_BE = ("correct", "both")  # pale parts of a bar


@dataclass(frozen=True)
class Axis:
    """How an axis reads: its name with the unit, labels by value, whether it is logarithmic, its ends."""

    name: str = ""
    ticks: Mapping[Any, str] = field(default_factory=dict)
    log: bool = False
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Chart:
    """How numbers are drawn."""

    kind: Kind
    title: str
    x: Axis = Axis()  # across; of shares that of the numbers
    y: Axis = Axis()
    colours: Axis = Axis()  # of a heatmap's cells
    styles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of matplotlib, by series
    names: Callable[[str], str] = str  # what the key calls a series
    kinds: Mapping[str, str] = field(default_factory=dict)  # of shares, the names of parts in order


def draw(numbers: DataFrame, chart: Chart, look: Look = PAGE) -> Figure:
    """A panel for each name in the column ``panel``, in their order; call it inside ``themed``.

    Columns: ``mean``, ``low`` and ``high`` (NaN without an interval), ``n``; ``series`` (a line, a colour);
    ``x``; ``y``, the row of a heatmap; of heatmaps ``text``, why a cell has no mean; of differences
    ``framed``, ``at_end``; of shares ``kind`` and ``share``; of points ``on_front``, and ``family``, which a
    dotted line joins; maybe ``floor``.
    """
    panels = dict(list(numbers.groupby("panel", sort=False, observed=True)))
    larger = look.points / PAGE.points
    if chart.kind == "heatmaps":
        width, height = max(1.7, 0.42 * numbers["x"].nunique() + 0.5), max(0.8, 0.3 * numbers["y"].nunique())
    elif chart.kind == "shares":
        bars = numbers.groupby("panel", observed=True)["series"].nunique().max()
        width, height = 3.4, 0.32 * bars + 0.2
    else:
        width, height = (2.6, 1.9) if chart.kind == "lines" else (3.4, 2.4)
    width, height = larger * width, larger * height
    if len(panels) == 1:  # with room for its title and key
        width, height = 1.8 * width, 1.25 * height
    letter = larger * _LETTER
    width = max(width, min(letter * max(len(str(name)) for name in panels), _WIDEST_TITLE))
    down = ceil(len(panels) / min(_ACROSS, max(1, int((look.inches or 12.0) / width))))
    across = ceil(len(panels) / down)  # rows of about as many panels
    size = (look.inches or across * width + 1.0, down * (height + 0.5) + 0.9)
    drawing = Figure(figsize=size, layout="constrained")
    if look.titled:
        drawing.suptitle(chart.title, x=0.01, ha="left", weight="bold", wrap=True)
    every = list(drawing.subplots(down, across, squeeze=False, sharey=chart.kind == "lines").flat)
    for axes in every[len(panels) :]:
        axes.remove()
    paint = {"heatmaps": _heatmap, "lines": _lines, "shares": _shares, "points": _points}
    for axes, (panel, own) in zip(every, panels.items(), strict=False):
        room = size[0] - (1.2 if chart.kind == "heatmaps" else 0.6)  # which have a bar of colours as well
        title = [textwrap.fill(str(panel), max(12, int(room / across / letter)))]
        if chart.kind in ("heatmaps", "lines"):
            title.append(f"n = {int(own['n'].sum()):,}")
        axes.set_title("\n".join(filter(None, title)), loc="left")
        paint[chart.kind](axes, own, chart, numbers)
    _name_axes(drawing, chart, numbers)
    if chart.kind == "heatmaps":
        bar = drawing.colorbar(_shades(chart), ax=drawing.axes, aspect=30, fraction=0.025, pad=0.01)
        bar.outline.set_visible(False)
        bar.set_label(chart.colours.name)
    else:
        _key(drawing)
    if chart.kind == "shares" and (layout := drawing.get_layout_engine()):
        layout.execute(drawing)
        for axes in drawing.axes:  # a part narrower than its label has none
            for part, text in zip(axes.patches, axes.texts, strict=True):
                text.set_visible(text.get_window_extent().width < part.get_window_extent().width)
    return drawing


def _shades(chart: Chart) -> Any:
    """The colours of a heatmap's values; differences go from red to blue by way of white."""
    low, high = chart.colours.ends or (0, 1)
    return ScalarMappable(Normalize(low, high), "RdBu" if low < 0 else SCORES)


def _heatmap(axes: Axes, own: DataFrame, chart: Chart, numbers: DataFrame) -> None:
    """Cells on one scale; one without a number is hatched and says why."""
    grid = own.pivot(index="y", columns="x", values="mean")
    colours = _shades(chart)
    axes.patch.set(facecolor=MISSING, edgecolor=HATCH, hatch="////", linewidth=0)
    shades = np.ma.masked_invalid(grid.to_numpy(dtype=float))
    axes.pcolormesh(shades, cmap=colours.cmap, norm=colours.norm, edgecolors="#ffffff", linewidth=0.6)
    across, down = list(grid.columns), list(grid.index)
    labels = [str(chart.x.ticks.get(at, at)) for at in across]
    slant: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(np.arange(len(across)) + 0.5, labels, **(slant if max(map(len, labels)) > 6 else {}))
    axes.set_yticks(np.arange(len(down)) + 0.5, [chart.y.ticks.get(at, at) for at in down])
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    has_signs = "framed" in own
    if len(numbers) > _MOST_NUMBERS and not has_signs:
        return
    cells: Any = own.itertuples()
    for cell in cells:
        place = across.index(cell.x) + 0.5, down.index(cell.y) + 0.5
        if np.isnan(cell.mean):
            text, ink, size = cell.text, INK, "x-small"
        else:
            text = signed(cell.mean) if has_signs else mean_label(cell.mean)
            ink, size = ink_on(colours.to_rgba(cell.mean)), "small"
        axes.text(*place, text, color=ink, size=size, ha="center", va="center", in_layout=False)
        if has_signs and cell.at_end and cell.n:  # hatched is what has no number
            dots: dict[str, Any] = {"fill": False, "lw": 0, "ec": GREY, "hatch": ".."}
            axes.add_patch(Rectangle((place[0] - 0.5, place[1] - 0.5), 1, 1, **dots))
        if has_signs and cell.framed:
            corner = place[0] - 0.46, place[1] - 0.44
            axes.add_patch(Rectangle(corner, 0.92, 0.88, fill=False, ec=INK, lw=1.6))


def _lines(axes: Axes, own: DataFrame, chart: Chart, numbers: DataFrame) -> None:
    """A line a series, with 95 % bands where few enough lines would not hide each other."""
    present = own["series"].unique()
    for series in present:
        line = own[(own["series"] == series) & own["mean"].notna()].sort_values("x")
        axes.plot(line["x"], line["mean"], label=chart.names(series), **chart.styles[series], zorder=3)
        if len(present) <= _BANDS:
            colour = chart.styles[series]["color"]
            axes.fill_between(line["x"], line["low"], line["high"], color=colour, alpha=0.13, lw=0)
    if "floor" in own:
        floors = own.groupby("x")["floor"].mean()
        axes.plot(floors.index, floors, **_FLOOR, ls="-.")
    if chart.y.ends is None:
        axes.axhline(0, color=GREY, lw=0.9)
    _scale(axes, chart, numbers)


def _shares(axes: Axes, own: DataFrame, chart: Chart, numbers: DataFrame) -> None:
    """A bar a series, cut by kind; ``n`` counts what the whole bar is of."""
    wrong = (kind for kind in chart.kinds if kind not in _AS_IT_SHOULD_BE)
    colours = dict(zip(wrong, CATEGORIES, strict=False))
    table = own.pivot(index="series", columns="kind", values="share").loc[own["series"].unique()[::-1]]
    counts = own.groupby("series")["n"].first()
    labels = [f"{chart.names(series)}  n {int(counts[series]):,}" for series in table.index]
    left = np.zeros(len(table))
    for kind in (kind for kind in chart.kinds if kind in table):
        width = table[kind].fillna(0).to_numpy()
        colour, ink = (colours[kind], "#ffffff") if kind in colours else (AREA, INK)
        bars = axes.barh(labels, width, left=left, color=colour, label=chart.kinds[kind], height=0.72)
        texts = [f"{share:.0%}" for share in width]
        axes.bar_label(bars, texts, label_type="center", color=ink, size="x-small")
        left += width
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.tick_params(length=0)


def _points(axes: Axes, own: DataFrame, chart: Chart, numbers: DataFrame) -> None:
    """A point a series at (``x``, mean) with whiskers; a stepped line joins those that no other beats."""
    own = own.sort_values("x")
    front = own[own["on_front"]]
    axes.step(front["x"], front["mean"], where="post", color="#8c959f", lw=1.2, zorder=1)
    for _, joined in own.groupby("family"):
        if len(joined) > 1:
            colour = chart.styles[joined["series"].iloc[0]]["color"]
            axes.plot(joined["x"], joined["mean"], color=colour, lw=1.0, ls=":")
    for series, point in own.groupby("series", sort=False):
        style = {**chart.styles[str(series)], "linestyle": "none", "label": chart.names(str(series))}
        ends = np.array([point["mean"] - point["low"], point["high"] - point["mean"]], dtype=float)
        axes.errorbar(point["x"], point["mean"], ends.clip(0), zorder=3, elinewidth=1.1, **style)
    if "floor" in own:
        axes.axhline(own["floor"].mean(), **_FLOOR, ls="-.")
    _scale(axes, chart, numbers)


def _scale(axes: Axes, chart: Chart, numbers: DataFrame) -> None:
    axes.grid(axis="y")
    if chart.x.log:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: amount_label(value)))
    elif (numbers["x"] % 1 == 0).all():  # counts
        axes.locator_params("x", integer=True)
    if ticks := list(chart.x.ticks.items())[:: ceil(len(chart.x.ticks) / 8) or 1]:
        axes.set_xticks([at for at, _ in ticks], [label for _, label in ticks])
    if chart.y.ends:  # what holds every number and interval, with room for whole marks
        least, most = chart.y.ends
        step = (most - least) / 9
        lowest = float(np.nanmin(numbers.reindex(columns=["mean", "low", "floor"]).to_numpy(dtype=float)))
        start = max(least, least + step * np.floor((lowest - least) / step - 0.2))
        axes.set_ylim(start - 0.27 * step, most + 0.27 * step)


def _name_axes(drawing: Figure, chart: Chart, numbers: DataFrame) -> None:
    """Names, and labels that all panels share, below the lowest panel of each column and left of each row."""
    placed: list[tuple[Axes, Any]] = [(axes, axes.get_subplotspec()) for axes in drawing.axes]
    shared = {
        name: (numbers.groupby("panel", observed=True)[name].nunique() == numbers[name].nunique()).all()
        for name in ("x", "y")
        if name in numbers
    }
    for axes, place in placed:
        rows = [other.rowspan.start for _, other in placed if other.colspan.start == place.colspan.start]
        lowest, leftmost = place.rowspan.start == max(rows), place.colspan.start == 0
        axes.set_xlabel(chart.x.name if lowest else "")
        axes.set_ylabel(textwrap.fill(chart.y.name, 24) if leftmost else "")
        if shared.get("x") and not lowest:
            axes.tick_params(axis="x", labelbottom=False)
        if shared.get("y") and not leftmost:
            axes.tick_params(axis="y", labelleft=False)


def _key(drawing: Figure) -> None:
    """Each series once, below the panels."""
    found: dict[str, Any] = {}
    for axes in drawing.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    widest = max(map(len, found), default=1)
    columns = max(1, min(4, int(drawing.get_size_inches()[0] * 12 / (widest + 6))))
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "fontsize": "small"}
    drawing.legend(found.values(), found.keys(), **place)
