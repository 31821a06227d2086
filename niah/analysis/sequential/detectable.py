"""How large a drop all trials of an arm would find in four nights of five, told before all are asked."""

from __future__ import annotations

from math import sqrt

import numpy as np

from niah.analysis.compare.detectable import POWER, least_drop
from niah.analysis.sequential.interim_statistic import MIN_CLUSTERS, InterimStatistic


def detectable_at_end(at: InterimStatistic, boundary: float, units: int, room: float) -> float | None:
    """The minimum detectable drop, above 0; None where none could be seen.

    By a noncentral t-distribution with C - 1 degrees of freedom, as in ``niah.analysis.compare.detectable``;
    the standard error is that of now, less what further trials will take from it.

    Args:
        at: how the arm stands.
        boundary: what minus z must reach at the last look.
        units: of the full design.
        room: the greatest mean drop that there could be.
    """
    from scipy.special import nctdtrinc, ndtr, stdtrit

    if at.clusters < MIN_CLUSTERS or room <= 0:
        return None
    degrees = at.clusters - 1
    away = nctdtrinc(degrees, 1 - POWER, stdtrit(degrees, ndtr(boundary)))
    error = at.error * sqrt(at.information)
    drop = float(least_drop(*(np.array([each]) for each in (away, error, float(units), room)))[0])
    return drop if np.isfinite(drop) and drop <= room else None
