"""Score over retrieval budgets (stronger-baselines-dos-rag, figures 1 and 3 to 6), and against money."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import cycle
from math import log2
from typing import TYPE_CHECKING

from niah.analysis.lengths import length_labels
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    bounds_of,
    interval_label,
    n_label,
    round_value,
    row_of,
)
from niah.plots.figures.charts.lines import Curve, draw_curves
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.frontier import x_prices
from niah.plots.figures.rag_papers.budget_points import (
    BudgetPanel,
    Budgets,
    Point,
    budgets,
    line_of,
    lines_in,
)
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import (
    length_place,
    lowest_score,
    lowest_share,
    name_y,
    plain,
    x_lengths,
    y_scores,
    y_shares,
)
from niah.plots.kit.sheets.key import Key
from niah.plots.kit.sheets.layout import reader_panels
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.plots.kit.styles import GREY, Style
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = (
    *("reader", "question_set", "strategy", "budget", "cost_usd", *ESTIMATE_COLUMNS),
    *("sd_of_runs", "runs", "printed_in"),
)
_MOST_BANDS = 3
# Inches: room for "100 %" and the name of the axis.
_LEFT = 0.9
_PRINTED_MARKS = ("^", "v", "P", "D", "s")
_PERCENT = (
    " A metric judged every answer, so the axis is the mean of its values in percent, as papers print it: the"
    " score of 1 to 10 in other figures is the same number, 0 % being 1 and 100 % being 10."
)
_PRINTED_LINES = {"dos": "document@100", "vanilla": "norm@100"}
"""Order and chunks of what papers print."""


def draw_score_by_budget(data: FigureData) -> Iterator[RenderedFigure]:
    """Score over the tokens that may be retrieved: a line per retriever, order and chunks."""
    if (found := budgets(data)) is None:
        return
    every = {point.budget for points in found.points.values() for point in points if point.budget}
    every |= {number.budget for own in found.printed.values() for number in own if number.budget}
    # What has no budget stands at what it sends, which the axis has to reach.
    places = sorted(every | _steps_to(_reach(found), min(every), max(every)))
    labels = dict(zip(places, length_labels(places), strict=True))
    styles = _styles(found, data)
    levels = [(spoken(name), _level_style(style)) for name, style in styles.items() if name in _levels(found)]
    spots = [(spoken(name), _spot_style(style)) for name, style in styles.items() if name in _spots(found)]
    others = {*_levels(found), *_spots(found)}
    lines = [(_line_name(name, found), style) for name, style in styles.items() if name not in others]
    key = [*lines, *spots, *levels]
    means = {(at,): point.mean for at, point in enumerate(_points(found))}
    has_bands = any(curve.has_band for own in found.points.values() for curve in _curves(own, styles))
    bands = interval_label(means, "bands", data.clusters) if has_bands else ""
    sheet, panels = _sheet(found, "Score over retrieval budgets", bands, [*key, *_printed_key(found, styles)])
    for panel, axes in panels:
        x_lengths(axes, labels, sheet.layout.width)
        draw_curves(axes, _curves(found.points[panel], styles), apart=False)
        for point in found.points[panel]:
            if point.budget:
                _whisker(axes, length_place(point.budget), point, styles[point.line])
            elif point.sent:
                place = length_place(point.sent)
                spot = _spot_style(styles[point.line]).line
                axes.plot(place, point.mean.estimate, clip_on=False, zorder=4, **{**spot, "markersize": 8})
                _whisker(axes, place, point, styles[point.line])
            else:
                level = _level_style(styles[point.strategy])
                axes.axhline(
                    point.mean.estimate, color=level.colour, linestyle=level.dash, linewidth=1.4, zorder=1.5
                )
        _draw_printed(axes, found.printed[panel], _printed_styles(found, styles))
    sheet.name_x("tokens that may be retrieved")
    yield RenderedFigure(
        "score-by-budget",
        "Score over retrieval budgets",
        "Each line is one retriever, order and way to cut, so that strategies stand beside each other at the "
        "same number of tokens in the context's place. Single marks have no budget, or sent less than half "
        "of it, and stand at the tokens that they sent on average. Dashed levels are full context, and "
        "oracle, which sends what holds the answer and nothing else. Dotted lines with hollow marks are "
        "printed." + _PERCENT * found.in_percent,
        "Cost",
        sheet.figure,
        _COLUMNS,
        tuple(_rows(found)),
    )


def draw_score_by_budget_cost(data: FigureData) -> Iterator[RenderedFigure]:
    """The same lines against what a question costs, where prices are known."""
    if (found := budgets(data)) is None:
        return
    prices = [point.cost for points in found.points.values() for point in points if point.cost]
    if not prices:
        return
    styles = _styles(found, data)
    key = [(_line_name(name, found), style) for name, style in styles.items()]
    sheet, panels = _sheet(found, "Score of retrieval budgets against cost", "", key)
    for panel, axes in panels:
        x_prices(axes, [price * 1000 for price in prices], sheet.layout.width, money=True)
        points = [point for point in found.points[panel] if point.cost]
        for _, line in lines_in(points):
            places = tuple(log2(1000 * point.cost) for point in line if point.cost)
            curve = Curve(styles[line[0].line], places, tuple(p.mean for p in line), has_band=False)
            draw_curves(axes, [curve], apart=False)
        for point in points:
            assert point.cost is not None
            _whisker(axes, log2(1000 * point.cost), point, styles[point.line])
            if not point.budget:
                mark = {**styles[point.strategy].line, "linestyle": "none", "markersize": 8}
                axes.plot(log2(1000 * point.cost), point.mean.estimate, clip_on=False, zorder=4, **mark)
    sheet.name_x("mean cost of 1,000 trials (US $)")
    yield RenderedFigure(
        "score-by-budget-cost",
        "Score of retrieval budgets against cost",
        "The lines join the budgets of one retriever, order and way to cut, the smallest on the left; single "
        "marks have no budget. Up and to the left is better.",
        "Cost",
        sheet.figure,
        _COLUMNS,
        tuple(_rows(found)),
    )


def _sheet(
    found: Budgets, title: str, bands: str, key: Key
) -> tuple[Sheet, Iterator[tuple[BudgetPanel, Axes]]]:
    """The sheet, and its panels with their y axes; x axes are still to come."""
    runs = max(point.runs for point in _points(found))
    whiskers = ""
    if runs > 1:
        spread = any(point.sd_of_runs for point in _points(found))
        of = f"standard deviation of the means of {runs} repeats"
        whiskers = f"whiskers: ± 1 {of}" if spread else f"no whiskers: the {of} is 0"
    headings = {panel: _heading(panel, found) for panel in found.points}
    layout = reader_panels(list(headings.values()), 2.8, _LEFT)
    sheet = new_sheet(layout, title, " · ".join(filter(None, (found.measured, bands, whiskers))), key)
    ends = [bound for point in _points(found) for bound in (*bounds_of(point.mean), *_sd_ends(point))]
    ends += [number.value / 100 for own in found.printed.values() for number in own]

    def panels() -> Iterator[tuple[BudgetPanel, Axes]]:
        for index, (panel, heading) in enumerate(headings.items()):
            row, column = divmod(index, layout.columns)
            own = {(point.strategy,): point.mean for point in found.points[panel]}
            axes = sheet.panel(row, column, heading, n_label(own))
            plain(axes)
            if found.in_percent:
                y_shares(axes, lowest_share(min(ends)))
            else:
                y_scores(axes, lowest_score(min(ends)))
            if column == 0:
                name_y(axes, found.measured)
            yield panel, axes

    return sheet, panels()


def _points(found: Budgets) -> list[Point]:
    return [point for points in found.points.values() for point in points]


def _heading(panel: BudgetPanel, found: Budgets) -> str:
    several = len({each.question_set for each in found.points}) > 1
    return f"{panel.reader} · {panel.question_set or 'needles'}" if several else panel.reader


def _styles(found: Budgets, data: FigureData) -> dict[str, Style]:
    """By line, and by strategy without budget: as in all figures, a line as its smallest budget."""
    least: dict[str, Style] = {}
    for point in sorted(_points(found), key=lambda point: point.budget or 0):
        least.setdefault(point.line, data.styles[point.strategy])
    return {point.line: least[point.line] for point in _points(found)}


def _line_name(line: str, found: Budgets) -> str:
    """A line in the key: with the strategies on it that go by a name that it does not tell, "... (dos)"."""
    on_it = dict.fromkeys(point.strategy for point in _points(found) if point.line == line)
    short = [name for name in on_it if name != line and "/budget-" not in name and "/" in line]
    return f"{line} ({', '.join(short)})" if short else spoken(line)


def _levels(found: Budgets) -> set[str]:
    """The strategies without a budget that send everything, or what they are told: drawn as levels."""
    return {point.strategy for point in _points(found) if not point.budget and not point.sent}


def _spots(found: Budgets) -> set[str]:
    """The other strategies without a budget, which stand at what they send."""
    return {point.strategy for point in _points(found) if point.sent}


def _reach(found: Budgets) -> tuple[int, ...]:
    """The least and the most that a strategy without a budget sends."""
    sent = [round(point.sent) for point in _points(found) if point.sent]
    return (min(sent), max(sent)) if sent else ()


def _steps_to(reach: Collection[int], least: int, most: int) -> set[int]:
    """Halves of ``least`` and doubles of ``most`` until they hold all of ``reach``."""
    steps = set()
    while most < max(reach, default=most):
        most *= 2
        steps.add(most)
    while least > 1 and min(reach, default=least) < least:
        least = least // 2
        steps.add(least)
    return steps


def _spot_style(style: Style) -> Style:
    return Style(style.colour, "", marker=style.marker or "D", filled=style.filled)


def _level_style(style: Style) -> Style:
    return Style(style.colour, "--" if style.dash == "-" else style.dash, marker="")


def _printed_styles(found: Budgets, styles: Mapping[str, Style]) -> dict[tuple[str, str], Style]:
    """By strategy and model, as printed; of what the run has as well, in the colour of its line."""
    names = dict.fromkeys(
        (each.strategy or "", each.reader or "") for own in found.printed.values() for each in own
    )
    lines = {name: name if "/budget-N/" in name else line_of(name)[0] for name in styles}
    ours = {lines[name].partition("/budget-N/")[2]: style.colour for name, style in styles.items()}
    return {
        (name, reader): Style(
            ours.get(_PRINTED_LINES.get(name, ""), GREY), (0, (1.2, 1.6)), mark, filled=False
        )
        for (name, reader), mark in zip(names, cycle(_PRINTED_MARKS), strict=False)
    }


def _printed_key(found: Budgets, styles: Mapping[str, Style]) -> Key:
    return [
        (f"{name}, {reader}, printed", style)
        for (name, reader), style in _printed_styles(found, styles).items()
    ]


def _curves(points: Sequence[Point], styles: Mapping[str, Style]) -> list[Curve]:
    """The lines; a budget that stands alone has no band, which would look like a whisker."""
    lines = list(lines_in(points))
    return [
        Curve(
            styles[name],
            tuple(length_place(point.budget or 1) for point in line),
            tuple(point.mean for point in line),
            len(line) > 1 and len(lines) <= _MOST_BANDS,
        )
        for name, line in lines
    ]


def _sd_ends(point: Point) -> tuple[float, float]:
    off = point.sd_of_runs or 0.0
    return point.mean.estimate - off, point.mean.estimate + off


def _whisker(axes: Axes, place: float, point: Point, style: Style) -> None:
    if point.sd_of_runs:
        axes.vlines(place, *_sd_ends(point), colors=style.colour, linewidths=2.0, zorder=3)


def _draw_printed(
    axes: Axes, numbers: Sequence[ReferenceNumber], styles: Mapping[tuple[str, str], Style]
) -> None:
    """Printed lines with their standard deviations; what has no budget stands at the tokens it spent."""
    for (name, reader), style in styles.items():
        own = [each for each in numbers if (each.strategy, each.reader) == (name, reader)]
        known = sorted(
            (each.budget or each.spent or 0, each.value / 100, (each.sd or 0) / 100) for each in own
        )
        left, right = axes.get_xlim()
        known = [each for each in known if left <= length_place(each[0]) <= right]
        if not known:
            continue
        places, values, sds = zip(*((length_place(at), value, sd) for at, value, sd in known), strict=True)
        axes.plot(places, values, clip_on=False, zorder=2, **style.line)
        low, high = ([v + sign * sd for v, sd in zip(values, sds, strict=True)] for sign in (-1, 1))
        axes.vlines(places, low, high, colors=style.colour, linewidths=1.0, zorder=1.8)


def _rows(found: Budgets) -> Iterator[tuple[str | float | int | None, ...]]:
    for panel, points in found.points.items():
        for point in points:
            sd = None if point.sd_of_runs is None else round_value(point.sd_of_runs)
            cost = None if point.cost is None else round_value(point.cost)
            where = (panel.reader, panel.question_set, point.strategy, point.budget, cost)
            yield (*where, *row_of(point.mean), sd, point.runs, None)
        for number in found.printed[panel]:
            sd = None if number.sd is None else round_value(number.sd / 100)
            asked = (number.reader, number.dataset, number.strategy, number.budget or number.spent)
            value = round_value(number.value / 100)
            yield (*asked, None, value, None, None, None, None, sd, None, f"{number.paper}, {number.source}")
