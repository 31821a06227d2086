"""A run's answers by metrics of question answering."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from niah.cases.samples import key_of
from niah.judges.metrics.metric import Metric
from niah.runs.trial import TrialRecord


def measured(records: Iterable[TrialRecord], metrics: Sequence[Metric]) -> list[dict[str, object]]:
    """One mapping per scored trial: its id, reader and strategy, and each metric's value, 0 to 1, or None."""
    return [
        {"trial_id": record.trial_id, "reader": record.reader, "strategy": record.strategy}
        | {
            metric.name: metric.of_key(record.answer, key_of(record.needle_set, record.seed))
            for metric in metrics
        }
        for record in records
        if record.outcome == "scored"
    ]
