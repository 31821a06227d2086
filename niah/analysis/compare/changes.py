"""What else changed: error types, outcomes, retrieval, tokens, cost and time. Not tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import Columns
from niah.analysis.compare.levels import Level
from niah.analysis.compare.moments import moments, reach
from niah.analysis.grouping import OUTCOMES
from niah.judges.error_types import ERROR_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.compare.pairs import Pairs
    from niah.runs.trial import TrialRecord

Sides = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


@dataclass(frozen=True)
class Change:
    """One quantity of one reader and strategy.

    Attributes:
        parts: of the axes "reader" and "strategy", those that cut the table.
        quantity: "answers missing only" (error types), "trials truncated" (outcomes), "latency in s" ...
        n: pairs in which both sides say.
        baseline, candidate: means over these pairs; of error types and outcomes, shares.
        difference: candidate minus baseline.
        low, high: its 95 % interval, by clusters; None with fewer than two.
    """

    parts: dict[str, str]
    quantity: str
    n: int
    baseline: float
    candidate: float
    difference: float
    low: float | None
    high: float | None


def changes(pairs: Pairs, baseline: Columns, candidate: Columns, level: Level) -> tuple[Change, ...]:
    """Every quantity that is there, row by row of ``level``. What no pair shows is left out."""
    found = [
        change
        for quantity, sides in _quantities(pairs, baseline, candidate)
        for change in _changes(quantity, sides, baseline.cluster, level)
    ]
    order = {tuple(name): at for at, name in enumerate(level.names)}
    return tuple(sorted(found, key=lambda change: order[tuple(change.parts.values())]))


def _quantities(pairs: Pairs, baseline: Columns, candidate: Columns) -> Iterator[tuple[str, Sides]]:
    first, second = _codes(pairs.baseline), _codes(pairs.candidate)
    for place, name in enumerate(ERROR_TYPES):
        yield f"answers {name.replace('_', ' ')}", (_share(first, place), _share(second, place))
    run = [_was_run(columns) for columns in (baseline, candidate)]
    for place, outcome in enumerate(OUTCOMES):
        if outcome != "not_run":
            yield (
                f"trials {outcome.replace('_', ' ')}",
                (_share(run[0], place), _share(run[1], place)),
            )
    yield "retrieval completeness", (_completeness(pairs.baseline), _completeness(pairs.candidate))
    yield "prompt tokens", (baseline.prompt_tokens, candidate.prompt_tokens)
    yield "answer tokens", (baseline.completion_tokens, candidate.completion_tokens)
    yield "cost in $", (baseline.cost, candidate.cost)
    yield "latency in s", (baseline.latency_s, candidate.latency_s)


def _changes(quantity: str, sides: Sides, clusters: NDArray[np.int64], level: Level) -> Iterator[Change]:
    before, after = sides
    known = ~np.isnan(after - before)
    first = moments(level, clusters, np.where(known, before, np.nan)).mean
    found = moments(level, clusters, after - before)
    reaches = reach(found)
    for at, name in enumerate(level.names):
        mean, old = float(found.mean[at]), float(first[at])
        if found.n[at] and (old or mean):
            yield Change(
                parts=dict(zip(level.axes, name, strict=True)),
                quantity=quantity,
                n=int(found.n[at]),
                baseline=old,
                candidate=old + mean,
                difference=mean,
                low=_known(mean - reaches[at]),
                high=_known(mean + reaches[at]),
            )


def _codes(records: Sequence[TrialRecord]) -> NDArray[np.float64]:
    """The place of each trial's error type; NaN without one."""
    places: dict[str | None, float] = {name: place for place, name in enumerate(ERROR_TYPES)}
    return np.array([places.get(record.error_type, np.nan) for record in records], dtype=np.float64)


def _was_run(columns: Columns) -> NDArray[np.float64]:
    """The place of each trial's outcome; NaN for one that was not run."""
    codes = columns.outcome.codes
    return np.where(codes == OUTCOMES.index("not_run"), np.nan, codes.astype(np.float64))


def _share(codes: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    return np.where(np.isnan(codes), np.nan, (codes == place).astype(np.float64))


def _completeness(records: Sequence[TrialRecord]) -> NDArray[np.float64]:
    values = (record.retrieval_completeness for record in records)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
