"""Means with their intervals, group by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.stats.bootstrap import Interval, mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_CLUSTERS = 5
"""An interval of fewer clusters says nothing, and would hide all others: it is not drawn."""

_INTERVALS = "95 % intervals over clusters (needle set × seed)"
COLUMNS = ("mean", "low", "high", "n", "clusters")

Estimates = dict[tuple[float, ...], Interval]


def means(values: NDArray[np.float64], clusters: NDArray[np.int64], *by: NDArray[np.generic]) -> Estimates:
    """The mean of ``values`` in each group of rows that are alike in ``by``; NaN values are left out.

    All arrays have shape (n,). Groups without any value are not there.
    """
    return {
        key: mean_interval(values[rows], clusters[rows])
        for key, rows in groups(~np.isnan(values), *by).items()
    }


def groups(which: NDArray[np.bool_], *by: NDArray[np.generic]) -> dict[tuple[float, ...], NDArray[np.intp]]:
    """The places of the rows ``which``, by what they have in ``by``; keys rise."""
    rows = np.flatnonzero(which)
    if not len(rows):
        return {}
    order = rows[np.lexsort([column[rows] for column in reversed(by)])]
    keys = np.column_stack([column[order].astype(np.float64) for column in by])
    starts = np.flatnonzero(np.any(keys[1:] != keys[:-1], axis=1)) + 1
    return {tuple(keys[part[0]].tolist()): order[part] for part in np.split(np.arange(len(order)), starts)}


def row_of(found: Interval) -> tuple[float | int | None, ...]:
    """An interval as a table's row holds it, see ``COLUMNS``."""
    bounds = [None if bound is None else round_value(bound) for bound in (found.low, found.high)]
    return (round_value(found.estimate), *bounds, found.n, found.clusters)


def round_value(number: float) -> float:
    """To six decimals: what lies beyond is noise, and differs between machines."""
    return round(float(number), 6)


def bands_label(found: Estimates) -> str:
    """What the bands are, or why there are none."""
    return _shown("bands", found)


def whiskers_label(found: Estimates) -> str:
    """What the whiskers are, or why there are none."""
    return _shown("whiskers", found)


def _shown(what: str, found: Estimates) -> str:
    enough = [one.clusters >= LEAST_CLUSTERS for one in found.values()]
    if any(enough):
        return f"{what}: {_INTERVALS}" + ("" if all(enough) else f"; none for fewer than {LEAST_CLUSTERS}")
    return f"no {what}: fewer than {LEAST_CLUSTERS} clusters (needle set × seed)"


def trials_label(found: Mapping[Any, Interval]) -> str:
    """How many stand behind all means together: "n = 1,200 trials"."""
    return f"n = {sum(one.n for one in found.values()):,} trials"


def n_label(found: Estimates, of: str = "trial") -> str:
    """How many stand behind each mean: "n = 12 trials a point", or their range."""
    counts = [one.n for one in found.values()]
    low, high = min(counts), max(counts)
    span = f"{low:,}" if low == high else f"{low:,}–{high:,}"
    return f"n = {span} {of}{'s' if high > 1 else ''} a point"
