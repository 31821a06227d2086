"""Means of metrics by reader and strategy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from niah.analysis.tables.table import Table

_NAMES = ("trial_id", "reader", "strategy")


def metric_means(rows: Sequence[Mapping[str, object]]) -> Table:
    """The mean of each metric, 0 to 1, and n, per reader and strategy in the order in which they come.

    Args:
        rows: one mapping per trial, with reader, strategy and the metrics.
    """
    metrics = [name for name in (rows[0] if rows else ()) if name not in _NAMES]
    groups: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for row in rows:
        groups.setdefault((str(row["reader"]), str(row["strategy"])), []).append(row)
    return Table(
        name="metrics",
        title="Answers against the reference answers",
        columns=("reader", "strategy", "n", *metrics),
        rows=tuple(
            (*key, len(group), *(_mean(row[name] for row in group) for name in metrics))
            for key, group in groups.items()
        ),
        note="Mean of the best value over the references of each question; scored trials only.",
    )


def _mean(values: Iterable[object]) -> float | None:
    """Of those that there are: a metric of options has no value for other questions."""
    numbers = [value for value in values if isinstance(value, float | int)]
    return fmean(numbers) if numbers else None
