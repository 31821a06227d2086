"""The four kinds of charts: heatmaps, lines with bands, shares, points with whiskers and a front."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator, PercentFormatter
from matplotlib.transforms import ScaledTranslation
from pandas import DataFrame

from niah.plots.figures import Kind
from niah.plots.labels import amount_label, mean_label, signed
from niah.plots.theme import AREA, CATEGORIES, GREY, HATCH, INK, MISSING, PAGE, SCORES, Look, ink_on

_ACROSS = 3  # panels side by side at most
_WIDEST = 9.0  # inches of a figure that may choose
_LETTER, _WIDEST_TITLE = 0.075, 3.2  # inches of a letter; what a title may widen its panel to
_WIDEST_NAME = 32  # letters of a bar's name in one line
_APART = 2.0  # points between lines that coincide
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
    larger, beside = look.points / PAGE.points, 0.0
    letter = larger * _LETTER
    if chart.kind == "heatmaps":
        width, height = max(1.7, 0.42 * numbers["x"].nunique() + 0.5), max(0.8, 0.3 * numbers["y"].nunique())
    elif chart.kind == "shares":
        bars = numbers["series"].unique()
        width, height = 2.4, 0.32 * len(bars) + 0.2
        beside = letter * min(_WIDEST_NAME, max(len(chart.names(bar)) for bar in bars))
    else:
        width, height = (2.6, 1.9) if chart.kind == "lines" else (3.4, 2.4)
    width, height = larger * width, larger * height
    if len(panels) == 1:  # with room for its title and key
        width, height = 1.8 * width, 1.25 * height
    width = max(width, min(letter * max(len(str(name)) for name in panels), _WIDEST_TITLE))
    down = ceil(len(panels) / min(_ACROSS, max(1, int(((look.inches or _WIDEST) - beside) / width))))
    across = ceil(len(panels) / down)  # rows of about as many panels
    size = (look.inches or beside + across * width + 1.0, down * (height + 0.5) + 0.9)
    drawing = Figure(figsize=size, dpi=look.dpi, layout="constrained")
    if look.titled:
        drawing.suptitle(chart.title, x=0.01, ha="left", weight="bold", wrap=True)
    every = list(drawing.subplots(down, across, squeeze=False, sharey=chart.kind in ("lines", "shares")).flat)
    for axes in every[len(panels) :]:
        axes.remove()
    paint = {"heatmaps": _heatmap, "lines": _lines, "shares": _shares, "points": _points}
    for axes, own in zip(every, panels.values(), strict=False):
        paint[chart.kind](axes, own, chart, numbers)
    _name_axes(drawing, chart, numbers, int(height / letter))
    if chart.kind == "heatmaps":
        bar = drawing.colorbar(_shades(chart), ax=drawing.axes, aspect=30, fraction=0.025, pad=0.01)
        bar.outline.set_visible(False)
        bar.set_label(chart.colours.name)
    else:
        _key(drawing, int(size[0] * 14 / larger))
    if layout := drawing.get_layout_engine():
        layout.execute(drawing)
    for axes, (panel, own) in zip(every, panels.items(), strict=False):
        count = f"n = {int(own['n'].sum()):,}" if chart.kind in ("heatmaps", "lines") else ""
        room = int(axes.get_window_extent().width / drawing.dpi / letter)
        axes.set_title("\n".join(filter(None, [_folded(str(panel), room), count])), loc="left")
        if chart.kind == "shares":  # a part narrower than its label has none
            for part, text in zip(axes.patches, axes.texts, strict=False):
                text.set_visible(text.get_window_extent().width < part.get_window_extent().width)
    return drawing


def _folded(text: str, letters: int) -> str:
    """A text in lines of so many letters, which break at spaces, hyphens and slashes."""
    return textwrap.fill(text.replace("/", "/ "), max(12, letters)).replace("/ ", "/")


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
    edges = Counter[Any]()
    for cell in cells:
        left, top = across.index(cell.x), down.index(cell.y)
        if np.isnan(cell.mean):
            text, ink, size = cell.text, INK, "x-small"
        else:
            text = signed(cell.mean) if has_signs else mean_label(cell.mean)
            ink, size = ink_on(colours.to_rgba(cell.mean)), "small"
        middle: dict[str, Any] = {"color": ink, "ha": "center", "va": "center", "in_layout": False}
        is_part = not has_signs and 0 < cell.n < cell.trials
        number = axes.text(left + 0.5, top + (0.4 if is_part else 0.5), text, size=size, **middle)
        if is_part:
            axes.text(left + 0.5, top + 0.78, f"{cell.n}/{cell.trials}", size="xx-small", **middle)
        if has_signs and cell.at_end and cell.n:  # hatched is what has no number
            dots: dict[str, Any] = {"fill": False, "lw": 0, "ec": GREY, "hatch": ".."}
            axes.add_patch(Rectangle((left, top), 1, 1, **dots))
            number.set_bbox({"fc": colours.to_rgba(cell.mean), "lw": 0, "pad": 1.5})
        if has_signs and cell.framed:
            a, b, c, d = (left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)
            edges.update([(a, b), (c, d), (a, c), (b, d)])
    outline = [edge for edge, times in edges.items() if times == 1]  # one frame around neighbours
    axes.add_collection(LineCollection(outline, colors=INK, lw=1.6, clip_on=False), autolim=False)


def _lines(axes: Axes, own: DataFrame, chart: Chart, numbers: DataFrame) -> None:
    """A line a series, with 95 % bands where few enough lines would not hide each other."""
    present = own["series"].unique()
    values = own.groupby(["x", "series"])["mean"].first().unstack().round(6)
    for series in present:
        line = own[(own["series"] == series) & own["mean"].notna()].sort_values("x")
        same = values[present].eq(values[series], axis=0)  # at two places that follow: a shared piece
        alike = [*present[(same & same.shift(fill_value=len(same) == 1)).any() | (present == series)]]
        rise = _APART * ((len(alike) - 1) / 2 - alike.index(series)) / 72
        moved = axes.transData + ScaledTranslation(0, rise, axes.figure.dpi_scale_trans)
        (drawn,) = axes.plot(line["x"], line["mean"], label=chart.names(series), **chart.styles[series])
        drawn.set(transform=moved, zorder=3, clip_on=False)
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
    order = numbers["series"].unique()[::-1]
    table = own.pivot(index="series", columns="kind", values="share").reindex(order)
    counts = own.groupby("series")["n"].first().reindex(order, fill_value=0)
    labels = [_folded(chart.names(series), _WIDEST_NAME) for series in order]
    left = np.zeros(len(table))
    for kind in (kind for kind in chart.kinds if kind in table):
        width = table[kind].fillna(0).to_numpy()
        colour = colours.get(kind, AREA)
        bars = axes.barh(labels, width, left=left, color=colour, label=chart.kinds[kind], height=0.72)
        texts = [f"{share:.0%}" for share in width]
        axes.bar_label(bars, texts, label_type="center", color=ink_on(to_rgba(colour)), size="x-small")
        left += width
    for at, count in enumerate(counts):
        axes.text(1.02, at, f"n {count:,}", size="x-small", va="center")
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
        if numbers["x"].max() < 8 * numbers["x"].min():  # powers of two are too far apart
            axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    elif (numbers["x"] % 1 == 0).all():  # counts
        axes.locator_params("x", integer=True)
    if ticks := list(chart.x.ticks.items())[:: ceil(len(chart.x.ticks) / 8) or 1]:
        axes.set_xticks([at for at, _ in ticks], [label for _, label in ticks])
    known = numbers.reindex(columns=["mean", "low", "high", "floor"]).to_numpy(dtype=float)
    lowest, highest = float(np.nanmin(known)), float(np.nanmax(known))
    if chart.y.ends:  # what holds every number and interval, with room for whole marks
        least, most = chart.y.ends
        step = (most - least) / 9
        start = max(least, least + step * np.floor((lowest - least) / step - 0.2))
        axes.set_ylim(start - 0.27 * step, most + 0.27 * step)
        axes.set_yticks([tick for tick in axes.get_yticks() if start - 0.1 * step < tick < most + 0.1 * step])
    else:
        axes.set_ylim(min(-0.5, 1.1 * lowest), max(0.5, 1.1 * highest))


def _name_axes(drawing: Figure, chart: Chart, numbers: DataFrame, letters: int) -> None:
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
        axes.set_ylabel(_folded(chart.y.name, letters) if leftmost else "")
        if shared.get("x") and not lowest:
            axes.tick_params(axis="x", labelbottom=False)
        if shared.get("y") and not leftmost:
            axes.tick_params(axis="y", labelleft=False)


def _key(drawing: Figure, letters: int) -> None:
    """Each series once, below the panels, where so many letters of a key fit into a line."""
    found: dict[str, Any] = {}
    for axes in drawing.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(_folded(label, letters - 8), handle)
    widest = max((len(line) for label in found for line in label.split("\n")), default=1)
    columns = max(1, min(4, letters // (widest + 8)))
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "fontsize": "small"}
    place["handlelength"] = 3.2  # a dash, a gap and a mark
    drawing.legend(found.values(), found.keys(), **place)
