"""Intervals of means on a scale that ends: scores, shares, win rates.

A mean near the end of its scale has no symmetric interval, and clusters that are all alike prove little: one
in ten may be quite another. The interval is the posterior's of a Dirichlet process (Ferguson 1973; with
clusters alone it is Rubin's Bayesian bootstrap, 1981): what other clusters are like is what those seen are
like, in proportions that are drawn, and beside them stands one that was not seen. It may lie anywhere on the
scale, for the lower end likelier in the lower half, for the upper end in the upper (a set of priors, as in
Walley 1996: what nobody saw draws neither end inwards). In the middle of the scale clusters have room to show
how they vary: once nine of them have, and trials do vary, the unseen one is 0.45 times as far from a mean
there. Off the middle the farther end has more room than what was seen tells of: a reader that is right in
three answers of four may have a rare cluster that is far worse, and none that is far better. Which end is the
farther is not known of a mean within its own error of the middle.

Where needle sets are given, luck is what differs from the needle set's own mean. Clusters of one seed that
share luck are worth fewer (``niah.analysis.stats.independent_units``). Coverages: docs/error-patterns.md.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.independent_units import (
    independent_units,
    spread_by_stratum,
    strata_of,
    stratum_means,
)
from niah.analysis.stats.interval import Interval
from niah.analysis.stats.numbered import numbered
from niah.analysis.stats.quantiles import quantile
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

SCORE_SCALE = (float(LOWEST), float(HIGHEST))
SHARE_SCALE = (0.0, 1.0)
_FEWEST, _ENOUGH = 3, 9
"""Clusters: so few show nothing of how others vary, so many enough."""

_IN_THE_MIDDLE, _RISE = 0.45, 4.0
"""Of how far the unseen cluster may lie from a mean in the middle, where nine were seen; and how fast that
becomes all the way towards the farther end, as the mean leaves the middle by more than its error."""

_VARIED = 1 / 3
"""The share of the greatest variance there can be with which trials show what they can."""

_MOST_DRAWS, _LEAST_DRAWS, _NUMBERS = 4000, 1000, 400_000
"""Draws, fewer of many clusters: so many numbers are drawn."""

_UNSEEN = (1.0, 2.0)
"""The beta distribution that the unseen cluster is from, for the lower end; mirrored for the upper."""


def bounded_mean(
    values: ArrayLike,
    clusters: ArrayLike,
    crossed: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    scale: tuple[float, float] = SCORE_SCALE,
    level: float = 0.95,
) -> Interval:
    """The mean of ``values``, shape (n,), of trials in ``clusters``, shape (n,), between the scale's ends.

    Args:
        values: on the scale.
        clusters: what the trials share luck by; the interval is for other clusters like these.
        crossed: shape (n,), what trials of different clusters share luck by besides: seeds. The interval is
            then for others like these too.
        strata: shape (n,), in which each cluster is a draw: these very needle sets, and no others.
        scale: its ends.
        level: how often the interval holds the mean.

    Raises ValueError without values, or where one is not finite or lies outside the scale.
    """
    low, high = scale
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        raise ValueError("there are no values.")
    shares = (numbers - low) / (high - low)
    if not np.isfinite(shares).all():
        raise ValueError("a value is not a finite number; leave out what has none.")
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError(f"a value lies outside the scale of {low:g} to {high:g}.")
    places = numbered(clusters)
    sizes, share = np.bincount(places).astype(np.float64), float(shares.mean())
    estimate, n, count = float(numbers.mean()), len(shares), len(sizes)
    if count < 2:
        return Interval(estimate, None, None, n, count)
    own = strata_of(places, strata)
    residuals = shares - stratum_means(shares, own[places])
    units = count if crossed is None else independent_units(residuals, places, crossed, own)
    # Proportions vary less than means of as many clusters do.
    grown = np.sqrt(spread_by_stratum(own) * (units + 1) / units)
    sums = np.bincount(places, weights=residuals).astype(np.float64) * grown
    seeds = 1 if crossed is None else int(numbered(crossed).max()) + 1
    apart = min(units, seeds) if seeds > 1 else units
    error = float(np.sqrt((sums**2).sum() * count / (units + 1))) / n
    reaches = _reaches(share, apart, float(shares.var()), error)
    bottom, top = _ends(sums, sizes, share, units, reaches, level)
    return Interval(estimate, low + (high - low) * bottom, low + (high - low) * top, n, count)


def win_rate(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    crossed: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> Interval:
    """The share of pairs whose first score is as high as the second or higher (u-niah, section 5.1.2).

    Pairs are clustered as in ``bounded_mean``. Raises ValueError without pairs.
    """
    won = (np.asarray(first) >= np.asarray(second)).astype(np.float64)
    return bounded_mean(won, clusters, crossed, strata, scale=SHARE_SCALE, level=level)


def _ends(
    sums: NDArray[np.float64],
    sizes: NDArray[np.float64],
    share: float,
    units: int,
    reaches: tuple[float, float],
    level: float,
) -> tuple[float, float]:
    """Of the posterior of a share: the sums of residuals from it and the sizes have shape (clusters,).

    Clusters are worth ``units`` draws; for ``reaches`` see the function of this name.
    """
    # The same clusters in any order have the same ends.
    order = np.lexsort((sizes, np.round(sums / sizes, 9)))
    proportions, unseen, places = _drawn(len(sums), units)
    unseen_size = unseen * sizes.mean()
    above, below = proportions @ sums[order], proportions @ sizes[order] + unseen_size
    lows, highs = (
        share + (above + unseen_size * reach * (at - share)) / below
        for reach, at in zip(reaches, places.T, strict=True)
    )
    tail = (1 - level) / 2
    bottom, top = quantile(lows, tail), quantile(highs, 1 - tail)
    return min(max(bottom, 0.0), share), max(min(top, 1.0), share)


def _reaches(share: float, apart: int, variance: float, error: float) -> tuple[float, float]:
    """How far from a mean the unseen cluster may lie below and above it, of the way to the scale's ends.

    Args:
        share: the mean, from 0 to 1.
        apart: clusters that surely share nothing.
        variance: of the trials; where they are all alike, clusters have shown nothing.
        error: the mean's standard error.
    """
    possible = share * (1 - share)
    varied = min(variance / (_VARIED * possible), 1.0) if possible > 0 else 0.0
    shown = varied * min(max(apart - _FEWEST, 0) / (_ENOUGH - _FEWEST), 1.0)
    off = abs(2 * share - 1)
    near = 1 - shown * (1 - _IN_THE_MIDDLE) * (1 - off**2)
    surely_off = max(off - 2 * error, 0.0)
    far = 1 - shown * max(1 - _IN_THE_MIDDLE - _RISE * surely_off, 0.0)
    return (far, near) if share >= 0.5 else (near, far)


@lru_cache(maxsize=16)
def _drawn(clusters: int, units: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Proportions of clusters that are worth so many, shape (draws, clusters); of the unseen one, (draws,).

    Last where the unseen one may lie, shape (draws, 2): for the lower and the upper end.
    """
    rng, draws = np.random.default_rng(0), min(max(_NUMBERS // clusters, _LEAST_DRAWS), _MOST_DRAWS)
    unseen, (low, high) = rng.standard_exponential(draws), rng.beta(*_UNSEEN, (2, draws))
    return rng.gamma(units / clusters, size=(draws, clusters)), unseen, np.column_stack([low, 1 - high])
