"""One night in a line: what a chart says of the night that is pointed at."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from niah.analysis.grouping import NOT_SCORED
from niah.analysis.lengths import length_labels
from niah.analysis.nights.night_scores import NightScore
from niah.analysis.nights.segments import TrendSegment
from niah.analysis.nights.trends import Gap, Trend, counts
from niah.plots.figures.charts.estimates import bounds_of
from niah.plots.headlines.interval_words import TOO_FEW_TO_TELL
from niah.plots.kit.labels import amount_label, duration_label, outcome_label
from niah.runs.cost.budget import spending_label

_SHOWN_S = 0.05
"""Less reads "0.0 s"."""


def night_readout(night: NightScore, trend: Trend, verdict: str = "") -> str:
    """Date, what begins there, mean with interval, counts, what the night took, its verdict."""
    told = [night.date.isoformat(), *_begins(night, trend), *_score(night), *_took(night)]
    return " · ".join([*told, *([f"verdict: {verdict}"] if verdict else [])])


def gap_readout(gap: Gap) -> str:
    """The days, and why they have no score."""
    days = f"{gap.first} to {gap.last}" if gap.last > gap.first else f"{gap.first}"
    return f"{days} · gap: {gap.why}"


def level_change_label(before: TrendSegment, after: TrendSegment) -> str:
    """From which level to which, and how sure: "7.99 → 6.64, p 0.0005"."""
    assert after.change is not None
    return f"{before.mean:.2f} → {after.mean:.2f}, p {after.change.p:.2g}"


def _begins(night: NightScore, trend: Trend) -> Iterator[str]:
    for before, after in zip(trend.segments, trend.segments[1:], strict=False):
        if after.change and after.nights[0].date == night.date:
            yield f"change point: {level_change_label(before, after)}"
    for one in trend.breaks:
        if one.date == night.date:
            yield f"break: {one.why}"
    for gap in trend.gaps:
        if not counts(night) and gap.first <= night.date <= gap.last:
            yield f"does not count: {gap.why}"


def _score(night: NightScore) -> Iterator[str]:
    score = night.score
    if score is None:
        yield f"no score of {night.planned:,} trials"
    else:
        low, high = bounds_of(score)
        yield f"{score.estimate:.2f}" + (f" ({low:.2f} to {high:.2f})" if low < high else "")
        yield f"n {score.n:,} of {night.planned:,}"
    yield from (
        f"{night.outcomes[name]:,} {outcome_label(name)}" for name in NOT_SCORED if night.outcomes[name]
    )


def _took(night: NightScore) -> Iterator[str]:
    if night.fresh is not None:
        yield f"rotating cases {night.fresh:.2f} (n {night.fresh_n:,})"
    if night.score:
        length = night.effective_length
        told = length_labels([length])[0] if length else "below the shortest"
        yield f"effective length {told if night.length_told else TOO_FEW_TO_TELL}"
    if night.cost:
        yield spending_label(Decimal(night.cost), "usd")
    if night.prompt_tokens is not None:
        yield f"{amount_label(night.prompt_tokens)} prompt tokens"
    if night.latency_p50_s is not None and night.latency_p50_s >= _SHOWN_S:
        yield f"p50 {duration_label(night.latency_p50_s)}"
