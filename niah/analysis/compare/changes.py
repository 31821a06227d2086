"""What else changed: error types, outcomes, retrieval, tokens, cost and time. Not tested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level
from niah.analysis.compare.moments import interval_half_widths, moments
from niah.analysis.compare.rows import finite
from niah.analysis.frame import category_codes
from niah.analysis.grouping import OUTCOMES
from niah.analysis.trial_columns import Trials
from niah.judges.error_types import ERROR_TYPE_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MEASURED = {
    "retrieval completeness": "retrieval_completeness",
    "prompt tokens": "prompt_tokens",
    "answer tokens": "completion_tokens",
    "cost in $": "cost",
    "latency in s": "latency_s",
}


@dataclass(frozen=True)
class QuantityChange:
    """One quantity of one reader and strategy.

    Attributes:
        parts: of the axes "reader" and "strategy", those that cut the table.
        quantity: "answers missing only" (error types), "trials truncated" (outcomes), "latency in s" ...
        n: pairs in which both sides say.
        baseline, candidate: means over these pairs; of error types and outcomes, shares.
        difference: candidate minus baseline.
        low, high: its 95 % interval, by clusters; None with fewer than two.
        clusters: of the pairs.
    """

    parts: dict[str, str]
    quantity: str
    n: int
    baseline: float
    candidate: float
    difference: float
    low: float | None
    high: float | None
    clusters: int


def quantity_changes(baseline: Trials, candidate: Trials, level: Level) -> tuple[QuantityChange, ...]:
    """Every quantity that is there, row by row of ``level``. What no pair shows is left out."""
    first, second = _quantities(baseline), _quantities(candidate)
    cluster = np.asarray(baseline["cluster"])
    found = [
        (at, change)
        for quantity, before in first.items()
        for at, change in _changes(quantity, before, second[quantity], cluster, level)
    ]
    return tuple(change for _, change in sorted(found, key=lambda each: each[0]))


def _quantities(frame: Trials) -> dict[str, NDArray[np.float64]]:
    """By name, of each trial; NaN where it does not say."""
    error, outcome = category_codes(frame, "error_type"), category_codes(frame, "outcome")
    was_run = outcome != OUTCOMES.index("not_run")
    return {
        **{
            f"answers {name.replace('_', ' ')}": np.where(error >= 0, error == place, np.nan)
            for place, name in enumerate(ERROR_TYPE_NAMES)
        },
        **{
            f"trials {name.replace('_', ' ')}": np.where(was_run, outcome == place, np.nan)
            for place, name in enumerate(OUTCOMES)
            if name != "not_run"
        },
        **{name: np.asarray(frame[column]) for name, column in _MEASURED.items()},
    }


def _changes(
    quantity: str,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    clusters: NDArray[np.int64],
    level: Level,
) -> Iterator[tuple[int, QuantityChange]]:
    """Each with its row of ``level``."""
    known = ~np.isnan(after - before)
    first = moments(level, clusters, np.where(known, before, np.nan)).mean
    found = moments(level, clusters, after - before)
    half_widths = interval_half_widths(found)
    for at, name in enumerate(level.names):
        mean, old = float(found.mean[at]), float(first[at])
        if found.n[at] and (old or mean):
            yield (
                at,
                QuantityChange(
                    parts=dict(zip(level.axes, name, strict=True)),
                    quantity=quantity,
                    n=int(found.n[at]),
                    baseline=old,
                    candidate=old + mean,
                    difference=mean,
                    low=finite(mean - half_widths[at]),
                    high=finite(mean + half_widths[at]),
                    clusters=int(found.clusters[at]),
                ),
            )
