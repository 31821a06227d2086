"""Which side answers what: both, only lc, only retrieval, neither (long-context-vs-rag, section 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import Columns, groups
from niah.analysis.pairs import CORRECT, NEARLY_CORRECT, lc_scores
from niah.analysis.tables.table import Table, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_READINGS = {"strict": CORRECT, "loose": NEARLY_CORRECT}
_NOTE = (
    "Pairs of trials of the same case, reader and repeat, both scored. An answer is correct strictly with a"
    f" score of {CORRECT}, loosely with {NEARLY_CORRECT} or more (aligned, with minor omissions)."
    " long-context-vs-rag takes exact match for strict, and for loose who has the higher F1: the latter is"
    " rag_better and lc_better in the table of win rates."
)


def win_lose(columns: Columns) -> Table:
    """One row per reader, retrieving strategy and reading of "correct", strict and loose."""
    return Table(
        name="win-lose",
        title="Which side answers what",
        columns=("reader", "strategy", "reading", "pairs", "both", "only_lc", "only_rag", "neither"),
        rows=tuple(_rows(columns)),
        note=_NOTE,
    )


def _rows(columns: Columns) -> Iterator[tuple[Value, ...]]:
    lc = lc_scores(columns)
    for names, rows in groups(np.flatnonzero(~np.isnan(lc)), columns.reader, columns.strategy):
        for reading, least in _READINGS.items():
            yield (*names, reading, len(rows), *_quarters(lc[rows] >= least, columns.score[rows] >= least))


def _quarters(lc: NDArray[np.bool_], rag: NDArray[np.bool_]) -> tuple[int, ...]:
    """Both, only lc, only retrieval, neither."""
    return tuple(int(part.sum()) for part in (lc & rag, lc & ~rag, ~lc & rag, ~lc & ~rag))
