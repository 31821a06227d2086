"""A trend as shapes of an SVG picture: numbers and words, no markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from niah.analysis.nights.night_scores import NightScore
from niah.analysis.nights.trends import Trend, counts
from niah.analysis.stats.interval import LEAST_CLUSTERS
from niah.judges.verdict import HIGHEST
from niah.plots.figures.charts.estimates import bounds_of
from niah.plots.history.night_marks import NO_MARKS, NightMarks
from niah.plots.history.readout import gap_readout, night_readout
from niah.plots.history.trend_drawing import labelled_days, levels, stretches

WIDTH, HEIGHT = 960, 168
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 14, 140
_LABELS = 9
_MARKED = 60
_LABEL_HALF = 36
_STEP_LABEL = 60
_LABEL_GAP, _LABEL_HEIGHT = 4, 9


@dataclass(frozen=True)
class ChartAxes:
    """What the charts of one reader have in common.

    Attributes:
        first, last: of the days on the x axis.
        lowest: score where the y axis begins.
    """

    first: date
    last: date
    lowest: int

    @property
    def day_width(self) -> float:
        """Of one day."""
        return (WIDTH - LEFT - RIGHT) / ((self.last - self.first).days + 1)

    def x(self, day: date) -> float:
        """The middle of a day."""
        return LEFT + ((day - self.first).days + 0.5) * self.day_width

    def y(self, score: float) -> float:
        """The height of a score."""
        return BOTTOM - (score - self.lowest) / (HIGHEST - self.lowest) * (BOTTOM - TOP)


@dataclass(frozen=True)
class Hit:
    """What is pointed at: a night or a gap.

    Attributes:
        x, width: of its strip.
        says: one line for people.
        address: of the night's page; "" where there is none.
        red: whether the night was a regression of this reader and strategy.
    """

    x: float
    width: float
    says: str
    address: str = ""
    red: bool = False


@dataclass(frozen=True)
class Step:
    """Where another level begins.

    Attributes:
        x: of the evening before it.
        before, after: y of the levels.
        label: by how much: "−1.35".
        tested: whether a test over nights found it; else the nights' verdicts say it.
    """

    x: float
    before: float
    after: float
    label: str
    tested: bool

    @property
    def is_late(self) -> bool:
        """Whether its label has room on the left alone."""
        return self.x > WIDTH - _STEP_LABEL

    @property
    def label_y(self) -> float:
        """The foot of its label: beyond the end of the step that the nights' line is not at, on that side."""
        end, other = (self.after, self.before) if self.is_late else (self.before, self.after)
        y = end - _LABEL_GAP if end <= other else end + _LABEL_GAP + _LABEL_HEIGHT
        return round(min(max(y, _LABEL_HEIGHT), BOTTOM - 2), 1)


@dataclass(frozen=True)
class Dot:
    """A night's mean; ``hollow`` where it does not count."""

    x: float
    y: float
    hollow: bool


@dataclass(frozen=True)
class Chart:
    """One trend, drawn.

    Attributes:
        bands, lines: points of polygons and polylines.
        dots: of nights that a line alone would not show.
        levels: (x1, x2, y) of each level of more than one night, or that a step leads to.
        steps: between levels.
        breaks: x of each.
        gaps: (x, width) of each.
        scores: (y, label) of the y axis; days: (x, label) of the x axis.
        hits: in order of time.
    """

    bands: tuple[str, ...]
    lines: tuple[str, ...]
    dots: tuple[Dot, ...]
    levels: tuple[tuple[float, float, float], ...]
    steps: tuple[Step, ...]
    breaks: tuple[float, ...]
    gaps: tuple[tuple[float, float], ...]
    scores: tuple[tuple[float, str], ...]
    days: tuple[tuple[float, str], ...]
    hits: tuple[Hit, ...]


