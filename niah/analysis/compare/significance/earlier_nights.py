"""Nights before tonight, trial by trial: what they tell of luck that is drawn anew each night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.luck_estimate import MIN_NIGHTS
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODELS_LUCK = "luck that needle sets share is not counted in: only nights of one model tell it"
"""Of two models: what a verdict knows of shared luck."""


@dataclass(frozen=True)
class EarlierNights:
    """Trials that tonight asks again; arrays of shape (nights, n), the i-th column of the i-th pair.

    Attributes:
        scores: NaN where a trial has none.
        failed: 1 for an outcome other than a score, 0 for a score, NaN where a trial was not run.
    """

    scores: NDArray[np.float64]
    failed: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def tell_luck(self) -> bool:
        """Whether they are enough for luck to be counted in."""
        return len(self) >= MIN_NIGHTS

    def hold(self, scores: NDArray[np.float64]) -> bool:
        """Whether one of them has these scores, shape (n,), as far as they are known."""
        return bool((np.isnan(self.scores) | (self.scores == scores)).all(axis=1).any())


def earlier_nights(tonight: Sequence[TrialRecord], nights: Sequence[Sequence[TrialRecord]]) -> EarlierNights:
    """The trials of ``tonight`` in each of the nights, those that were asked and judged alike.

    A night in which fewer than half of tonight's trials have a score is left out.

    Args:
        tonight: the pairs' trials.
        nights: each night's records, in any order.
    """
    versions = {record.judge_version for record in tonight if record.judge_version}
    scores, failed = (np.full((len(nights), len(tonight)), np.nan) for _ in range(2))
    for row, night in enumerate(nights):
        known = {record.trial_id: record for record in night if record.outcome != "not_run"}
        for column, asked in enumerate(tonight):
            record = known.get(asked.trial_id)
            if record is None or (record.judge_version and record.judge_version not in versions):
                continue
            failed[row, column] = record.score is None
            if record.score is not None:
                scores[row, column] = record.score
    whole = np.count_nonzero(~np.isnan(scores), axis=1) >= len(tonight) / 2
    return EarlierNights(scores[whole], failed[whole])


def luck_note(nights: int) -> str:
    """One line on what a verdict knows of luck that is drawn anew each night."""
    if nights < MIN_NIGHTS:
        return (
            f"luck that needle sets or whole nights share is not counted in: it takes {MIN_NIGHTS} whole"
            f" nights before this one, and there {'is' if nights == 1 else 'are'} {nights}"
        )
    return f"luck that needle sets and whole nights share is counted in, as {nights} earlier nights tell it"
