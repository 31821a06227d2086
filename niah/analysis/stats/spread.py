"""Mean and standard deviation of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.tables.table import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPREAD = ("mean", "sd", "n", "not_scored")


def spread(scores: NDArray[np.float64]) -> tuple[Value, ...]:
    """Mean, sample standard deviation, count, and how many are NaN; the columns of ``SPREAD``.

    The mean takes one score at least, the deviation two; otherwise they are None.
    """
    known = scores[~np.isnan(scores)]
    mean = float(known.mean()) if len(known) else None
    deviation = float(known.std(ddof=1)) if len(known) > 1 else None
    return mean, deviation, len(known), len(scores) - len(known)
