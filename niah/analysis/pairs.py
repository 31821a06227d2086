"""Trials with retrieval beside the trial of the same question that reads everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.columns import Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

CORRECT = 10
"""The score of a correct answer, strictly."""

NEARLY_CORRECT = 7
"""The least score of an answer that is correct, loosely: aligned, with minor omissions."""


def lc_scores(columns: Columns) -> NDArray[np.float64]:
    """Shape (n,): the score of the ``lc`` trial of the same case, reader and repeat.

    NaN in rows that are no pair: without retrieval, or where one of the two trials is not scored.
    """
    scores = np.full(int(columns.question.max(initial=-1)) + 1, np.nan)
    readable = columns.whole & columns.scored
    scores[columns.question[readable]] = columns.score[readable]
    return np.where(columns.retrieving & columns.scored, scores[columns.question], np.nan)
