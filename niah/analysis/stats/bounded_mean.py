"""Intervals of means on a scale that ends: scores, shares, win rates.

A mean near the end of its scale has no symmetric interval, and a few clusters that are all alike prove
little: one in ten may be quite another. So two things are assumed. Beside the clusters seen there are three
more whose trials share their luck (an estimate of the design effect, Kish 1965, that is drawn towards one
large enough, as Efron and Morris do, 1975): near the end of the scale wholly, as rare bad clusters do, in
its middle, where many clusters have shown how they vary, not at all. And before anything was seen each mean
was as likely as the next. The interval is the posterior's of a share for as many independent trials as the
clusters are worth (Korn and Graubard 1998, with a uniform prior in place of Clopper and Pearson's bounds).
Where trials of different clusters share luck too, as needle sets do that have the same seeds, what these have
in common is added (two-way clusters: Cameron, Gelbach and Miller 2011). Coverages: docs/error-patterns.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import codes, totals
from niah.analysis.stats.interval import Interval
from niah.analysis.stats.student import students_quantile
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

SCORE_SCALE = (float(LOWEST), float(HIGHEST))
SHARE_SCALE = (0.0, 1.0)
_UNSEEN = 3.0
"""Clusters that are assumed beside those seen."""


def bounded_mean(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    crossed: ArrayLike | None = None,
    scale: tuple[float, float] = SCORE_SCALE,
    level: float = 0.95,
) -> Interval:
    """The mean of ``values``, shape (n,), of trials in ``clusters``, shape (n,), between the scale's ends.

    Args:
        values: on the scale.
        clusters: what the trials share luck by; the interval is for other clusters like these.
        crossed: shape (n,), what trials of different clusters share luck by besides: seeds, where clusters
            are needle sets. The interval is then for others like these too.
        scale: its ends.
        level: how often the interval holds the mean.

    Raises ValueError without values, or where one is not finite or lies outside the scale.
    """
    low, high = scale
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        raise ValueError("there are no values.")
    shares = (numbers - low) / (high - low)
    above, below = totals(clusters, shares, np.ones(len(shares))).T
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError(f"a value lies outside the scale of {low:g} to {high:g}.")
    share, n, count = float(shares.mean()), len(shares), len(above)
    estimate = float(numbers.mean())
    if count < 2:
        return Interval(estimate, None, None, n, count)
    if share in (0, 1):
        # What varies nowhere says nothing of how much it varies: a cluster counts as one trial.
        bottom, top = _share_bounds(share, count, level)
        return Interval(estimate, low + (high - low) * bottom, low + (high - low) * top, n, count)
    most = share * (1 - share)
    squares = float(((above - share * below) ** 2).sum())
    unseen = _UNSEEN * most * (1 - 2 * most) ** 2 * float((below**2).mean())
    own, free = (squares + unseen) * count / (count - 1 + _UNSEEN), count - 1 + _UNSEEN
    shared, shared_free = (0.0, 1) if crossed is None else _shared(shares - share, clusters, crossed)
    variance = (own + shared) / n**2
    if shared:
        free = (own + shared) ** 2 / (own**2 / free + shared**2 / shared_free)
    quantile = students_quantile((1 + level) / 2, free)
    normal = students_quantile((1 + level) / 2, np.inf)
    worth = most / variance * (normal / quantile) ** 2
    bottom, top = _share_bounds(share, worth, level)
    return Interval(estimate, low + (high - low) * bottom, low + (high - low) * top, n, count)


def _shared(residuals: NDArray[np.float64], clusters: ArrayLike, crossed: ArrayLike) -> tuple[float, int]:
    """What trials of different clusters that share luck add to the sum's variance; with degrees of freedom.

    0 where all are of one such group, of which nothing can be known.
    """
    cells = codes(zip(np.asarray(clusters).tolist(), np.asarray(crossed).tolist(), strict=True))
    (together, groups), (apart, _) = (_variance_of_sum(residuals, by) for by in (crossed, cells))
    return (max(together - apart, 0.0), groups - 1) if groups > 1 else (0.0, 1)


def _variance_of_sum(residuals: NDArray[np.float64], clusters: ArrayLike) -> tuple[float, int]:
    """With independent clusters, and how many these are."""
    sums = totals(clusters, residuals)[:, 0]
    return float((sums**2).sum()) * len(sums) / max(len(sums) - 1, 1), len(sums)


def win_rate(first: ArrayLike, second: ArrayLike, clusters: ArrayLike, *, level: float = 0.95) -> Interval:
    """The share of pairs whose first score is as high as the second or higher (u-niah, section 5.1.2).

    Raises ValueError without pairs.
    """
    won = (np.asarray(first) >= np.asarray(second)).astype(np.float64)
    return bounded_mean(won, clusters, scale=SHARE_SCALE, level=level)


def _share_bounds(share: float, worth: float, level: float) -> tuple[float, float]:
    """Of the posterior of a share, seen in so many independent trials; what was seen alone lies in it."""
    from scipy.stats import beta

    won, tail = share * worth, (1 - level) / 2
    low = float(beta.ppf(tail, won + 1, worth - won + 1)) if share > 0 else 0.0
    high = float(beta.ppf(1 - tail, won + 1, worth - won + 1)) if share < 1 else 1.0
    return min(low, share), max(high, share)
