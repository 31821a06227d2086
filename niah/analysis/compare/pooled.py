"""Several nights as one reference: the mean of each trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.earlier_nights import EarlierNights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

POOLED_FAILURES = "pooled_failures"
"""A column that only the frame of several nights has: the share of them in which a trial has no score."""


def pooled_frame(reference: DataFrame, others: EarlierNights) -> DataFrame:
    """The reference's trials with their mean score over it and the other nights, and ``POOLED_FAILURES``.

    A score's mean is over the nights that have one.
    """
    score = reference["score"].to_numpy()
    failed = np.where((reference["outcome"] == "not_run").to_numpy(), np.nan, np.isnan(score))
    scores, failures = (np.vstack(each) for each in ((score, others.scores), (failed, others.failed)))
    return reference.assign(**{"score": _mean(scores), POOLED_FAILURES: _mean(failures)})


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (n,): over nights, of those that are known; NaN where none is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    mean: NDArray[np.float64] = total / np.where(counts > 0, counts, np.nan)
    return mean
