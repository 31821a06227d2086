"""How often retrieval does as well as reading everything (u-niah, sections 5.1.2 and 5.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.bands import bands
from niah.analysis.columns import Columns, groups
from niah.analysis.pairs import lc_scores
from niah.analysis.stats.bootstrap import win_rate
from niah.analysis.tables.table import Table, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_NOTE = (
    "A pair is a trial with retrieval and the lc trial of the same case, reader and repeat, both scored."
    " win_rate is the share of pairs in which retrieval's score is as high as lc's or higher; rag_better,"
    " equal and lc_better count the pairs. low and high: 95 % interval, clusters (needle set x seed)"
    " resampled; empty with fewer than two. not_paired: trials with retrieval that miss a score, or lc's."
    " A band takes its upper border; 1k is 1024 tokens."
)


def win_rates(columns: Columns) -> Table:
    """One row per reader, retrieving strategy and band, below one over all lengths."""
    return Table(
        name="win-rates",
        title="Retrieval against reading everything",
        columns=(
            *("reader", "strategy", "band", "win_rate", "low", "high"),
            *("pairs", "rag_better", "equal", "lc_better", "not_paired"),
        ),
        rows=tuple(_rows(columns)),
        note=_NOTE,
    )


def _rows(columns: Columns) -> Iterator[tuple[Value, ...]]:
    band, lc = bands(columns.length), lc_scores(columns)
    asked = np.flatnonzero(columns.retrieving)
    for names, rows in groups(asked, columns.reader, columns.strategy):
        yield (*names, "all", *_rates(columns, lc, rows))
        for (name,), members in groups(rows, band):
            yield (*names, name, *_rates(columns, lc, members))


def _rates(columns: Columns, lc: NDArray[np.float64], rows: NDArray[np.intp]) -> tuple[Value, ...]:
    paired = rows[~np.isnan(lc[rows])]
    ours, theirs = columns.score[paired], lc[paired]
    counts = tuple(int(count.sum()) for count in (ours > theirs, ours == theirs, ours < theirs))
    if not len(paired):
        return (None, None, None, 0, *counts, len(rows))
    found = win_rate(ours, theirs, columns.cluster[paired])
    return (found.estimate, found.low, found.high, len(paired), *counts, len(rows) - len(paired))
