"""One row per reader and strategy: score, outcomes, and what it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean
from typing import TypeVar

from niah.analysis.grouping import GroupKey, count_outcomes, grouped, mean_score
from niah.runs.trial import Outcome, TrialRecord

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True)
class SummaryRow:
    """What became of one reader's trials with one strategy.

    Sums and means run over the trials that say; a quantity that none of them says is None, never 0.

    Attributes:
        reader, strategy: whose trials.
        needle_set: the one needle set, or None where all are taken together.
        score: mean score, 1 to 10, over outcome "scored" alone.
        n: how many trials were scored.
        outcomes: count of every outcome, zeros included.
        prompt_tokens, completion_tokens, cached_tokens: sums, in the reader's tokens.
        seconds: sum of latencies.
        retrieval_completeness: mean share, 0 to 1, of needles wholly inside the retrieved chunks; None for
            whole-context strategies.
    """

    reader: str
    strategy: str
    needle_set: str | None
    score: float | None
    n: int
    outcomes: Mapping[Outcome, int]
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    seconds: float | None
    retrieval_completeness: float | None

    @property
    def trials(self) -> int:
        """Trials planned, whatever became of them."""
        return sum(self.outcomes.values())


def summarise(records: Sequence[TrialRecord], *, per_needle_set: bool = False) -> tuple[SummaryRow, ...]:
    """One row per reader and strategy (and needle set); the order of the records changes nothing."""
    groups = grouped(records, per_needle_set=per_needle_set)
    return tuple(_row(key, group) for key, group in groups.items())


def _row(key: GroupKey, records: Sequence[TrialRecord]) -> SummaryRow:
    outcomes = count_outcomes(records)
    completeness = _known(record.retrieval_completeness for record in records)
    seconds = _known(record.latency_s for record in records)
    return SummaryRow(
        *key,
        score=mean_score(records),
        n=outcomes["scored"],
        outcomes=outcomes,
        prompt_tokens=_total(record.prompt_tokens for record in records),
        completion_tokens=_total(record.completion_tokens for record in records),
        cached_tokens=_total(record.cached_tokens for record in records),
        seconds=fsum(seconds) if seconds else None,
        retrieval_completeness=fmean(completeness) if completeness else None,
    )


def _known(values: Iterable[_Number | None]) -> list[_Number]:
    return [value for value in values if value is not None]


def _total(values: Iterable[int | None]) -> int | None:
    known = _known(values)
    return sum(known) if known else None
