"""What became of the trials and what they took, by reader and strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import ceil, fsum
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, coded_column, row_groups
from niah.analysis.grouping import OUTCOMES
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.runs.trial import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_QUANTITIES = {
    "prompt tokens": "prompt_tokens",
    "cached tokens": "cached_tokens",
    "answer tokens": "completion_tokens",
    "thinking tokens": "thinking_tokens",
    "cost in $": "cost",
    "thinking cost in $": "thinking_cost",
    "latency in s": "latency_s",
}
_OF_THOUGHTS = ("thinking_tokens", "thinking_cost")
_RESOURCES_NOTE = (
    "Over the trials that say, whatever their outcome: n counts them, unknown the others, in no sum."
    " p50 and p95: the least value that half and 95 % of them do not exceed. Tokens are the reader's own."
    " Cost is by tokens and price. Answers from the cache, which nothing was spent on, are left out."
    " Thoughts are among the answer's tokens and cost, and stand apart as well where there are any."
)


@dataclass(frozen=True)
class SummaryRow:
    """What became of one reader's trials with one strategy.

    Sums and means run over the trials that say; a quantity that none of them says is None, never 0. Sums of
    tokens and seconds leave out answers that nothing was spent on.

    Attributes:
        reader, strategy: whose trials.
        score: mean score, 1 to 10, over outcome "scored" alone.
        n: how many trials were scored.
        outcomes: count of every outcome, zeros included.
        prompt_tokens, completion_tokens, cached_tokens: sums, in the reader's tokens.
        seconds: sum of latencies.
        retrieval_completeness: mean share, 0 to 1, of needles wholly inside the retrieved chunks; None for
            whole-context strategies.
        thinking_tokens: sum, of the completions.
    """

    reader: str
    strategy: str
    score: float | None
    n: int
    outcomes: Mapping[Outcome, int]
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    seconds: float | None
    retrieval_completeness: float | None
    thinking_tokens: int | None = None

    @property
    def trials(self) -> int:
        """Trials planned, whatever became of them."""
        return sum(self.outcomes.values())


def summarise(frame: DataFrame) -> tuple[SummaryRow, ...]:
    """One row per reader and strategy; the order of the rows changes nothing."""
    outcome = category_codes(frame, "outcome")

    asked = ~frame["from_cache"].to_numpy(dtype=bool)

    def total(name: str, rows: NDArray[np.intp]) -> float | None:
        values = frame[name].to_numpy()[rows]
        known = values[~np.isnan(values)]
        return fsum(known) if len(known) else None

    def mean(name: str, rows: NDArray[np.intp]) -> float | None:
        known, whole = frame[name].to_numpy()[rows], total(name, rows)
        return None if whole is None else whole / int((~np.isnan(known)).sum())

    def tokens(name: str, rows: NDArray[np.intp]) -> int | None:
        whole = total(name, rows[asked[rows]])
        return None if whole is None else int(whole)

    return tuple(
        SummaryRow(
            reader,
            strategy,
            score=mean("score", rows),
            n=int(frame["scored"].to_numpy()[rows].sum()),
            outcomes=dict(zip(OUTCOMES, _outcome_counts(outcome[rows]), strict=True)),
            prompt_tokens=tokens("prompt_tokens", rows),
            completion_tokens=tokens("completion_tokens", rows),
            cached_tokens=tokens("cached_tokens", rows),
            seconds=total("latency_s", rows[asked[rows]]),
            retrieval_completeness=mean("retrieval_completeness", rows),
            thinking_tokens=tokens("thinking_tokens", rows),
        )
        for (reader, strategy), rows in row_groups(frame, "reader", "strategy")
    )


def outcome_table(frame: Trials) -> Table:
    """One row per reader and strategy; every outcome is a column, zeros included."""
    return Table(
        name="outcomes",
        title="Outcomes",
        columns=("reader", "strategy", "trials", *OUTCOMES),
        rows=tuple(_outcome_rows(frame)),
        note="Only a scored trial has a score; no other outcome turns into one.",
    )


def _outcome_rows(frame: Trials) -> Iterator[tuple[TableValue, ...]]:
    columns = [coded_column(frame, name) for name in ("reader", "strategy", "outcome")]
    counts = np.zeros([len(each.names) for each in columns], dtype=np.int64)
    np.add.at(counts, tuple(each.codes for each in columns), 1)
    readers, strategies, outcomes = (each.names for each in columns)
    every = counts.reshape(-1, len(outcomes)).tolist()
    for names, own in zip(product(readers, strategies), every, strict=True):
        if trials := sum(own):
            yield (*names, trials, *own)


def _outcome_counts(places: NDArray[np.int64]) -> list[int]:
    counts: list[int] = np.bincount(places, minlength=len(OUTCOMES)).tolist()
    return counts


def resource_table(frame: Trials) -> Table:
    """One row per reader, strategy and quantity."""
    return Table(
        name="resources",
        title="Tokens, cost and latency",
        columns=("reader", "strategy", "quantity", "p50", "p95", "total", "n", "unknown"),
        rows=tuple(_resource_rows(frame)),
        note=_RESOURCES_NOTE,
    )


def _resource_rows(frame: Trials) -> Iterator[tuple[TableValue, ...]]:
    asked = ~np.asarray(frame["from_cache"])
    columns = {name: np.asarray(frame[name]) for name in _QUANTITIES.values()}
    said = {name: ~np.isnan(values) for name, values in columns.items()}
    for names, rows in row_groups(frame, "reader", "strategy"):
        rows = rows[asked[rows]]
        for quantity, column in _QUANTITIES.items():
            known = columns[column][rows[said[column][rows]]]
            if column in _OF_THOUGHTS and not known.any():
                continue
            unknown = len(rows) - len(known)
            if not len(known):
                yield (*names, quantity, None, None, None, 0, unknown)
                continue
            rising = np.sort(known)
            middle, high = (_least_of_share(rising, share) for share in (0.5, 0.95))
            yield (*names, quantity, middle, high, float(known.sum()), len(known), unknown)


def _least_of_share(rising: NDArray[np.float64], share: float) -> float:
    """The least of the values that so many of them do not exceed: the quantile by "inverted_cdf"."""
    return float(rising[max(ceil(len(rising) * share - 1), 0)])
