"""Several nights as one reference: the mean of each trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.earlier_nights import EarlierNights
from niah.analysis.frame import category_codes
from niah.analysis.grouping import OUTCOMES
from niah.analysis.trial_columns import Trials

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FAILURES = "pooled_failures"
"""A column that only several nights together have: the share of them in which a trial has no score."""


def pooled_frame(reference: Trials, others: EarlierNights) -> Trials:
    """The reference's trials with their mean score over it and other nights, and how often they have none.

    A score's mean is over the nights that have one.
    """
    score = np.asarray(reference["score"])
    pooled = ((score, others.scores), (share_not_scored(reference), others.failed))
    scores, failures = (np.vstack(each) for each in pooled)
    return reference.assign(**{"score": _mean(scores), _FAILURES: _mean(failures)})


def share_not_scored(frame: Trials) -> NDArray[np.float64]:
    """1 for a trial that came to another outcome than a score, NaN for one that was not run.

    Of several nights, the share of them.
    """
    if _FAILURES in frame:
        return np.asarray(frame[_FAILURES])
    missing = np.isnan(np.asarray(frame["score"])).astype(np.float64)
    return np.where(category_codes(frame, "outcome") == OUTCOMES.index("not_run"), np.nan, missing)


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (n,): over nights, of those that are known; NaN where none is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    mean: NDArray[np.float64] = total / np.where(counts > 0, counts, np.nan)
    return mean
