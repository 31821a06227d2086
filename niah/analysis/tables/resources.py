"""What the trials took: tokens, money and time, by reader and strategy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import Columns, groups
from niah.analysis.tables.table import Table, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NOTE = (
    "Over the trials that say, whatever their outcome: n counts them, unknown the others, in no sum."
    " p50 and p95: the least value that half and 95 % of them do not exceed. Tokens are the reader's own."
)


def resources(columns: Columns) -> Table:
    """One row per reader, strategy and quantity."""
    return Table(
        name="resources",
        title="Tokens, cost and latency",
        columns=("reader", "strategy", "quantity", "p50", "p95", "total", "n", "unknown"),
        rows=tuple(_rows(columns)),
        note=_NOTE,
    )


def _rows(columns: Columns) -> Iterator[tuple[Value, ...]]:
    quantities = {
        "prompt tokens": columns.prompt_tokens,
        "cached tokens": columns.cached_tokens,
        "answer tokens": columns.completion_tokens,
        "cost in $": columns.cost,
        "latency in s": columns.latency_s,
    }
    for names, rows in groups(columns.rows, columns.reader, columns.strategy):
        for quantity, values in quantities.items():
            yield (*names, quantity, *_measures(values[rows]))


def _measures(values: NDArray[np.float64]) -> tuple[Value, ...]:
    known = values[~np.isnan(values)]
    if not len(known):
        return None, None, None, 0, len(values)
    middle, high = np.quantile(known, (0.5, 0.95), method="inverted_cdf")
    return float(middle), float(high), float(known.sum()), len(known), len(values) - len(known)
