"""An estimate in words, with its interval where there are clusters enough for one."""

from __future__ import annotations

from dataclasses import replace

from niah.analysis.stats.interval import Interval, has_bounds
from niah.plots.kit.labels import mean_label

TOO_FEW_TO_TELL = "too few to tell"


def capitalised(sentence: str) -> str:
    """With a capital letter first, all others as they are."""
    return sentence[:1].upper() + sentence[1:]


def of_few(interval: Interval, cluster: str) -> str:
    """Why there are no bounds: ", from 2 needle sets and seeds: too few to tell"; "" where there are.

    Args:
        interval: of trials in clusters.
        cluster: what they share luck by: "needle set and seed", "document".
    """
    if has_bounds(interval):
        return ""
    if interval.clusters == 1:
        return f", from one {cluster} alone"
    several = " and ".join(f"{word}s" for word in cluster.split(" and "))
    return f", from {interval.clusters} {several}: {TOO_FEW_TO_TELL}"


def score_words(interval: Interval) -> str:
    """A mean score: "6.8 (95 %: 5.9 to 7.7)"; the mean alone where clusters are too few."""
    mean = mean_label(interval.estimate)
    if interval.low is None or interval.high is None or not has_bounds(interval):
        return mean
    return f"{mean} (95 %: {mean_label(interval.low)} to {mean_label(interval.high)})"


def lead_words(interval: Interval, *, signed: bool = False) -> str:
    """A difference between scores: "0.3 (95 %: -0.2 to 0.8)"; its sign stands before it where ``signed``."""
    lead = f"{interval.estimate:+z.1f}" if signed else f"{interval.estimate:z.1f}"
    if not has_bounds(interval):
        return lead
    return f"{lead} (95 %: {interval.low:z.1f} to {interval.high:z.1f})"


def turned(interval: Interval) -> Interval:
    """The same difference, seen from the other side."""
    low, high = interval.low, interval.high
    return replace(
        interval,
        estimate=-interval.estimate,
        low=None if high is None else -high,
        high=None if low is None else -low,
    )
