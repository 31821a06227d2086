"""An estimate with its interval."""

from __future__ import annotations

from dataclasses import dataclass


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
