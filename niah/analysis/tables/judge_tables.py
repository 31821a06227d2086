"""How far the judges of a run agree with each other, and what metrics say of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.lengths import length_groups
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.judges.audit import (
    agreement_within_one,
    cohen_kappa,
    exact_agreement,
    mean_bias,
    score_levels,
)
from niah.judges.registry import cascade_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_METRIC_ROW = ("trial_id", "reader", "strategy")
_NOTE = (
    "Answers that both judges scored. exact: the same score; within_one: at most one level apart (levels: 1,"
    " 3, 5, 7, 10); kappa: quadratic-weighted, 1 is perfect, 0 chance, empty where both know only one and the"
    " same level; bias: mean level of the second judge minus the first, above 0 where the second is more"
    " lenient. Of a judge such as rubric+MODEL and its rules, only the answers count about which the model"
    " was asked."
)
_UNSURE_NOTE = (
    "unsure: scored answers that can be read in more than one way, so that rules cannot decide. mean: as"
    " scored; lowest and highest: were each of them given the lowest, or the highest, score that its readings"
    " allow. Where a model stands behind the rules (rubric+MODEL), the mean has its scores."
)
_METRICS_NOTE = (
    "Mean value of each metric, 0 to 1, over the answers that it has judged; n: answers that any of them has."
    " Which metrics judge is said by metrics in the run config, and added by niah judge RUN --judge NAME."
)


def agreement_table(frame: Trials) -> Table:
    """One row per pair of judges over all readers, then one for each reader."""
    # Most runs have one judge, and are done here.
    several = [scores for scores in frame["judge_scores"].tolist() if scores and len(scores) > 1]
    judges = sorted({judge for scores in several for judge in scores})
    return Table(
        name="judge-agreement",
        title="Agreement between judges",
        columns=("judge", "other_judge", "reader", "n", "exact", "within_one", "kappa", "bias"),
        rows=tuple(row for first, second in combinations(judges, 2) for row in _rows(frame, first, second)),
        note=_NOTE,
    )


def _rows(frame: Trials, first: str, second: str) -> Iterator[tuple[TableValue, ...]]:
    every = [scores or {} for scores in frame["judge_scores"].tolist()]
    both = np.flatnonzero([first in scores and second in scores for scores in every])
    cascade = cascade_of(second)
    if cascade and cascade[0] == first:
        both = both[np.asarray(frame["unsure"])[both]]
    if not len(both):
        return
    readers = [("all", both), *((name, rows) for (name,), rows in row_groups(frame, "reader", rows=both))]
    for reader, rows in readers:
        one, other = (score_levels([every[at][judge] for at in rows]) for judge in (first, second))
        shares = (exact_agreement(one, other), agreement_within_one(one, other))
        measures = (*shares, cohen_kappa(one, other, quadratic=True), mean_bias(one, other))
        yield (first, second, reader, len(rows), *measures)


def unsure_table(frame: Trials) -> Table:
    """One row per reader and strategy: what hangs on the answers that rules cannot decide about.

    No rows where there are none such.
    """
    unsure, scored = np.asarray(frame["unsure"]), np.asarray(frame["scored"])
    columns = ("score", "lowest", "highest")

    def row(names: tuple[str, ...], rows: NDArray[np.intp]) -> tuple[TableValue, ...]:
        own, open_to = rows[scored[rows]], int(unsure[rows].sum())
        means = (float(np.asarray(frame[name])[own].mean()) for name in columns)
        return (*names, len(own), open_to, open_to / len(own), *means)

    groups = row_groups(frame, "reader", "strategy") if unsure.any() else ()
    return Table(
        name="unsure",
        title="What the rules cannot decide",
        columns=("reader", "strategy", "n", "unsure", "share", "mean", "lowest", "highest"),
        rows=tuple(row(names, rows) for names, rows in groups if scored[rows].any()),
        note=_UNSURE_NOTE,
    )


def metrics_table(frame: Trials) -> Table:
    """One row per reader and strategy, a column for each metric; no rows where none has judged."""
    return _metric_table(
        frame, "metrics", "Metrics", ("reader", "strategy"), row_groups(frame, "reader", "strategy")
    )


def metrics_by_length(frame: Trials) -> Table:
    """One row per reader, strategy and length, a column for each metric; no rows where none has judged."""
    groups = (((*names, length), rows) for names, length, rows in length_groups(frame, "reader", "strategy"))
    title, by = "Metrics by context length", ("reader", "strategy", "length")
    return _metric_table(frame, "metrics-by-length", title, by, groups)


def _metric_table(
    frame: Trials,
    name: str,
    title: str,
    by: tuple[str, ...],
    groups: Iterable[tuple[tuple[TableValue, ...], NDArray[np.intp]]],
) -> Table:
    values: list[Mapping[str, float]] = [each or {} for each in frame["metric_values"].tolist()]
    metrics = sorted({metric for each in values for metric in each})
    rows = [(names, [values[row] for row in own if values[row]]) for names, own in groups if metrics]
    return Table(
        name=name,
        title=title,
        columns=(*by, "n", *metrics),
        rows=tuple(
            (*names, len(own), *(_mean(each.get(metric) for each in own) for metric in metrics))
            for names, own in rows
            if own
        ),
        note=_METRICS_NOTE,
    )


def metric_means(rows: Sequence[Mapping[str, object]]) -> Table:
    """The mean of each metric, 0 to 1, and n, per reader and strategy in the order in which they come.

    Args:
        rows: one mapping per trial, with reader, strategy and the metrics.
    """
    metrics = [name for name in (rows[0] if rows else ()) if name not in _METRIC_ROW]
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
