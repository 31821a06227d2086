"""An estimate with its interval."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_CLUSTERS = 5
"""An interval of fewer clusters says nothing, and would hide all others: it is not drawn."""

ALIKE = "all alike"
"""In place of an interval that is a point: clusters that came to the same tell nothing of others."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval.

    Attributes:
        estimate: over all trials, each with the same weight.
        low, high: the interval; None with fewer than two clusters, which say nothing of others.
        n: trials (or pairs).
        clusters: how many.
    """

    estimate: float
    low: float | None
    high: float | None
    n: int
    clusters: int


_POINT = 1e-6
"""Bounds that differ by less come from rounding in sums, not from clusters that differ."""


def is_point(low: float, high: float) -> bool:
    """Whether an interval has no width: all clusters came to the same value."""
    return abs(high - low) < _POINT


def has_bounds(interval: Interval) -> bool:
    """Whether the interval says anything: of few clusters it does not."""
    return interval.low is not None and interval.high is not None and interval.clusters >= LEAST_CLUSTERS
