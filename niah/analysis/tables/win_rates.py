"""Retrieval against reading everything: win rates, and which side answers what.

u-niah, sections 5.1.2 and 5.3.1; long-context-vs-rag, section 4.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, row_groups
from niah.analysis.lengths import length_groups
from niah.analysis.stats import win_rate
from niah.analysis.tables.table import Table, TableValue
from niah.analysis.trial_columns import Trials
from niah.analysis.whole_context import whole_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

CORRECT = 10
"""The score of a correct answer, strictly."""

NEARLY_CORRECT = 7
"""The least score of an answer that is correct, loosely: aligned, with minor omissions."""

_READINGS = {"strict": CORRECT, "loose": NEARLY_CORRECT}
_RATES_NOTE = (
    "A pair is a trial with retrieval and that of full context of the same case, reader and repeat, both"
    " scored. Wins or ties (win_rate in CSV files) is the share of pairs in which retrieval's score is as"
    " high as full context's or higher; RAG better, equal and full context better count the pairs."
    " low and high: 95 % interval for new seeds of these needle sets, or new documents, from clusters (needle"
    " set and seed, or document). not_paired: trials with retrieval that miss a score, or whose full context"
    " does. Lengths are in tokens; a band takes its upper border, and its"
    " k is 1024."
)
_WIN_LOSE_NOTE = (
    "Pairs of trials of the same case, reader and repeat, both scored. An answer is correct strictly with a"
    f" score of {CORRECT}, loosely with {NEARLY_CORRECT} or more (aligned, with minor omissions)."
    " long-context-vs-rag takes exact match for strict, and for loose who has the higher F1: the latter is"
    " rag_better and lc_better in the table of win rates."
)


def lc_scores(frame: Trials) -> NDArray[np.float64]:
    """Shape (n,): the score of the trial of the same sample, reader and repeat that reads everything.

    NaN in rows that are no pair: without retrieval, or where one of the two trials is not scored.
    """
    score, question, scored = (np.asarray(frame[name]) for name in ("score", "question", "scored"))
    readable = np.asarray(frame["sends_context"]) & scored
    scores = np.full(int(question.max(initial=-1)) + 1, np.nan)
    scores[question[readable]] = score[readable]
    return np.where(np.asarray(frame["retrieves"]) & scored, scores[question], np.nan)


def win_rates(frame: Trials) -> Table:
    """One row per reader, retrieving strategy and length, below one over all lengths."""
    return Table(
        name="win-rates",
        title="Retrieval against reading everything",
        columns=(
            *("reader", "strategy", "length", "win_rate", "low", "high"),
            *("pairs", "clusters", "rag_better", "equal", "lc_better", "not_paired"),
        ),
        rows=tuple(_rate_rows(frame)),
        note=_RATES_NOTE + _sent_whole(frame),
    )


def _sent_whole(frame: Trials) -> str:
    """Who can but tie, in a sentence; "" for nobody."""
    whole = whole_lengths(frame)
    many = len(np.unique(category_codes(frame, "reader"))) > 1
    told = [f"{strategy}{f' of {reader}' * many} at {where}" for (reader, strategy), where in whole.items()]
    return f" The whole context was sent, so that ties say nothing, by {'; '.join(told)}." if told else ""


def win_lose(frame: Trials) -> Table:
    """One row per reader, retrieving strategy and reading of "correct", strict and loose."""
    return Table(
        name="win-lose",
        title="Which side answers what",
        columns=("reader", "strategy", "reading", "pairs", "both", "only_lc", "only_rag", "neither"),
        rows=tuple(_win_lose_rows(frame)),
        note=_WIN_LOSE_NOTE,
    )


def _rate_rows(frame: Trials) -> Iterator[tuple[TableValue, ...]]:
    lc, score, clusters = lc_scores(frame), np.asarray(frame["score"]), np.asarray(frame["cluster"])

    def rates(rows: NDArray[np.intp]) -> tuple[TableValue, ...]:
        paired = rows[~np.isnan(lc[rows])]
        ours, theirs = score[paired], lc[paired]
        counts = tuple(int(count.sum()) for count in (ours > theirs, ours == theirs, ours < theirs))
        if not len(paired):
            return (None, None, None, 0, 0, *counts, len(rows))
        found = win_rate(ours, theirs, clusters[paired])
        bounds = (found.estimate, found.low, found.high)
        return (*bounds, len(paired), found.clusters, *counts, len(rows) - len(paired))

    asked = np.flatnonzero(frame["retrieves"])
    parts: dict[tuple[str, ...], list[tuple[int | str, NDArray[np.intp]]]] = {}
    for names, length, members in length_groups(frame, "reader", "strategy", rows=asked):
        parts.setdefault(names, []).append((length, members))
    for names, rows in row_groups(frame, "reader", "strategy", rows=asked):
        yield (*names, "all", *rates(rows))
        for length, members in parts[names]:
            yield (*names, length, *rates(members))


def _win_lose_rows(frame: Trials) -> Iterator[tuple[TableValue, ...]]:
    lc, score = lc_scores(frame), np.asarray(frame["score"])
    # Which side is right: 0 neither, 1 retrieval alone, 2 full context alone, 3 both.
    right = {name: 2 * (lc >= least) + (score >= least) for name, least in _READINGS.items()}
    for names, rows in row_groups(frame, "reader", "strategy", rows=np.flatnonzero(~np.isnan(lc))):
        for reading, sides in right.items():
            neither, only_rag, only_lc, both = np.bincount(sides[rows], minlength=4).tolist()
            yield (*names, reading, len(rows), both, only_lc, only_rag, neither)
