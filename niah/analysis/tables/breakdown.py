"""Scores by kind of question, haystack and needle set (long-context-vs-rag, section 5.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.causes.needle_sets_asked import Asked
from niah.analysis.columns import Coded, Columns, coded, groups
from niah.analysis.pairs import CORRECT, lc_scores
from niah.analysis.stats.spread import SPREAD, spread
from niah.analysis.tables.table import Table, Value
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN_KIND = "unknown"

_NOTE = (
    "correct: share of scored trials with a score of 10. Of the pairs with lc (same case, reader and repeat,"
    " both scored): only_rag and only_lc count those that one side alone answers correctly; win_rate is the"
    " share in which retrieval's score is as high as lc's or higher."
)


def by_kind(columns: Columns, records: Sequence[TrialRecord], asked: Asked) -> Table:
    """One row per reader, strategy and kind of question; "unknown" where the needle set is gone."""
    kinds = {name: needle_set.kind for (name, _), needle_set in asked.items()}
    names = coded([kinds.get(record.needle_set, UNKNOWN_KIND) for record in records])
    return _breakdown(columns, "kind", names, "Scores by kind of question")


def by_haystack(columns: Columns) -> Table:
    """One row per reader, strategy and haystack."""
    return _breakdown(columns, "haystack", columns.haystack, "Scores by haystack")


def by_needle_set(columns: Columns) -> Table:
    """One row per reader, strategy and needle set."""
    return _breakdown(columns, "needle_set", columns.needle_set, "Scores by needle set")


def _breakdown(columns: Columns, what: str, names: Coded, title: str) -> Table:
    return Table(
        name=f"scores-by-{what.replace('_', '-')}",
        title=title,
        columns=("reader", "strategy", what, *SPREAD, "correct", "pairs", "only_rag", "only_lc", "win_rate"),
        rows=tuple(_rows(columns, names)),
        note=_NOTE,
    )


def _rows(columns: Columns, names: Coded) -> Iterator[tuple[Value, ...]]:
    lc, retrieving = lc_scores(columns), columns.retrieving
    for key, rows in groups(columns.rows, columns.reader, columns.strategy, names):
        scores = columns.score[rows]
        against = _against(scores, lc[rows]) if retrieving[rows[0]] else (None,) * 4
        yield (*key, *spread(scores), _share(scores[~np.isnan(scores)] == CORRECT), *against)


def _against(rag: NDArray[np.float64], lc: NDArray[np.float64]) -> tuple[Value, ...]:
    """Pairs, only retrieval right, only lc right, and the win rate."""
    rag, lc = rag[~np.isnan(lc)], lc[~np.isnan(lc)]
    right, lc_right = rag == CORRECT, lc == CORRECT
    return len(lc), int((right & ~lc_right).sum()), int((~right & lc_right).sum()), _share(rag >= lc)


def _share(holds: NDArray[np.bool_]) -> float | None:
    return float(holds.mean()) if len(holds) else None
