"""A run's answers by metrics of question answering."""

from __future__ import annotations

from collections.abc import Sequence

from niah.judges.metrics.metric import Metric
from niah.runs.file.read_model import RunContents


def measured(run: RunContents, metrics: Sequence[Metric]) -> list[dict[str, object]]:
    """One mapping per scored trial: its id, reader and strategy, and each metric's value, 0 to 1, or None."""
    return [
        {"trial_id": record.trial_id, "reader": record.reader, "strategy": record.strategy}
        | {metric.name: metric.of_key(record.answer, run.samples[record.case_id].key) for metric in metrics}
        for record in run.records
        if record.outcome == "scored"
    ]
