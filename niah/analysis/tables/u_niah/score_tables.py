"""Tables 1, 2 and 4: scores in the paper's arrangement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, category_names, row_groups
from niah.analysis.tables.score_tables import mean_and_sd
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.tables.u_niah.settings import (
    PAPER_ORDERS,
    PAPER_SCOPES,
    dataset_name,
    needle_sets,
    nested,
    organised,
    printed,
    rag_strategies,
    rows_with,
    scope_names,
    whole_context,
)
from niah.reference.numbers import ReferenceNumber

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_MOST_COLUMNS = 12
_SPREAD_NOTE = (
    "Mean ± sample standard deviation of scores, 1 to 10, over all depths, seeds and repeats that were"
    " scored. RAG: the few best chunks, best first, by the strategy named. The same"
    " numbers, with n and what was not scored, stand in scores-by-needle-set-and-length; the paper's stand"
    " beside them in beside-papers."
)
_ORGANISATION_NOTE = (
    "Mean scores of all readers together: topk, half and full over both orders, norm (best first) and"
    " reverse over the three scopes. The paper does not say which settings each of its columns averages;"
    " printed: what it has, of other readers."
)


def table_1(frame: DataFrame) -> Table:
    """LC and RAG by reader, haystack and length, needle sets across; none where these are too many."""
    plain, down = ~nested(frame), ("reader", "haystack")
    sets = needle_sets(frame, plain)
    rows = _side_by_side(frame, plain, down, "needle_set", sets) if 0 < len(sets) <= _MOST_COLUMNS else ()
    return Table(
        "u-niah-table-1",
        "u-niah, table 1: LC and RAG by needle set",
        (*down, "band", "rag", *(f"{name} {side}" for name in sets for side in ("lc", "rag"))),
        tuple(rows),
        _SPREAD_NOTE,
    )


def table_4(frame: DataFrame) -> Table:
    """LC and RAG on needles in needles by haystack and length, readers across."""
    inside = nested(frame)
    readers = _present(frame, "reader", inside)
    many = len(readers) > _MOST_COLUMNS
    rows = () if many or not readers else _side_by_side(frame, inside, ("haystack",), "reader", readers)
    return Table(
        "u-niah-table-4",
        "u-niah, table 4: LC and RAG on needles in needles",
        ("haystack", "band", "rag", *(f"{name} {side}" for name in readers for side in ("lc", "rag"))),
        tuple(rows),
        _SPREAD_NOTE,
    )


def table_2(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Table:
    """Scopes and orders by needle set and length, all readers together."""
    columns = (*PAPER_SCOPES, *PAPER_ORDERS)
    return Table(
        "u-niah-table-2",
        "u-niah, table 2: how retrieved context is organised",
        ("needle_set", "band", *columns, *(f"printed_{name}" for name in columns), "n"),
        tuple(_organisation(frame, numbers)),
        _ORGANISATION_NOTE,
    )


def _present(frame: DataFrame, column: str, which: NDArray[np.bool_]) -> list[str]:
    names = category_names(frame, column)
    return [names[place] for place in np.unique(category_codes(frame, column)[which]) if place >= 0]


def _side_by_side(
    frame: DataFrame, which: NDArray[np.bool_], down: Sequence[str], across: str, names: Sequence[str]
) -> Iterator[tuple[TableValue, ...]]:
    """A row per names of ``down``, band and strategy that stands for RAG; both sides of each name across."""
    score, reads_all, codes = frame["score"].to_numpy(), whole_context(frame), category_codes(frame, across)
    every = category_names(frame, across)
    for rag in rag_strategies(frame):
        retrieves = rows_with(frame, [rag])
        asked = np.flatnonzero(which & (reads_all | retrieves))
        for placed, rows in row_groups(frame, *down, "length_band", rows=asked):
            if not retrieves[rows].any():
                continue
            cells = []
            for other in names:
                own = rows[codes[rows] == every.index(other)]
                cells += [_spread(score[own[side[own]]]) for side in (reads_all, retrieves)]
            yield (*placed, rag, *cells)


def _spread(scores: NDArray[np.float64]) -> str | None:
    """Mean and deviation as the paper prints them: "8.2±2.2", of a single score "8.0"."""
    mean, sd, n, _ = mean_and_sd(scores)
    if not n:
        return None
    return f"{mean:.1f}" if sd is None else f"{mean:.1f}±{sd:.1f}"


def _organisation(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Iterator[tuple[TableValue, ...]]:
    score, order = frame["score"].to_numpy(), frame["order"].astype(object).to_numpy()
    scope = scope_names(frame)
    asked = np.flatnonzero(organised(frame) & ~np.isnan(score))
    if len(set(zip(scope[asked], order[asked], strict=True))) < 2:
        return
    groups = dict(row_groups(frame, "needle_set", "length_band", rows=asked))
    sets = needle_sets(frame, organised(frame))
    for (needle_set, band), rows in sorted(groups.items(), key=lambda item: sets.index(item[0][0])):
        cells: dict[str, float | None] = {}
        for names, column in ((PAPER_SCOPES, scope), (PAPER_ORDERS, order)):
            for name in names:
                own = score[rows[column[rows] == name]]
                cells[name] = float(own.mean()) if len(own) else None
        paper = [
            printed(numbers, "table 2", "score", dataset=dataset_name(needle_set), band=band, strategy=name)
            for name in cells
        ]
        yield (needle_set, band, *cells.values(), *paper, len(rows))
