"""MixPR's figures, drawn from retrievals: alpha, the number of sentences, time, and the router."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from statistics import fmean, median
from typing import TYPE_CHECKING

from niah.analysis.lengths import length_labels
from niah.analysis.stats import Interval
from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import Estimates, n_label, round_value
from niah.plots.figures.charts.lines import curves_of, draw_curves
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import length_place, names_width, plain, thinned, x_lengths, x_shares, y_shares
from niah.plots.kit.sheets.layout import SheetLayout, row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import plain_styles, plan_of, strategy_styles
from niah.retrieval.mixpr.router import Reach
from niah.retrieval.names import parse_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from niah.runs.retrieval import RetrievalRecord

_WIDTHS = {1: 6.0, 2: 4.2, 3: 3.2}
_NARROW = 2.6
_APART = 13.0
"""Points that labels of a setting are measured in: with more room between them than their own 9.5."""
_ABOUT: dict[Reach, str] = {"local": "single facts", "global": "the whole text"}
_RECALL = "share of needles wholly retrieved, by what the question is about"


@dataclass(frozen=True)
class SweepFigure:
    """Retrieval against one setting of MixPR.

    Attributes:
        name: of its files, and its title.
        title, caption: what it shows.
        strategies: that are compared where nobody names others, one value of the setting each.
        setting: its name on the x axis.
        value: what a strategy has of it; None for a strategy without it.
        place: where that stands on the x axis.
    """

    name: str
    title: str
    caption: str
    strategies: tuple[str, ...]
    setting: str
    value: Callable[[str], float | None]
    place: Callable[[float], float]


def _alpha(strategy: str) -> float | None:
    plan = plan_of(strategy)
    return parse_name(plan.retriever).alpha if plan else None


def _chunks(strategy: str) -> float | None:
    plan = plan_of(strategy)
    return float(plan.scope.size) if plan and plan.scope.kind == "top" else None


ALPHA = SweepFigure(
    "mixpr-alpha",
    "MixPR: alpha, by what is asked",
    "Alpha is how often the walk goes back to the question. Single facts need it; what is asked about the "
    "whole text is found without (mixture-of-pageranks, figure 3).",
    tuple(f"mixpr-alpha-{alpha:g}/top-100/document" for alpha in (0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.99)),
    "alpha",
    _alpha,
    float,
)
K = SweepFigure(
    "mixpr-k",
    "MixPR: how many sentences are retrieved",
    "More sentences hold more needles and more noise. What a reader makes of them is not in it "
    "(mixture-of-pageranks, figure 10).",
    tuple(f"mixpr/top-{k}/document" for k in (10, 20, 50, 100, 200, 500)),
    "sentences retrieved",
    _chunks,
    length_place,
)
TIME_STRATEGIES = ("mixpr", "mixpr-0.27/top-100/document", "mixpr-naive/top-100/document", "rag-sparse")


def draw_sweep(
    records: Sequence[RetrievalRecord], reaches: Mapping[str, Reach], figure: SweepFigure
) -> RenderedFigure:
    """Mean completeness over a setting: a column a length, a row each for local and global questions.

    Call it inside ``themed``.

    Args:
        records: of strategies that have the setting; at least one with needles.
        reaches: of each needle set's question.
        figure: which one.
    """
    shares: dict[tuple[Reach, int, str, float], list[float]] = {}
    for record in records:
        value, needle_set = figure.value(record.strategy), record.needle_set or ""
        if value is not None and record.completeness is not None:
            key = (reaches[needle_set], record.context_length, needle_set, value)
            shares.setdefault(key, []).append(record.completeness)
    means = {key: Interval(fmean(found), None, None, len(found), clusters=0) for key, found in shares.items()}
    rows = [reach for reach in _ABOUT if any(key[0] == reach for key in means)]
    lengths = sorted({key[1] for key in means})
    values = sorted({key[3] for key in means})
    styles = plain_styles(list(dict.fromkeys(key[2] for key in means)))
    layout = SheetLayout(len(rows), len(lengths), _WIDTHS.get(len(lengths), _NARROW), 2.1, 0.85)
    sheet = new_sheet(layout, figure.title, _RECALL, tuple(styles.items()))
    places = {value: figure.place(value) for value in values}
    for row, reach in enumerate(rows):
        for column, (length, label) in enumerate(zip(lengths, length_labels(lengths), strict=True)):
            own: Estimates = {key[2:]: point for key, point in means.items() if key[:2] == (reach, length)}
            axes = sheet.panel(row, column, f"{_ABOUT[reach]}, {label}", n_label(own, "case"))
            _x_values(axes, places, sheet.layout.width)
            y_shares(axes, labelled=column == 0)
            draw_curves(axes, curves_of(styles, own, places))
    sheet.name_x(figure.setting)
    return RenderedFigure(
        figure.name,
        figure.title,
        figure.caption,
        "Retrieval",
        sheet.figure,
        ("questions", "context_length", "needle_set", figure.setting.replace(" ", "_"), "completeness", "n"),
        tuple((*key, round_value(point.estimate), point.n) for key, point in sorted(means.items())),
    )


def draw_times(records: Sequence[RetrievalRecord]) -> RenderedFigure:
    """Median seconds of chunking, scoring and filling, over context length. Call it inside ``themed``."""
    found: dict[tuple[str, int], list[float]] = {}
    for record in records:
        found.setdefault((record.strategy, record.context_length), []).append(record.seconds)
    medians = {key: median(seconds) for key, seconds in found.items()}
    strategies = list(dict.fromkeys(record.strategy for record in records))
    lengths = sorted({length for _, length in found})
    styles = strategy_styles(strategies)
    layout = SheetLayout(1, 1, _WIDTHS[1], 3.2, 0.95, heading_lines=0)
    title = "Time to cut, score and retrieve, over context length"
    sheet = new_sheet(layout, title, "median seconds of wall time on this machine", tuple(styles.items()))
    points: Estimates = {
        key: Interval(seconds, None, None, len(found[key]), clusters=0) for key, seconds in medians.items()
    }
    axes = sheet.panel(0, 0, "", n_label(points, "case"))
    plain(axes)
    _y_seconds(axes, min(medians.values()), max(medians.values()))
    x_lengths(axes, dict(zip(lengths, length_labels(lengths), strict=True)), sheet.layout.width)
    draw_curves(axes, curves_of(styles, points, {length: length_place(length) for length in lengths}))
    sheet.name_x("context length (tokens)")
    return RenderedFigure(
        "retrieval-time",
        title,
        "What it takes from a text to the prompt's chunks, embeddings that are cached not counted again; "
        "both axes are logarithmic (mixture-of-pageranks, figure 6).",
        "Retrieval",
        sheet.figure,
        ("strategy", "context_length", "seconds", "n"),
        tuple((*key, round_value(seconds), len(found[key])) for key, seconds in medians.items()),
    )


def draw_router(rates: Mapping[str, Mapping[str, tuple[int, int]]]) -> RenderedFigure:
    """How often a router sends a question to the right expert, by kind of task. Call it inside ``themed``.

    ``rates`` are by router and kind: how many of how many questions went right.
    """
    kinds = list(dict.fromkeys(kind for by_kind in rates.values() for kind in by_kind))
    styles = plain_styles(list(rates))
    layout = replace(row_panels([""], names_width(kinds), 0.42 * len(kinds) + 0.2), heading_lines=0)
    title = "MixPR's router: questions sent to the right expert"
    sheet = new_sheet(layout, title, "share of questions, by kind of task", tuple(styles.items()))
    each = [asked for by_kind in rates.values() for _, asked in by_kind.values()]
    axes = sheet.named_rows(0, "", f"n = {min(each)} to {max(each)} questions a mark", kinds)
    x_shares(axes)
    draw_dots(
        axes,
        [
            (
                styles[router],
                [
                    Interval(by_kind[kind][0] / by_kind[kind][1], None, None, by_kind[kind][1], clusters=0)
                    if kind in by_kind
                    else None
                    for kind in kinds
                ],
            )
            for router, by_kind in rates.items()
        ],
    )
    sheet.name_x("questions sent to the right expert")
    return RenderedFigure(
        "mixpr-router",
        title,
        "A question about the whole text is for alpha 0, any other for alpha 0.6 (mixture-of-pageranks, "
        "figure 11).",
        "Retrieval",
        sheet.figure,
        ("router", "kind", "right", "asked"),
        tuple((router, kind, *found) for router, by_kind in rates.items() for kind, found in by_kind.items()),
    )


def _y_seconds(axes: Axes, low: float, high: float) -> None:
    """A y axis of seconds, with a line at each power of ten."""
    from matplotlib.ticker import NullLocator

    powers = range(floor(log10(max(low, 1e-6))), ceil(log10(max(high, 1e-6))) + 1)
    axes.set_yscale("log")
    axes.set_ylim(10.0 ** powers[0], 10.0 ** powers[-1])
    axes.set_yticks([10.0**power for power in powers], [f"{10.0**power:g} s" for power in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def _x_values(axes: Axes, places: Mapping[float, float], inches: float) -> None:
    """An x axis of a setting's values, labelled as far as there is room."""
    plain(axes)
    at = list(places.values())
    margin = (at[-1] - at[0]) * 0.04 or 0.5
    axes.set_xlim(at[0] - margin, at[-1] + margin)
    per_inch = (at[-1] - at[0] + 2 * margin) / inches
    axes.set_xticks(
        at, thinned([f"{value:g}" for value in places], [place / per_inch for place in at], _APART)
    )
