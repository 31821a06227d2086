"""A run's judges next to labels by people: agreement, and means corrected by prediction-powered inference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.judges.audit import (
    FEWEST_LABELS,
    LABELS,
    Corrected,
    agreement_within_one,
    cohen_kappa,
    confusion,
    corrected_difference,
    corrected_mean,
    exact_agreement,
    krippendorff_alpha,
    mean_bias,
    score_levels,
)
from niah.judges.verdict import HIGHEST, LOWEST, SCORES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AGREEMENT_NOTE = (
    "Answers labelled by people. exact: the same score; within_one: one level apart at most; kappa: Cohen's,"
    " 1 is perfect, 0 chance; alpha: Krippendorff's for ordered levels, of labels and judge together;"
    " bias: mean level of the judge minus the label."
)
_MEANS_NOTE = (
    "Means corrected by the labels (prediction-powered inference, Angelopoulos et al. 2023) with 95 %"
    f" intervals; none for fewer than {FEWEST_LABELS} labels. judged: the mean as the judge has it."
)


def label_agreement(frame: Trials) -> Table:
    """One row per judge with an answer that is labelled: how far it agrees with the first label."""
    scores = [each or {} for each in frame["judge_scores"].tolist()]
    people = [name for name in LABELS if any(name in each for each in scores)]
    judges = sorted({judge for each in scores if LABELS[0] in each for judge in each} - {LABELS[0]})
    rows = []
    for judge in judges if people else ():
        both = [each for each in scores if judge in each and all(name in each for name in people)]
        if len(both) < 2:
            continue
        truth, judged = (score_levels(each[name] for each in both) for name in (LABELS[0], judge))
        raters = [score_levels(each[name] for each in both) for name in dict.fromkeys((*people, judge))]
        measures = (
            exact_agreement(truth, judged),
            agreement_within_one(truth, judged),
            cohen_kappa(truth, judged),
        )
        rows.append((judge, len(both), *measures, krippendorff_alpha(raters), mean_bias(truth, judged)))
    columns = ("judge", "labels", "exact", "within_one", "kappa", "alpha", "bias")
    return Table("label-agreement", "Judges next to labels by people", columns, tuple(rows), _AGREEMENT_NOTE)


def label_confusion(frame: Trials) -> Table:
    """Counts of the run's own scores, a row for each label."""
    pairs = [pair for group in _pairs(frame, np.arange(len(frame["score"]))) for pair in group[1]]
    counts = confusion(*(score_levels(side) for side in zip(*pairs, strict=True))).tolist() if pairs else []
    rows = tuple((f"{score}", *row) for score, row in zip(SCORES, counts, strict=False))
    columns = ("label", *(f"judged {score}" for score in SCORES))
    return Table("label-confusion", "Scores next to labels", columns, rows, "A row for each label.")


def corrected_means(frame: Trials) -> Table:
    """The corrected mean of all answers, and of each reader and strategy with labels enough; rows only with
    labels."""
    rows = [(*names, *_cells(made)) for names, made in _corrected(frame)]
    columns = ("reader", "strategy", "n", "labels", "judged", "corrected", "low", "high")
    return Table("corrected-means", "Means corrected by labels", columns, tuple(rows), _MEANS_NOTE)


def corrected_differences(frame: Trials) -> Table:
    """Each strategy's corrected mean minus that of the reader's first one, where both have labels enough."""
    first: dict[str, tuple[str, Corrected]] = {}
    rows: list[tuple[TableValue, ...]] = []
    for (reader, strategy), made in _corrected(frame):
        if made is None or reader == "all":
            continue
        other, base = first.setdefault(reader, (strategy, made))
        if other != strategy:
            apart, half = corrected_difference(base, made)
            rows.append((reader, strategy, other, apart, apart - half, apart + half))
    columns = ("reader", "strategy", "minus", "difference", "low", "high")
    title = "Differences corrected by labels"
    return Table("corrected-differences", title, columns, tuple(rows), _MEANS_NOTE)


def _cells(made: Corrected | None) -> tuple[TableValue, ...]:
    if made is None:
        return (None,) * 6
    low, high = (min(max(made.mean + side * made.half_width, LOWEST), HIGHEST) for side in (-1, 1))
    return (made.n, made.labels, made.judged, made.mean, low, high)


def _corrected(frame: Trials) -> Iterator[tuple[tuple[str, str], Corrected | None]]:
    every = np.arange(len(frame["score"]))
    groups = [
        (("all", "all"), every),
        *(((a, b), rows) for (a, b), rows in row_groups(frame, "reader", "strategy")),
    ]
    for names, rows in groups:
        (judged, pairs) = next(_pairs(frame, rows))
        if pairs:
            enough = len(pairs) >= FEWEST_LABELS
            yield names, corrected_mean(judged, [(label, own) for label, own in pairs]) if enough else None


def _pairs(frame: Trials, rows: NDArray[np.intp]) -> Iterator[tuple[list[float], list[tuple[float, float]]]]:
    """The scores of the answers without labels, and (label, score) of those with: the mean of two labels."""
    scores, scored = np.asarray(frame["score"]), np.asarray(frame["scored"])
    said = frame["judge_scores"].tolist()
    judged, pairs = [], []
    for at in rows[scored[rows]].tolist():
        labels = [said[at][name] for name in LABELS if name in (said[at] or {})]
        if labels:
            pairs.append((sum(labels) / len(labels), float(scores[at])))
        else:
            judged.append(float(scores[at]))
    yield judged, pairs
