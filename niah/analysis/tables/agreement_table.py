"""How far the judges of a run agree with each other, where there are several."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.tables.table import Table, TableValue
from niah.judges.agreement import bias, exact, levels, quadratic_weighted_kappa, within_one

if TYPE_CHECKING:
    from pandas import DataFrame

_NOTE = (
    "Answers that both judges scored. exact: the same score; within_one: at most one level apart (levels: 1,"
    " 3, 5, 7, 10); kappa: quadratic-weighted, 1 is perfect, 0 chance, empty where both know only one and the"
    " same level; bias: mean level of the second judge minus the first, above 0 where the second is more"
    " lenient."
)


def agreement_table(frame: DataFrame) -> Table:
    """One row per pair of judges over all readers, then one for each reader."""
    judges = sorted({judge for scores in frame["judge_scores"] for judge in scores or ()})
    return Table(
        name="judge-agreement",
        title="Agreement between judges",
        columns=("judge", "other_judge", "reader", "n", "exact", "within_one", "kappa", "bias"),
        rows=tuple(row for first, second in combinations(judges, 2) for row in _rows(frame, first, second)),
        note=_NOTE,
    )


def _rows(frame: DataFrame, first: str, second: str) -> Iterator[tuple[TableValue, ...]]:
    every = [scores or {} for scores in frame["judge_scores"]]
    both = np.flatnonzero([first in scores and second in scores for scores in every])
    if not len(both):
        return
    readers = [("all", both), *((name, rows) for (name,), rows in row_groups(frame, "reader", rows=both))]
    for reader, rows in readers:
        one, other = (levels([every[at][judge] for at in rows]) for judge in (first, second))
        measures = (measure(one, other) for measure in (exact, within_one, quadratic_weighted_kappa, bias))
        yield (first, second, reader, len(rows), *measures)
