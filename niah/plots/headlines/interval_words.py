"""An estimate in words, with its interval where there are clusters enough for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from niah.analysis.stats import Interval, has_bounds, is_point
from niah.plots.kit.labels import mean_label

if TYPE_CHECKING:
    from pandas import DataFrame

TOO_FEW_TO_TELL = "too few to tell"


def capitalised(sentence: str) -> str:
    """With a capital letter first, all others as they are."""
    return sentence[:1].upper() + sentence[1:]


def cluster_words(frame: DataFrame) -> str:
    """What trials share luck by, one of it: "document", "needle set and seed", and where they have one needle
    set alone, or one seed, "seed of one needle set" or "needle set of one seed".
    """
    if (frame["origin"] == "given").all():
        return "document"
    if frame["needle_set"].nunique() == 1:
        return "seed of one needle set"
    return "needle set of one seed" if frame["seed"].nunique() == 1 else "needle set and seed"


def several(cluster: str) -> str:
    """The plural of ``cluster_words``: "seeds of one needle set", "pairs of needle set and seed"."""
    if " and " in cluster:
        return f"pairs of {cluster}"
    one, of, whole = cluster.partition(" of ")
    return f"{one}s{of}{whole}"


def higher_than(interval: Interval) -> str:
    """A difference between two scores, of the first: "0.6 higher than", "0.6 lower than", "as high as"."""
    amount = f"{abs(interval.estimate):.1f}"
    if amount == "0.0":
        return "as high as"
    return f"{amount} {'higher' if interval.estimate > 0 else 'lower'} than"


def of_few(interval: Interval, cluster: str) -> str:
    """Why there are no bounds: ", from 2 seeds of one needle set: too few to tell"; "" where there are.

    Args:
        interval: of trials in clusters.
        cluster: what they share luck by, as ``cluster_words`` says it.
    """
    if has_bounds(interval):
        return ""
    if interval.clusters == 1:
        return f", from one {cluster} alone"
    return f", from {interval.clusters} {several(cluster)}: {TOO_FEW_TO_TELL}"


def score_words(interval: Interval) -> str:
    """A mean score: "6.8 (95 %: 5.9 to 7.7)"; the mean alone where clusters are too few."""
    mean = mean_label(interval.estimate)
    if interval.low is None or interval.high is None or not has_bounds(interval):
        return mean
    if is_point(interval.low, interval.high):
        return f"{mean} (all {interval.clusters} clusters alike)"
    return f"{mean} (95 %: {mean_label(interval.low)} to {mean_label(interval.high)})"


def lead_words(interval: Interval, *, signed: bool = False) -> str:
    """A difference between scores: "0.3 (95 %: -0.2 to 0.8)"; its sign stands before it where ``signed``.

    Where no two clusters differ there is no spread to tell an interval by.
    """
    lead = f"{interval.estimate:+z.1f}" if signed else f"{interval.estimate:z.1f}"
    if interval.low is None or interval.high is None or not has_bounds(interval):
        return lead
    if is_point(interval.low, interval.high):
        return f"{lead} (all {interval.clusters} clusters alike)"
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
