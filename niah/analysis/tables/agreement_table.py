"""How far the judges of a run agree with each other, where there are several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from niah.analysis.columns import coded, groups
from niah.analysis.tables.table import Table, Value
from niah.judges.agreement import Levels, bias, exact, levels, quadratic_weighted_kappa, within_one
from niah.runs.trial import TrialRecord

_NOTE = (
    "Answers that both judges scored. exact: the same score; within_one: at most one level apart (levels: 1,"
    " 3, 5, 7, 10); kappa: quadratic-weighted, 1 is perfect, 0 chance, empty where both know only one and the"
    " same level; bias: mean level of the second judge minus the first, above 0 where the second is more"
    " lenient."
)


def agreement(records: Sequence[TrialRecord]) -> Table:
    """One row per pair of judges over all readers, then one for each reader."""
    judged = [record for record in records if len(record.judge_scores or {}) > 1]
    judges = sorted({judge for record in judged for judge in record.judge_scores or {}})
    return Table(
        name="judge-agreement",
        title="Agreement between judges",
        columns=("judge", "other_judge", "reader", "n", "exact", "within_one", "kappa", "bias"),
        rows=tuple(row for pair in combinations(judges, 2) for row in _rows(judged, *pair)),
        note=_NOTE,
    )


def _rows(records: Sequence[TrialRecord], first: str, second: str) -> Iterator[tuple[Value, ...]]:
    both = [(record.reader, record.judge_scores or {}) for record in records]
    both = [(reader, scores) for reader, scores in both if first in scores and second in scores]
    if not both:
        return
    one, other = (levels([scores[judge] for _, scores in both]) for judge in (first, second))
    yield (first, second, "all", *_agreement(one, other))
    for (reader,), rows in groups(np.arange(len(both)), coded([reader for reader, _ in both])):
        yield (first, second, reader, *_agreement(one[rows], other[rows]))


def _agreement(first: Levels, second: Levels) -> tuple[Value, ...]:
    measures = (exact, within_one, quadratic_weighted_kappa, bias)
    return len(first), *(measure(first, second) for measure in measures)
