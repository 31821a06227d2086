"""Retrieval and full context on the same question: which side is correct, and which answers better."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import values_at
from niah.analysis.trial_columns import TrialColumns, Trials, judges_of
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from pandas import DataFrame

# The first of them that judged an answer counts; accuracy judges those to questions with options alone.
_CORRECT = ("accuracy", "contained-match", "exact-match")
_CLOSENESS = ("accuracy", "token-f1", "squad-f1")
_METRICS = frozenset((*_CORRECT, *_CLOSENESS))


@dataclass(frozen=True)
class BothSides:
    """Trials with retrieval, each beside the full-context trial of its question, reader and repeat.

    Only scored trials are here, and only where both are.

    Attributes:
        rows: shape (n,), places in the frame of the trials with retrieval.
        lc_correct, rag_correct: shape (n,), whether the answer is correct.
        lc_closeness, rag_closeness: shape (n,), F1 of the answer, 0 to 1.
        judges: the names of the metrics that said so; empty where none judged, and scores stand in.
    """

    rows: NDArray[np.intp]
    lc_correct: NDArray[np.bool_]
    rag_correct: NDArray[np.bool_]
    lc_closeness: NDArray[np.float64]
    rag_closeness: NDArray[np.float64]
    judges: tuple[str, ...]

    @cached_property
    def parts(self) -> dict[str, NDArray[np.bool_]]:
        """Which pairs count for what, shape (n,) each, by the names of columns of tables.

        One side answers better where it alone is correct, or where none is and its F1 is higher
        (long-context-vs-rag, section 4.3).
        """
        lc, rag = self.lc_correct, self.rag_correct
        neither = ~lc & ~rag
        return {
            "lc_correct": lc,
            "rag_correct": rag,
            "both": lc & rag,
            "only_lc": lc & ~rag,
            "only_rag": rag & ~lc,
            "neither": neither,
            "lc_better": lc & ~rag | neither & (self.lc_closeness > self.rag_closeness),
            "rag_better": rag & ~lc | neither & (self.rag_closeness > self.lc_closeness),
        }


def both_sides(frame: Trials) -> BothSides:
    """The pairs of a frame of trials."""
    score = np.asarray(frame["score"])
    known = np.flatnonzero(np.asarray(frame["scored"]))
    lc_rows = _lc_rows(frame, known)
    rows = known[(lc_rows[known] >= 0) & np.asarray(frame["retrieves"])[known]]
    others = lc_rows[rows]
    correct, closeness, judges = score == HIGHEST, (score - LOWEST) / (HIGHEST - LOWEST), set[str]()
    paired = np.zeros(len(score), dtype=np.bool_)
    paired[rows] = paired[others] = True
    # Most runs hold no metric, and are done here.
    by_metrics = np.flatnonzero(paired) if _any_metric(frame) else np.zeros(0, dtype=np.intp)
    for row, scores in zip(by_metrics.tolist(), values_at(frame, "judge_scores", by_metrics), strict=True):
        if not scores or _METRICS.isdisjoint(scores):
            continue
        by_correct, own = _said(scores, _CORRECT, score[row])
        by_closeness, near = _said(scores, _CLOSENESS, score[row])
        correct[row], closeness[row] = own == HIGHEST, (near - LOWEST) / (HIGHEST - LOWEST)
        judges |= {by_correct, by_closeness} - {""}
    named = tuple(name for name in dict.fromkeys((*_CORRECT, *_CLOSENESS)) if name in judges)
    return BothSides(rows, correct[others], correct[rows], closeness[others], closeness[rows], named)


def correct_answers(frame: DataFrame) -> NDArray[np.float64]:
    """Shape (n,): 1 of a correct answer, 0 of another, NaN of what has no score."""
    said = (_said(*each)[1] for each in zip(frame["judge_scores"], repeat(_CORRECT), frame["score"]))
    found = np.fromiter(said, dtype=np.float64, count=len(frame))
    return np.where(frame["scored"], found == HIGHEST, np.nan)


def _any_metric(frame: Trials) -> bool:
    judges = frame.judges if isinstance(frame, TrialColumns) else judges_of(frame["judge_scores"].tolist())
    return not _METRICS.isdisjoint(judges)


def _lc_rows(frame: Trials, known: NDArray[np.intp]) -> NDArray[np.intp]:
    """Shape (n,): of each row the row that sends everything to the same question; -1 where none does."""
    question = np.asarray(frame["question"])
    everything = known[np.asarray(frame["sends_context"])[known]]
    place = np.full(int(question.max(initial=-1)) + 1, -1, dtype=np.intp)
    place[question[everything]] = everything
    of_rows: NDArray[np.intp] = place[question]
    return of_rows


def _said(scores: dict[str, float] | None, judges: Sequence[str], own: float) -> tuple[str, float]:
    """The first of these judges that gave a score, and the score; "" and the trial's own without one."""
    name = next((name for name in judges if scores and name in scores), "")
    return name, scores[name] if scores and name else own
