"""Scores with their intervals; by length, kind of question, haystack and needle set.

u-niah, tables 1 and 4; long-context-vs-rag, section 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, row_groups
from niah.analysis.lengths import length_groups
from niah.analysis.stats import mean_interval
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.tables.win_rates import CORRECT, lc_scores
from niah.analysis.trial_columns import Trials

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_SPREAD = ("mean", "sd", "n", "not_scored")
_LENGTHS_NOTE = (
    "Mean and sample standard deviation of scores, 1 to 10, over the n scored trials; trials with another"
    " outcome are counted in not_scored and in no mean. Lengths are in tokens; a band takes its upper border,"
    " and its k is 1024."
)
_BREAKDOWN_NOTE = (
    "correct: share of scored trials with a score of 10. Of the pairs with full context (same case, reader"
    " and repeat, both scored): only RAG and only full context count those that one side alone gets right;"
    " wins or ties is the share in which retrieval's score is as high as full context's or higher."
)


def mean_scores(frame: DataFrame) -> Table:
    """One row per reader and strategy with a score: its mean, for new seeds and for other needle sets."""
    return Table(
        name="mean-scores",
        title="Mean scores",
        columns=(
            *("reader", "strategy", "mean", "n", "not_scored", "low", "high", "clusters"),
            *("low_other_sets", "high_other_sets", "sets"),
        ),
        rows=tuple(_means(frame)),
        note=_means_note(frame),
    )


def _means_note(frame: DataFrame) -> str:
    """What the two intervals are for, of these trials."""
    given = frame["origin"] == "given"
    if given.all():
        own, others = "new documents of these question sets", "question sets"
    else:
        one = frame["seed"].nunique() == 1
        own = "needle sets like these with this one seed" if one else "new seeds of these needle sets"
        own += " and new documents" if given.any() else ""
        others = "sets" if given.any() else "needle sets"
    return (
        f"Scores from 1 to 10, over the n scored trials. low and high: 95 % interval for {own};"
        f" low_other_sets and high_other_sets: for other {others} like these, empty with one: wider, and what"
        " a claim about the reader rather than these questions needs. Student's t over clusters; where rare"
        " clusters are far worse and none was drawn, it is too narrow."
    )


def _means(frame: DataFrame) -> Iterator[tuple[TableValue, ...]]:
    score, clusters = frame["score"].to_numpy(), np.asarray(frame["cluster"])
    sets = category_codes(frame, "needle_set") * 1000 + category_codes(frame, "question_set")
    for names, rows in row_groups(frame, "reader", "strategy"):
        known = rows[~np.isnan(score[rows])]
        if not len(known):
            continue
        own = mean_interval(score[known], clusters[known])
        wider = mean_interval(score[known], sets[known])
        counted = (own.estimate, own.n, len(rows) - own.n)
        yield (*names, *counted, own.low, own.high, own.clusters, wider.low, wider.high, wider.clusters)


def scores_by_length(frame: Trials) -> Table:
    """One row per reader, strategy and length that has trials, over all needle sets."""
    return _by_length(frame, "scores-by-length", "Scores by context length", "reader", "strategy")


def scores_by_needle_set_and_length(frame: Trials) -> Table:
    """One row per reader, needle set, strategy and length that has trials: u-niah's table 1."""
    title = "Scores by needle set and context length"
    return _by_length(frame, "scores-by-needle-set-and-length", title, "reader", "needle_set", "strategy")


def _by_length(frame: Trials, name: str, title: str, *by: str) -> Table:
    score = np.asarray(frame["score"])
    rows = tuple(
        (*names, length, *mean_and_sd(score[rows])) for names, length, rows in length_groups(frame, *by)
    )
    return Table(name, title, (*by, "length", *_SPREAD), rows, _LENGTHS_NOTE)


def scores_by(frame: Trials, facet: str) -> Table:
    """One row per reader, strategy and part of a facet: "kind" of question, "haystack", "needle_set" ...

    Trials whose sample has not got the facet are left out.
    """
    names = facet.replace("_", " ")
    return Table(
        name=f"scores-by-{facet.replace('_', '-')}",
        title=f"Scores by {'kind of question' if facet == 'kind' else names}",
        columns=(
            "reader",
            "strategy",
            facet,
            *_SPREAD,
            "correct",
            "pairs",
            "only_rag",
            "only_lc",
            "win_rate",
        ),
        rows=tuple(_breakdown(frame, facet)),
        note=_BREAKDOWN_NOTE,
    )


def _breakdown(frame: Trials, facet: str) -> Iterator[tuple[TableValue, ...]]:
    lc, score, retrieves = lc_scores(frame), np.asarray(frame["score"]), np.asarray(frame["retrieves"])
    for names, rows in row_groups(frame, "reader", "strategy", facet):
        scores, others = score[rows], lc[rows]
        correct = _share(scores[~np.isnan(scores)] == CORRECT)
        if not retrieves[rows[0]]:
            yield (*names, *mean_and_sd(scores), correct, None, None, None, None)
            continue
        rag, others = scores[~np.isnan(others)], others[~np.isnan(others)]
        only_rag = int(np.count_nonzero((rag == CORRECT) & (others != CORRECT)))
        only_lc = int(np.count_nonzero((rag != CORRECT) & (others == CORRECT)))
        yield (*names, *mean_and_sd(scores), correct, len(rag), only_rag, only_lc, _share(rag >= others))


def mean_and_sd(scores: NDArray[np.float64]) -> tuple[TableValue, ...]:
    """Mean, sample standard deviation, count, and how many are NaN.

    The mean takes one score at least, the deviation two; otherwise they are None.
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return None, None, 0, len(scores)
    # As ``known.mean()`` and ``known.std(ddof=1)`` add up, without their dozen steps: tables have many cells.
    mean = np.add.reduce(known) / len(known)
    deviations = known - mean
    variance = np.add.reduce(deviations * deviations) / (len(known) - 1) if len(known) > 1 else None
    deviation = None if variance is None else sqrt(variance)
    return float(mean), deviation, len(known), len(scores) - len(known)


def _share(holds: NDArray[np.bool_]) -> float | None:
    return int(np.count_nonzero(holds)) / len(holds) if len(holds) else None
