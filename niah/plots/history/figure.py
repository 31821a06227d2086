"""A reader's trends as a figure: a panel per strategy, one axis of days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING

from niah.analysis.nights.red_nights import RedNights, red_stretches
from niah.analysis.nights.trend_tables import NO_RECORDS, night_table
from niah.analysis.nights.trends import Trend, counts
from niah.analysis.stats.interval import LEAST_CLUSTERS
from niah.plots.figures.charts.estimates import value_range
from niah.plots.figures.charts.lines import Curve, draw_curves
from niah.plots.history.trend_drawing import DrawnLevel, labelled_days, levels, stretches, styles_of
from niah.plots.kit.labels import mean_label
from niah.plots.kit.saved_figure import RenderedFigure, unique_stems
from niah.plots.kit.scales import TICK, label_x, lowest_score, plain, thinned, y_scores
from niah.plots.kit.sheets.key import Key, Swatch
from niah.plots.kit.sheets.layout import SheetLayout
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import VERMILION, Style
from niah.plots.kit.theme import INK, MISSING, PAPER, QUIET
from niah.runs.file.night_record import NightRecord
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 8.4, 1.3
_LABELS = 8
_MARKED = 40
_STEP_LABEL = 0.06
_BREAK = Style(QUIET, (0, (2, 1.6)), "none")
_CHANGE = Style(VERMILION, "-", "v")


def draw_history(
    trends: Sequence[Trend], records: Mapping[str, NightRecord] = NO_RECORDS
) -> Iterator[RenderedFigure]:
    """One figure for each run and reader with a score; ``records`` say by run which nights were worse."""
    by_reader = {key: list(own) for key, own in groupby(trends, key=lambda trend: (trend.run, trend.reader))}
    stems = unique_stems({key: key for key in by_reader})
    styles = styles_of(trends)
    for key, own in by_reader.items():
        if any(night.score for trend in own for night in trend.nights):
            yield _rendered(f"history-{stems[key]}", own, styles, records)


def _rendered(
    name: str, trends: Sequence[Trend], styles: Mapping[str, Style], records: Mapping[str, NightRecord]
) -> RenderedFigure:
    nights = [night for trend in trends for night in trend.nights]
    first, last = min(n.date for n in nights), max(n.date for n in nights)
    scores = [night.score for night in nights if night.score]
    banded = any(score.clusters >= LEAST_CLUSTERS for score in scores)
    bands = (
        "bands: 95 % for new seeds of these needle sets"
        if banded
        else f"no bands: below {LEAST_CLUSTERS} clusters"
    )
    title = f"{trends[0].reader}: scores by night"
    subtitle = f"{trends[0].run} · mean score of anchor cases, 1 to 10 · {bands}"
    layout = SheetLayout(len(trends), 1, _WIDTH, _HEIGHT, right=0.6, ticks_everywhere=False)
    record = records.get(trends[0].run)
    key = _key(trends, any(red_stretches(trend, record) for trend in trends))
    sheet = new_sheet(layout, title, subtitle, key, _note(trends))
    lowest = lowest_score(value_range(scores)[0])
    for row, trend in enumerate(trends):
        axes = sheet.panel(row, 0, spoken(trend.strategy), _facts(trend))
        plain(axes)
        y_scores(axes, lowest)
        _thin_scores(axes)
        _name_days(axes, first, last, labelled=row == len(trends) - 1)
        _draw(axes, trend, styles[trend.strategy], red_stretches(trend, record))
    sheet.name_x("night")
    table = night_table(trends, records)
    caption = "Points are nights. Lines join those that compare; levels end at change points and regressions."
    return RenderedFigure(name, title, caption, "History", sheet.figure, table.columns, table.rows)


def _facts(trend: Trend) -> str:
    last = next((night for night in reversed(trend.counted)), None)
    if last is None or last.score is None:
        return "no night counts"
    return f"last {mean_label(last.score.estimate)} on {last.date} · n = {last.score.n:,} of {last.planned:,}"


def _key(trends: Sequence[Trend], red: bool) -> Key:
    drawn: list[tuple[str, Style | Swatch]] = []
    if any(segment.change for trend in trends for segment in trend.segments):
        drawn.append(("change point", _CHANGE))
    if any(trend.breaks for trend in trends):
        drawn.append(("break: something else is asked", _BREAK))
    if any(trend.gaps for trend in trends):
        drawn.append(("gap: no score that counts", Swatch(MISSING)))
    if red:
        drawn.append(("worse than the last accepted night", Swatch(VERMILION)))
    return drawn


def _note(trends: Sequence[Trend]) -> str:
    breaks = dict.fromkeys((one.date, one.why) for trend in trends for one in trend.breaks)
    return " ".join(f"Break on {day}: {why}." for day, why in sorted(breaks))


def _thin_scores(axes: Axes) -> None:
    """Panels are low: at most every second score is named."""
    for label in axes.get_yticklabels()[-2::-2]:
        label.set_visible(False)


def _name_days(axes: Axes, first: date, last: date, *, labelled: bool) -> None:
    low, high = first.toordinal() - 0.7, last.toordinal() + 0.7
    axes.set_xlim(low, high)
    days = labelled_days(first, last, _LABELS)
    places = [(day.toordinal() - low) / (high - low) * _WIDTH for day in days]
    names = thinned([day.isoformat() for day in days], places) if labelled else [""] * len(days)
    axes.tick_params(axis="x", labelsize=TICK)
    label_x(axes, [day.toordinal() for day in days], names)


def _draw(axes: Axes, trend: Trend, style: Style, red: Sequence[RedNights]) -> None:
    bottom, top = axes.get_ylim()
    for gap in trend.gaps:
        axes.axvspan(
            gap.first.toordinal() - 0.5, gap.last.toordinal() + 0.5, color=MISSING, linewidth=0, zorder=1
        )
    for one in trend.breaks:
        axes.axvline(one.date.toordinal() - 0.5, color=QUIET, linestyle=_BREAK.dash, linewidth=1.2, zorder=2)
    for stretch in stretches(trend):
        x = tuple(float(night.date.toordinal()) for night in stretch)
        plainer = replace(style, marker="none") if len(trend.nights) > _MARKED and len(stretch) > 1 else style
        draw_curves(axes, [Curve(plainer, x, tuple(night.score for night in stretch))])
    for each in red:
        days = each.first.toordinal() - 0.5, each.last.toordinal() + 0.5
        axes.hlines(bottom, *days, colors=VERMILION, linewidths=3.5, clip_on=False, zorder=6)
    for level in levels(trend, red):
        start, end = level.first.toordinal() - 0.5, level.last.toordinal() + 0.5
        if level.last > level.first or level.step is not None:
            axes.hlines(level.mean, start, end, colors=INK, linewidths=0.9, zorder=5)
        if level.step is not None:
            _draw_step(axes, start, level, top)
    _draw_uncounted(axes, trend)
    axes.set_ylim(bottom, top)


def _draw_step(axes: Axes, at: float, level: DrawnLevel, top: float) -> None:
    """A line from level to level, and by how much; at a change point another down the day."""
    assert level.step is not None
    if level.tested:
        axes.axvline(at, color=VERMILION, linewidth=0.9, zorder=4)
        axes.plot([at], [top], marker="v", color=VERMILION, markersize=7, clip_on=False, zorder=6)
    axes.vlines(at, level.mean - level.step, level.mean, colors=VERMILION, linewidths=2.4, zorder=5)
    left, right = axes.get_xlim()
    late = at > right - _STEP_LABEL * (right - left)
    # Beyond the end that the nights' line is not at, on that side: it would strike the label through.
    end, above = (level.mean, level.step > 0) if late else (level.mean - level.step, level.step < 0)
    axes.annotate(
        level.step_label,
        (at, end),
        xytext=(-4 if late else 4, 2 if above else -2),
        textcoords="offset points",
        ha="right" if late else "left",
        va="bottom" if above else "top",
        color=VERMILION,
        fontsize=TICK,
        zorder=6,
    )


def _draw_uncounted(axes: Axes, trend: Trend) -> None:
    for night in trend.nights:
        if night.score and not counts(night):
            axes.plot(
                [night.date.toordinal()],
                [night.score.estimate],
                marker="o",
                color=QUIET,
                markerfacecolor=PAPER,
                markersize=4.5,
                zorder=3,
            )