def chart(trend: Trend, frame: ChartAxes, marks: NightMarks = NO_MARKS) -> Chart:
    """The chart of a trend; ``marks`` say what nights came to, and where their pages are."""
    half = frame.day_width / 2
    joined = list(stretches(trend))
    drawn = levels(trend, marks.red_stretches(trend))
    return Chart(
        bands=tuple(band for nights in joined if (band := _band(nights, frame))),
        lines=tuple(_points((frame.x(n.date), _y(n, frame)) for n in nights) for nights in joined),
        dots=tuple(_dots(trend, joined, frame)),
        levels=tuple(
            (
                round(frame.x(level.first) - half, 1),
                round(frame.x(level.last) + half, 1),
                round(frame.y(level.mean), 1),
            )
            for level in drawn
            if level.last > level.first or level.step is not None
        ),
        steps=tuple(
            Step(
                round(frame.x(level.first) - half, 1),
                round(frame.y(level.mean - level.step), 1),
                round(frame.y(level.mean), 1),
                level.step_label,
                level.tested,
            )
            for level in drawn
            if level.step is not None
        ),
        breaks=tuple(round(frame.x(one.date) - half, 1) for one in trend.breaks),
        gaps=tuple(_strip(gap.first, gap.last, frame) for gap in trend.gaps),
        scores=tuple(
            (round(frame.y(score), 1), str(score) if (HIGHEST - score) % 2 == 0 else "")
            for score in range(frame.lowest, HIGHEST + 1)
        ),
        days=tuple(
            (round(min(frame.x(day), WIDTH - _LABEL_HALF), 1), day.isoformat())
            for day in labelled_days(frame.first, frame.last, _LABELS)
        ),
        hits=tuple(_hits(trend, frame, marks)),
    )


def _hits(trend: Trend, frame: ChartAxes, marks: NightMarks) -> list[Hit]:
    """Every night, and every gap in which no night stands."""
    asked = {night.date for night in trend.nights}
    hits = []
    for night in trend.nights:
        mark = marks.of(trend.run, night.date)
        says = night_readout(night, trend, mark.label)
        red = mark.entry.is_worse(trend.reader, trend.strategy)
        hits.append(Hit(*_strip(night.date, night.date, frame), says, mark.address, red))
    for gap in trend.gaps:
        if not any(gap.first <= day <= gap.last for day in asked):
            hits.append(Hit(*_strip(gap.first, gap.last, frame), gap_readout(gap)))
    return sorted(hits, key=lambda hit: hit.x)


def _strip(first: date, last: date, frame: ChartAxes) -> tuple[float, float]:
    left = frame.x(first) - frame.day_width / 2
    return round(left, 1), round(frame.x(last) + frame.day_width / 2 - left, 1)


def _dots(trend: Trend, joined: Sequence[Sequence[NightScore]], frame: ChartAxes) -> Iterable[Dot]:
    alone = {nights[0].date for nights in joined if len(nights) == 1}
    few = len(trend.nights) <= _MARKED
    for night in trend.nights:
        if night.score and (few or night.date in alone or not counts(night)):
            yield Dot(round(frame.x(night.date), 1), round(_y(night, frame), 1), not counts(night))


def _band(nights: Sequence[NightScore], frame: ChartAxes) -> str:
    """The outline of the intervals of nights in a row; "" where clusters are too few for any."""
    scores = [night.score for night in nights if night.score]
    if all(score.clusters < LEAST_CLUSTERS for score in scores):
        return ""
    days = _ends([frame.x(night.date) for night in nights])
    bounds = [bounds_of(score) for score in scores]
    low, high = ([frame.y(_on_scale(b[side], frame)) for b in bounds] for side in (0, 1))
    upper = list(zip(days, high if len(high) > 1 else high * 2, strict=True))
    lower = list(zip(days, low if len(low) > 1 else low * 2, strict=True))
    return _points([*upper, *reversed(lower)])


def _ends(days: list[float]) -> list[float]:
    """A single night's band has some width."""
    return days if len(days) > 1 else [days[0] - 2, days[0] + 2]


def _on_scale(score: float, frame: ChartAxes) -> float:
    return min(max(score, frame.lowest), HIGHEST)


def _y(night: NightScore, frame: ChartAxes) -> float:
    assert night.score is not None
    return frame.y(night.score.estimate)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
