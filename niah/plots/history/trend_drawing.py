"""What charts and figures of a trend share: stretches of nights, labelled days, the strategies' colours."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby
from statistics import fmean

from niah.analysis.nights.night_scores import NightScore
from niah.analysis.nights.red_nights import RedNights
from niah.analysis.nights.trends import Trend
from niah.plots.kit.styles import BLACK, Style, strategy_styles
from niah.strategies.strategy import strategy_place

_STEPS = (1, 2, 7, 14, 28, 56, 91, 182, 364)
_INK_ON_DARK = "#e4e7ea"
_LIGHTER = 0.4
_DAY = timedelta(days=1)
_NEAR = 2


def stretches(trend: Trend) -> Iterator[tuple[NightScore, ...]]:
    """The nights that a line joins: between breaks and longer gaps, whatever their level.

    A line goes on over a single night without a score, and over adaptive nights that left trials out.
    """
    spared = {night.date for night in trend.nights if night.spared}
    long = {gap.first for gap in trend.gaps if gap.last > gap.first and gap.first not in spared}
    opening = sorted({one.date for one in trend.breaks} | long)
    for _, nights in groupby(trend.counted, key=lambda night: bisect_right(opening, night.date)):
        yield tuple(nights)


@dataclass(frozen=True)
class DrawnLevel:
    """The level of a stretch of nights, drawn.

    Attributes:
        first: the day in whose morning it begins.
        last: the day after whose night it ends; the day before the step where there is one.
        mean: of its nights.
        step: how much higher it is than the level before; None where that is not known to be another.
        tested: whether a test over nights found that step.
    """

    first: date
    last: date
    mean: float
    step: float | None
    tested: bool

    @property
    def step_label(self) -> str:
        """By how much: "−1.35"; "" where there is no step."""
        return "" if self.step is None else f"{self.step:+.2f}".replace("-", "−")


def levels(trend: Trend, red: Sequence[RedNights] = ()) -> list[DrawnLevel]:
    """The levels of a trend's segments, parted as well where a stretch of regressions begins and was mended.

    A level that a step ends goes on to the step.

    Args:
        trend: its segments are those of the change points.
        red: stretches of nights in which it had got worse.
    """
    known = [segment.nights[0].date for segment in trend.segments if segment.change]
    ends = [each.last + _DAY for each in red if each.mended]
    cuts = [cut for cut in (*(each.first for each in red), *ends) if _is_far(cut, known)]
    drawn: list[DrawnLevel] = []
    for segment in trend.segments:
        for at, (_, group) in enumerate(groupby(segment.nights, key=lambda night: _place(night.date, cuts))):
            nights = list(group)
            mean = fmean(night.mean for night in nights)
            is_step = bool(drawn) and (at > 0 or segment.change is not None)
            step = mean - drawn[-1].mean if is_step else None
            if is_step:
                drawn[-1] = replace(drawn[-1], last=nights[0].date - _DAY)
            drawn.append(DrawnLevel(nights[0].date, nights[-1].date, mean, step, at == 0))
    return drawn


def _is_far(cut: date, known: Sequence[date]) -> bool:
    """Whether no change point lies within two nights: that is dated as well as it can be."""
    return all(abs((cut - day).days) > _NEAR for day in known)


def _place(day: date, cuts: Sequence[date]) -> int:
    return bisect_right(sorted(cuts), day)


def labelled_days(first: date, last: date, most: int) -> list[date]:
    """The days that an axis names, ``most`` at most: the last one, and others at equal steps before it."""
    span = (last - first).days
    step = next((step for step in _STEPS if span // step < most), max(span, 1))
    return [last - timedelta(days=back) for back in range(span // step * step, -1, -step)]


def styles_of(trends: Iterable[Trend]) -> dict[str, Style]:
    """The style of each strategy, as in the report of a run that has all of them."""
    return strategy_styles(sorted({trend.strategy for trend in trends}, key=strategy_place))


def series_rules(styles: Mapping[str, Style]) -> str:
    """CSS: a class s0, s1, ... for each strategy, in their order."""
    return "".join(
        f".s{place} {{ --series: light-dark({style.colour}, {on_dark(style.colour)}); }}\n"
        for place, style in enumerate(styles.values())
    )


def dash_of(style: Style) -> str:
    """SVG's stroke-dasharray: that of reverse orders, or none."""
    return "none" if style.dash == "-" else "5 3"


def on_dark(colour: str) -> str:
    """The colour for dark paper."""
    if colour == BLACK:
        return _INK_ON_DARK
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _LIGHTER):02x}" for part in parts)
