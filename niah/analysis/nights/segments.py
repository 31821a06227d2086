"""Nights in a row, in segments of one level each. What cannot be compared is never joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import fmean
from typing import Literal, NamedTuple

from niah.analysis.stats.change_points import ChangePoint, change_points

Opening = Literal["start", "missing nights", "another suite", "missing nights, another suite", "change point"]


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
    """Nights of one level.

    Attributes:
        opening: why it does not go on with the segment before: "change point" says that the level is another;
            "missing nights" and "another suite" say nothing of the level.
        change: the change point that opens it.
        nights: at least one, every day one.
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
    nights: Sequence[NightMean], *, alpha: float = 0.05, spared: Collection[date] = ()
) -> list[TrendSegment]:
    """The segments of the nights, in order of time.

    Args:
        nights: of one reader with one strategy.
        alpha: the chance of a false change point; unbroken stretches share it by their lengths.
        spared: days on which a part of the trials was asked, on purpose: they have no mean to go by, and are
            not missing.

    Raises ValueError for two nights of one date.
    """
    nights = sorted(nights, key=lambda night: night.date)
    breaks = {place: _break(nights[place - 1], nights[place], spared) for place in range(1, len(nights))}
    places = [0, *(place for place, opening in breaks.items() if opening), len(nights)]
    segments: list[TrendSegment] = []
    for begin, end in pairwise(places if nights else []):
        # An unbroken stretch, cut at its change points.
        means = [night.mean for night in nights[begin:end]]
        changes = change_points(means, alpha=alpha * (end - begin) / len(nights))
        cuts = [begin, *(begin + change.place for change in changes), end]
        for change, (first, last) in zip((None, *changes), pairwise(cuts), strict=True):
            opening = "change point" if change else breaks.get(begin) or "start"
            segments.append(_segment(nights[first:last], opening, change))
    return segments


def _break(before: NightMean, night: NightMean, spared: Collection[date]) -> Opening | None:
    """Why a night does not follow on the one before it; None where it does."""
    if night.date == before.date:
        raise ValueError(f"there are two nights of {night.date}.")
    between = (before.date + timedelta(days=day) for day in range(1, (night.date - before.date).days))
    missing = any(day not in spared for day in between)
    if night.suite == before.suite:
        return "missing nights" if missing else None
    return "missing nights, another suite" if missing else "another suite"


def _segment(nights: Sequence[NightMean], opening: Opening, change: ChangePoint | None) -> TrendSegment:
    from scipy.special import stdtrit

    mean, low, high, count = fmean(night.mean for night in nights), nights[0].low, nights[0].high, len(nights)
    if count > 1:
        variance = sum((night.mean - mean) ** 2 for night in nights) / (count - 1)
        half_width = float(stdtrit(count - 1, 0.975)) * (variance / count) ** 0.5
        low, high = mean - half_width, mean + half_width
    return TrendSegment(opening, change, tuple(nights), mean, low, high)
