"""Win rates pooled over readers and needle sets, as the paper prints them (sections 5.1.2 and 5.3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_names, row_groups
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.tables.u_niah.settings import nested, printed, rag_strategies, rows_with
from niah.analysis.tables.win_rates import lc_scores
from niah.reference.numbers import ReferenceNumber

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_NESTED_SET = "needle-in-needle"
_NOTE = (
    "Share, in %, of pairs (same case, reader and repeat, both scored) in which RAG scores as high as full"
    " context or higher: ties are won. pooled: all readers' and needle sets' pairs together, as the paper"
    " counts; mean_of_sets: each reader and needle set with the same weight, so that none counts for more"
    " because it has more pairs. Intervals, by reader: win-rates. printed: the paper's, of other readers."
)


def pooled_win_rates(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Table:
    """One row per strategy that stands for RAG and part of the pairs: all, a band of length, a haystack."""
    return Table(
        "u-niah-win-rates",
        "u-niah, sections 5.1.2 and 5.3.1: win rates pooled",
        ("needles", "part", "rag", "printed", "pooled", "mean_of_sets", "pairs"),
        tuple(_rows(frame, numbers)),
        _NOTE,
    )


def _rows(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Iterator[tuple[TableValue, ...]]:
    lc, inside = lc_scores(frame), nested(frame)
    won = frame["score"].to_numpy() >= lc
    for rag in rag_strategies(frame):
        pairs = rows_with(frame, [rag]) & ~np.isnan(lc)
        for needles, which in (("plain", pairs & ~inside), ("nested", pairs & inside)):
            source, dataset = (
                ("section 5.3.1", _NESTED_SET) if needles == "nested" else ("section 5.1.2", None)
            )
            for part, where, rows in _parts(frame, np.flatnonzero(which)):
                paper = printed(numbers, source, "win rate %", dataset=dataset, strategy="topk", **where)
                rates = [won[own].mean() for _, own in row_groups(frame, "reader", "needle_set", rows=rows)]
                pooled = (100 * float(won[rows].mean()), 100 * float(np.mean(rates)))
                yield (needles, part, rag, paper, *pooled, len(rows))


def _parts(
    frame: DataFrame, rows: NDArray[np.intp]
) -> Iterator[tuple[str, dict[str, str | None], NDArray[np.intp]]]:
    """All pairs, those of each band, and of each haystack where there are several."""
    if not len(rows):
        return
    yield "all", {}, rows
    for (band,), own in row_groups(frame, "length_band", rows=rows):
        yield band, {"band": band}, own
    if len(category_names(frame, "haystack")) > 1:
        for (haystack,), own in row_groups(frame, "haystack", rows=rows):
            yield haystack, {"haystack": haystack}, own
