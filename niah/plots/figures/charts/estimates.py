"""Means with their intervals, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.stats import DIFFERENCES, LEAST_CLUSTERS, SHARES, Interval, mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

ESTIMATE_COLUMNS = ("mean", "low", "high", "n", "clusters")

mean_share = partial(mean_interval, scale=SHARES)
mean_count = partial(mean_interval, scale=(0, np.inf))
mean_gain = partial(mean_interval, scale=DIFFERENCES)
"""Of numbers from 0 to 1, of counts, of differences between scores; see ``means``."""

Estimates = dict[tuple[Any, ...], Interval]
"""By the names of a group, in the order of tables."""


def means(
    frame: DataFrame,
    values: str | NDArray[np.float64],
    *by: str,
    interval: Callable[..., Interval] = mean_interval,
) -> Estimates:
    """The mean of ``values`` in each group of trials that are alike in ``by``; NaN values are left out.

    Args:
        frame: of trials.
        values: a column, by name or shape (n,).
        by: categorical columns. Groups without any value are not there.
        interval: of values and what they share luck by, see ``mean_interval``; by default of scores.
    """
    numbers = np.asarray(frame[values] if isinstance(values, str) else values, dtype=np.float64)
    clusters = np.asarray(frame["cluster"])
    return {
        names: interval(numbers[rows], clusters[rows])
        for names, rows in row_groups(frame, *by, rows=np.flatnonzero(~np.isnan(numbers)))
    }


def names_in(found: Mapping[tuple[Any, ...], Any], place: int) -> list[Any]:
    """What stands at a place of the keys, each once, in order."""
    return list(dict.fromkeys(key[place] for key in found))


def row_of(found: Interval) -> tuple[float | int | None, ...]:
    """An interval as a table's row holds it, see ``ESTIMATE_COLUMNS``."""
    bounds = [None if bound is None else round_value(bound) for bound in (found.low, found.high)]
    return (round_value(found.estimate), *bounds, found.n, found.clusters)


def round_value(number: float) -> float:
    """To six decimals: what lies beyond is noise, and differs between machines."""
    return round(float(number), 6)


def bounds_of(point: Interval) -> tuple[float, float]:
    """From where to where its band reaches; the mean itself where clusters are too few for a band."""
    if point.low is None or point.high is None or point.clusters < LEAST_CLUSTERS:
        return point.estimate, point.estimate
    return point.low, point.high


def value_range(points: Iterable[Interval]) -> tuple[float, float]:
    """From where to where the points and their bands reach; at least one."""
    bounds = [bounds_of(point) for point in points]
    return min(low for low, _ in bounds), max(high for _, high in bounds)


@dataclass(frozen=True)
class Clusters:
    """What trials share luck by, for people.

    Attributes:
        name: "needle set × seed".
        others: what an interval over them is for: "new seeds of these needle sets".
    """

    name: str
    others: str


def has_intervals(found: Estimates) -> bool:
    """Whether any point is of enough clusters for one."""
    return any(one.clusters >= LEAST_CLUSTERS for one in found.values())


def interval_label(found: Estimates, drawn: str, clusters: Clusters) -> str:
    """What the intervals are, or why there are none.

    Args:
        found: the points that are drawn.
        drawn: what they look like: "bands" or "whiskers".
        clusters: what their trials share luck by.
    """
    if has_intervals(found):
        enough = all(one.clusters >= LEAST_CLUSTERS for one in found.values())
        rest = "" if enough else f"; none for fewer than {LEAST_CLUSTERS} clusters"
        return f"{drawn}: 95 % intervals for {clusters.others}{rest}"
    return f"no {drawn}: fewer than {LEAST_CLUSTERS} clusters ({clusters.name})"


def trials_label(found: Mapping[Any, Interval]) -> str:
    """How many stand behind all means together: "n = 1,200 trials"."""
    return f"n = {sum(one.n for one in found.values()):,} trials"


def n_label(found: Estimates, of: str = "trial") -> str:
    """How many stand behind each mean: "n = 12 trials a point", or their range."""
    counts = [one.n for one in found.values()]
    low, high = min(counts), max(counts)
    span = f"{low:,}" if low == high else f"{low:,}–{high:,}"
    return f"n = {span} {of}{'s' if high > 1 else ''} a point"
