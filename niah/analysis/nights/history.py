"""A reader's nights in a row, in segments of one level each. What cannot be compared is never joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, pairwise
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
        n: scored trials.
        suite: identity of what was asked: a digest of suite, facts and prompts.
    """

    date: date
    reader: str
    strategy: str
    mean: float
    low: float | None
    high: float | None
    n: int
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

    reader: str
    strategy: str
    opening: Opening
    change: ChangePoint | None
    nights: tuple[NightMean, ...]
    mean: float
    low: float | None
    high: float | None


def trend_segments(
    nights: Sequence[NightMean], *, alpha: float = 0.05, spared: Collection[date] = ()
) -> list[TrendSegment]:
    """The segments of every reader and strategy, in order of time.

    Args:
        nights: of any readers and strategies.
        alpha: the chance of a false change point in one reader and strategy; unbroken stretches share it by
            their lengths.
        spared: days on which a part of the trials was asked, on purpose: they have no mean to go by, and are
            not missing.

    Raises ValueError for two nights of one date.
    """
    ordered = sorted(nights, key=lambda night: (night.reader, night.strategy, night.date))
    segments: list[TrendSegment] = []
    for _, same in groupby(ordered, key=lambda night: (night.reader, night.strategy)):
        segments += _segments(list(same), alpha, spared)
    return segments


def _segments(nights: list[NightMean], alpha: float, spared: Collection[date]) -> list[TrendSegment]:
    breaks = [_break(nights, place, spared) for place in range(len(nights))]
    places = [0, *(place for place in range(1, len(nights)) if breaks[place]), len(nights)]
    return [
        segment
        for begin, end in pairwise(places)
        for segment in _stretch(
            nights[begin:end], breaks[begin] or "start", alpha * (end - begin) / len(nights)
        )
    ]


def _break(nights: list[NightMean], place: int, spared: Collection[date]) -> Opening | None:
    """Why a night does not follow on the one before it; None where it does, or where it is the first."""
    if place == 0:
        return None
    before, night = nights[place - 1], nights[place]
    if night.date == before.date:
        raise ValueError(f"{night.reader} has two nights of {night.date} with {night.strategy}.")
    between = (before.date + timedelta(days=day) for day in range(1, (night.date - before.date).days))
    missing = any(day not in spared for day in between)
    if night.suite == before.suite:
        return "missing nights" if missing else None
    return "missing nights, another suite" if missing else "another suite"


def _stretch(nights: list[NightMean], opening: Opening, alpha: float) -> list[TrendSegment]:
    """An unbroken stretch, cut at its change points."""
    changes = change_points([night.mean for night in nights], alpha=alpha)
    ends = [*(change.place for change in changes), len(nights)]
    first = _segment(nights[: ends[0]], opening, None)
    return [
        first,
        *(
            _segment(nights[change.place : end], "change point", change)
            for change, end in zip(changes, ends[1:], strict=True)
        ),
    ]


def _segment(nights: list[NightMean], opening: Opening, change: ChangePoint | None) -> TrendSegment:
    mean = fmean(night.mean for night in nights)
    reader, strategy = nights[0].reader, nights[0].strategy
    return TrendSegment(reader, strategy, opening, change, tuple(nights), mean, *_interval(nights, mean))


def _interval(nights: list[NightMean], mean: float) -> tuple[float | None, float | None]:
    if len(nights) == 1:
        return nights[0].low, nights[0].high
    from scipy.special import stdtrit

    count = len(nights)
    variance = sum((night.mean - mean) ** 2 for night in nights) / (count - 1)
    reach = float(stdtrit(count - 1, 0.975)) * (variance / count) ** 0.5
    return mean - reach, mean + reach
