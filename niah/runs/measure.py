"""A run's answers by metrics of question answering."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from niah.cases.samples import key_of
from niah.judges.metrics.metric import Metric
from niah.judges.metrics.references import references
from niah.runs.trial import TrialRecord


def measured(records: Iterable[TrialRecord], metrics: Sequence[Metric]) -> list[dict[str, object]]:
    """One mapping per scored trial: its id, reader and strategy, and each metric's value, 0 to 1."""
    rows: list[dict[str, object]] = []
    for record in records:
        against = _references(record.needle_set, record.seed)
        if record.outcome == "scored":
            values: dict[str, object] = {
                metric.name: metric.score(record.answer, against) for metric in metrics
            }
            named = {"trial_id": record.trial_id, "reader": record.reader, "strategy": record.strategy}
            rows.append(named | values)
    return rows


@lru_cache(maxsize=1024)
def _references(needle_set: str, seed: int) -> tuple[str, ...]:
    return references(key_of(needle_set, seed))
