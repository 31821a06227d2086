"""Nights in a row, in segments of one level each. What cannot be compared is never joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import fmean
from typing import Literal, NamedTuple

from niah.analysis.stats.series.change_points import ChangePoint, Series, change_points

Opening = Literal["start", "another suite", "change point"]


class NightMean(NamedTuple):
    """One night of one reader and strategy.

    Attributes:
        date: of the night.
        mean: score, of anchor seeds alone, so that nights ask the same.
        low, high: its interval; None where there is none.
        suite: identity of what was asked: a digest of suite, facts and prompts.
    """

    date: date
    mean: float
    low: float | None
    high: float | None
    suite: str


@dataclass(frozen=True)
class TrendSegment:
    """Nights of one level, whatever days are missing between them.

    Attributes:
        opening: why it does not go on with the segment before: "change point" says that the level is another;
            "another suite" says nothing of the level.
        change: the change point that opens it.
        nights: at least one, by date.
        mean: of the nights' means, every night with the same weight.
        low, high: 95 % interval of the level by Student's t over nights; the night's own where it is one.
            Where change points were searched it is a little too narrow, since they were chosen.
    """

    opening: Opening
    change: ChangePoint | None
    nights: tuple[NightMean, ...]
    mean: float
    low: float | None
    high: float | None


def trend_segments(
    trends: Sequence[Sequence[NightMean]], *, alpha: float = 0.05
) -> list[tuple[TrendSegment, ...]]:
    """The segments of each trend's nights, in order of time.

    Args:
        trends: those that are looked at together: of a reader with a strategy each.
        alpha: the chance of any false change point in all of them.

    Raises ValueError for two nights of one date in a trend.
    """
    ordered = [sorted(nights, key=lambda night: night.date) for nights in trends]
    breaks = [_breaks(nights) for nights in ordered]
    series = [
        Series(tuple(n.mean for n in nights), tuple(n.date.toordinal() for n in nights), tuple(places))
        for nights, places in zip(ordered, breaks, strict=True)
    ]
    found = change_points(series, alpha=alpha)
    return [_segments(*each) for each in zip(ordered, breaks, found, strict=True)]


def _breaks(nights: Sequence[NightMean]) -> list[int]:
    """The places from which on something else is asked."""
    for before, night in pairwise(nights):
        if night.date == before.date:
            raise ValueError(f"there are two nights of {night.date}.")
    return [place for place, (one, other) in enumerate(pairwise(nights), 1) if one.suite != other.suite]


def _segments(
    nights: Sequence[NightMean], breaks: Sequence[int], changes: Sequence[ChangePoint]
) -> tuple[TrendSegment, ...]:
    change_at = {change.place: change for change in changes}
    openings: dict[int, Opening] = {
        **dict.fromkeys(change_at, "change point"),
        **dict.fromkeys(breaks, "another suite"),
        0: "start",
    }
    cuts = [*sorted(openings), len(nights)] if nights else []
    return tuple(
        _segment(nights[first:last], openings[first], change_at.get(first)) for first, last in pairwise(cuts)
    )


def _segment(nights: Sequence[NightMean], opening: Opening, change: ChangePoint | None) -> TrendSegment:
    from scipy.special import stdtrit

    mean, low, high, count = fmean(night.mean for night in nights), nights[0].low, nights[0].high, len(nights)
    if count > 1:
        variance = sum((night.mean - mean) ** 2 for night in nights) / (count - 1)
        half_width = float(stdtrit(count - 1, 0.975)) * (variance / count) ** 0.5
        low, high = mean - half_width, mean + half_width
    return TrendSegment(opening, change, tuple(nights), mean, low, high)
