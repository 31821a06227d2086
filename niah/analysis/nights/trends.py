"""Nights in a row: each reader's and strategy's trend, with its breaks, gaps and change points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, pairwise

from niah.analysis.nights.night_scores import Basis, NightScore, basis_differences, paired_change
from niah.analysis.nights.segments import NightMean, TrendSegment, trend_segments
from niah.analysis.stats.interval import Interval
from niah.strategies.strategy import strategy_place

_DAY = timedelta(days=1)
_WEEKS_TO_KNOW = 3


@dataclass(frozen=True)
class ChangeSince:
    """How much better the last night is than an earlier one.

    Attributes:
        since: the earlier night.
        difference: over the trials scored in both.
    """

    since: date
    difference: Interval


@dataclass(frozen=True)
class Gap:
    """Days in a row without a score that counts, less the days of the week on which the run never runs.

    Attributes:
        first, last: of the days.
        why: in a few words for people.
    """

    first: date
    last: date
    why: str


@dataclass(frozen=True)
class Break:
    """From here on, something else is asked: scores on either side do not compare.

    Attributes:
        date: the first night of what follows.
        why: what differs, in a few words for people.
    """

    date: date
    why: str


@dataclass(frozen=True)
class Trend:
    """One reader and strategy of one run, night by night.

    Attributes:
        nights: every night that asked it, by date.
        segments: of the nights that count: all trials run, one scored at least.
        gaps: from its first night to the run's last, read or not.
        breaks: by date.
        since_last: against the night that counts before the last one; None where they do not compare.
        since_start: against the first night of the last segment.
    """

    run: str
    reader: str
    strategy: str
    nights: tuple[NightScore, ...]
    segments: tuple[TrendSegment, ...]
    gaps: tuple[Gap, ...]
    breaks: tuple[Break, ...]
    since_last: ChangeSince | None
    since_start: ChangeSince | None

    @property
    def counted(self) -> tuple[NightScore, ...]:
        """The nights that count."""
        return tuple(night for night in self.nights if counts(night))


def counts(night: NightScore) -> bool:
    """Whether a night's mean compares with others: nothing was left to run, and something was scored."""
    return night.finished and night.score is not None


def trends(
    scores: Sequence[NightScore], bases: Mapping[str, Basis], unread: Collection[tuple[str, date]]
) -> list[Trend]:
    """One per run, reader and strategy; the whole-context strategies first, then by name.

    Change points are looked for in all of them together: see ``niah.analysis.nights.segments``.

    Args:
        scores: of all nights.
        bases: by identity, see ``niah.analysis.nights.night_scores``.
        unread: run and date of nights whose file is there and cannot be read.
    """
    ordered = sorted(scores, key=lambda s: (s.run, s.reader, *strategy_place(s.strategy), s.date))
    nights_of = {
        run: frozenset(s.date for s in own) for run, own in groupby(ordered, key=lambda score: score.run)
    }
    own = [tuple(same) for _, same in groupby(ordered, key=lambda s: (s.run, s.reader, s.strategy))]
    segments = trend_segments([_means(nights) for nights in own])
    return [
        _trend(nights, found, nights_of[nights[0].run], bases, unread)
        for nights, found in zip(own, segments, strict=True)
    ]


def _means(nights: Sequence[NightScore]) -> list[NightMean]:
    return [
        NightMean(night.date, night.score.estimate, night.score.low, night.score.high, night.identity)
        for night in nights
        if counts(night) and night.score
    ]


def _trend(
    nights: tuple[NightScore, ...],
    segments: tuple[TrendSegment, ...],
    of_run: frozenset[date],
    bases: Mapping[str, Basis],
    unread: Collection[tuple[str, date]],
) -> Trend:
    counted = [night for night in nights if counts(night)]
    start = segments[-1].nights[0].date if segments else None
    return Trend(
        run=nights[0].run,
        reader=nights[0].reader,
        strategy=nights[0].strategy,
        nights=nights,
        segments=segments,
        gaps=tuple(_gaps(nights, of_run, unread)),
        breaks=tuple(_breaks(counted, bases)),
        since_last=_change(counted[-2], counted[-1], bases) if len(counted) > 1 else None,
        since_start=next((_change(n, counted[-1], bases) for n in counted[:-1] if n.date == start), None),
    )


def _breaks(counted: Sequence[NightScore], bases: Mapping[str, Basis]) -> Iterator[Break]:
    for before, night in pairwise(counted):
        if night.identity != before.identity:
            differ = basis_differences(bases[before.identity], bases[night.identity])
            yield Break(night.date, "; ".join(differ))


def _change(before: NightScore, last: NightScore, bases: Mapping[str, Basis]) -> ChangeSince | None:
    if before.identity != last.identity:
        return None
    difference = paired_change(before, last, bases[last.identity])
    return ChangeSince(before.date, difference) if difference else None


def _gaps(
    nights: Sequence[NightScore], of_run: frozenset[date], unread: Collection[tuple[str, date]]
) -> Iterator[Gap]:
    """Days that do not count, those in a row with the same reason together."""
    known = {night.date: night for night in nights}
    run, first = nights[0].run, nights[0].date
    last = max(of_run | {day for other, day in unread if other == run})
    rest = _days_of_rest(of_run | {day for other, day in unread if other == run})
    days = [
        day for place in range((last - first).days + 1) if (day := first + _DAY * place).weekday() not in rest
    ]
    whys = ((day, _why_not(known.get(day), day in of_run, (run, day) in unread)) for day in days)
    for why, same in groupby(whys, key=lambda item: item[1]):
        if why:
            within = [day for day, _ in same]
            yield Gap(within[0], within[-1], why)


def _days_of_rest(ran: Collection[date]) -> frozenset[int]:
    """The days of the week (Monday is 0) on which a run never ran in three weeks or more."""
    if (max(ran) - min(ran)).days < _WEEKS_TO_KNOW * 7:
        return frozenset()
    return frozenset(range(7)) - {day.weekday() for day in ran}


def _why_not(night: NightScore | None, ran: bool, unread: bool) -> str:
    """Why a day does not count; "" where it does."""
    if night is None:
        return "not asked" if ran else "the run file cannot be read" if unread else "no run file"
    if not night.planned:
        return "no anchor cases"
    if night.spared:
        return "adaptive, not all trials run"
    if not night.finished:
        return "not all trials run"
    return "" if counts(night) else "nothing scored"
