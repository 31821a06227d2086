"""Trends as tables: where each stands, what happened, and every night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from statistics import fmean
from types import MappingProxyType

from niah.analysis.grouping import NOT_SCORED
from niah.analysis.nights.night_scores import NightScore
from niah.analysis.nights.red_nights import red_stretches
from niah.analysis.nights.trends import ChangeSince, Trend, counts
from niah.analysis.stats.interval import LEAST_CLUSTERS, Interval, has_bounds
from niah.analysis.tables.table import Table, TableValue
from niah.runs.file.night_record import NightRecord

NO_RECORDS: Mapping[str, NightRecord] = MappingProxyType({})
"""Of nights without verdicts."""

ALL = "all"
"""In place of reader and strategy, where every trend of the run is meant."""

_INTERVALS = (
    "Low and high: 95 % intervals for new seeds of these needle sets, from clusters (needle set × seed)."
)
_CASES = "Means are over the scored trials of anchor cases, which all nights of a segment have."


def brief_trend_table(trends: Sequence[Trend]) -> Table:
    """One row per trend for people in a hurry; ``trend_table`` has the numbers."""
    return Table(
        name="brief",
        title="Trends: where each stands",
        columns=(
            "run",
            "reader",
            "strategy",
            "night",
            "mean",
            "n of trials",
            "since last night",
            "since segment start",
        ),
        rows=tuple(_brief(trend) for trend in trends),
        note=f"{_CASES} Since: how much better the last night is than the one before, and than the first"
        " of its segment, over the trials scored in both, with 95 % interval, from"
        f" {LEAST_CLUSTERS} clusters on; * where that leaves 0 out. A segment begins after a break or a"
        " change point.",
    )


def trend_table(trends: Sequence[Trend]) -> Table:
    """One row per trend: its last night that counts, and how it differs from earlier ones."""
    return Table(
        name="trends",
        title="Where each trend stands",
        columns=(
            *("run", "reader", "strategy", "night", "mean", "low", "high", "n", "not_scored", "trials"),
            *("last_night", "change", "change_low", "change_high", "change_n"),
            *("segment_start", "since_start", "since_start_low", "since_start_high", "since_start_n"),
            *("change_points", "breaks", "days_missing"),
        ),
        rows=tuple(_standing(trend) for trend in trends),
        note=f"{_CASES} Change: over the trials scored in both nights. {_INTERVALS}",
    )


def event_table(trends: Sequence[Trend], records: Mapping[str, NightRecord] = NO_RECORDS) -> Table:
    """One row per change point, break, gap and stretch of regressions, the latest first.

    What all of a run's trends share is one row. ``records`` say by run which nights were regressions.
    """
    trends_of = Counter(trend.run for trend in trends)
    happened = [(trend, event) for trend in trends for event in _events(trend, records.get(trend.run))]
    sharing = Counter((trend.run, event) for trend, event in happened)
    rows = {
        _event_row(trend, event, 1 < sharing[trend.run, event] == trends_of[trend.run])
        for trend, event in happened
    }
    return Table(
        name="events",
        title="What happened",
        columns=("date", "until", "what", "why", "run", "reader", "strategy", "before", "after", "p"),
        rows=tuple(sorted(sorted(rows, key=str), key=lambda row: str(row[0]), reverse=True)),
        note="Change point: the level is another from that night on, by a permutation test over nights, with"
        " 5 % for a false one in all trends together; before and after are the levels, of a regression the"
        " means of the nights before it and in it. Break: something else"
        " is asked, and nothing is compared across it. Gap: days without a score that counts. Regression:"
        " nights whose verdict was one, against the last accepted night.",
    )


def night_table(trends: Sequence[Trend], records: Mapping[str, NightRecord] = NO_RECORDS) -> Table:
    """One row per trend and night. ``records`` say by run what nights came to."""
    return Table(
        name="nights",
        title="Every night",
        columns=(
            *(
                "run",
                "reader",
                "strategy",
                "date",
                "counts",
                "mean",
                "low",
                "high",
                "n",
                "clusters",
                "trials",
            ),
            *NOT_SCORED,
            *("rotating_mean", "rotating_n", "effective_length", "cost_usd", "prompt_tokens"),
            *("answer_tokens", "latency_p50_s", "asked", "verdict", "accepted"),
        ),
        rows=tuple(
            (t.run, t.reader, t.strategy, *_night(night), *_verdict(records.get(t.run), night))
            for t in trends
            for night in t.nights
        ),
        note=f"{_CASES} So are outcomes and effective length. Cost and tokens (where every trial says them)"
        f" and latency are of all trials of the night. {_INTERVALS} Asked: a digest; nights with the same one"
        " compare. Verdict and accepted: of the whole night, by niah nightly.",
    )


def _event_row(trend: Trend, event: tuple[TableValue, ...], common: bool) -> tuple[TableValue, ...]:
    whose = (ALL, ALL) if common else (trend.reader, trend.strategy)
    return (*event[:4], trend.run, *whose, *event[4:])


def _brief(trend: Trend) -> tuple[TableValue, ...]:
    last = _last(trend)
    n = last.score.n if last.score else 0
    return (
        *(trend.run, trend.reader, trend.strategy, last.date.isoformat()),
        last.score.estimate if last.score else None,
        f"{n:,} of {last.planned:,}",
        since_label(trend.since_last).replace(" to ", "…").replace(") *", ")*"),
        since_label(trend.since_start).replace(" to ", "…").replace(") *", ")*"),
    )


def since_label(change: ChangeSince | None) -> str:
    """A change for people: "-0.42 (-0.80 to -0.04) *", the star where the interval leaves 0 out."""
    if change is None:
        return "–"
    found = change.difference
    if found.low is None or found.high is None or not has_bounds(found):
        return f"{found.estimate:+.2f}"
    star = " *" if found.low > 0 or found.high < 0 else ""
    return f"{found.estimate:+.2f} ({found.low:+.2f} to {found.high:+.2f}){star}"


def _standing(trend: Trend) -> tuple[TableValue, ...]:
    last = _last(trend)
    start = trend.segments[-1].nights[0].date.isoformat() if trend.segments else None
    return (
        *(trend.run, trend.reader, trend.strategy, last.date.isoformat()),
        *_interval(last.score),
        *(last.not_scored, last.planned),
        *_change(trend.since_last),
        start,
        *_change(trend.since_start)[1:],
        sum(segment.change is not None for segment in trend.segments),
        len(trend.breaks),
        sum((gap.last - gap.first).days + 1 for gap in trend.gaps),
    )


def _last(trend: Trend) -> NightScore:
    """The last night that counts, or the last one where none does."""
    return (trend.counted or trend.nights)[-1]


def _events(trend: Trend, record: NightRecord | None) -> Iterator[tuple[TableValue, ...]]:
    for earlier, segment in zip(trend.segments, trend.segments[1:], strict=False):
        if segment.change:
            levels = (earlier.mean, segment.mean, segment.change.p)
            yield (segment.nights[0].date.isoformat(), None, "change point", "", *levels)
    for one in trend.breaks:
        yield (one.date.isoformat(), None, "break", one.why, None, None, None)
    for gap in trend.gaps:
        until = gap.last.isoformat() if gap.last > gap.first else None
        yield (gap.first.isoformat(), until, "gap", gap.why, None, None, None)
    mended = date.min
    for red in red_stretches(trend, record):
        end = red.last + timedelta(days=1)
        before, during = _level(trend, mended, red.first), _level(trend, red.first, end)
        yield (red.first.isoformat(), red.last.isoformat(), "regression", red.why, before, during, None)
        mended = end


def _level(trend: Trend, first: date, end: date) -> float | None:
    """The mean from ``first`` until before ``end``, of the nights of the last segment that has any."""
    held = [
        [night.mean for night in segment.nights if first <= night.date < end] for segment in trend.segments
    ]
    last = next((means for means in reversed(held) if means), None)
    return fmean(last) if last else None


def _night(night: NightScore) -> tuple[TableValue, ...]:
    return (
        *(night.date.isoformat(), counts(night)),
        *_interval(night.score),
        *(night.score.clusters if night.score else 0, night.planned),
        *(night.outcomes[outcome] for outcome in NOT_SCORED),
        *(night.fresh, night.fresh_n, night.effective_length, night.cost),
        *(night.prompt_tokens, night.answer_tokens, night.latency_p50_s, night.identity),
    )


def _verdict(record: NightRecord | None, night: NightScore) -> tuple[TableValue, ...]:
    entry = record.nights.get(night.date) if record else None
    return (entry.verdict, entry.accepted) if entry else (None, None)


def _interval(found: Interval | None) -> tuple[TableValue, ...]:
    return (found.estimate, found.low, found.high, found.n) if found else (None, None, None, 0)


def _change(change: ChangeSince | None) -> tuple[TableValue, ...]:
    return (change.since.isoformat(), *_interval(change.difference)) if change else (None,) * 5
