"""Intervals and tests over clusters (see ``clusters_of``): each method with its source, none of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from niah.judges.audit import students_quantile
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from pandas import DataFrame

SCORES = (float(LOWEST), float(HIGHEST))
DIFFERENCES = (float(LOWEST - HIGHEST), float(HIGHEST - LOWEST))
SHARES = (0.0, 1.0)
ENDS = ["floor", "ceiling"]  # columns: what a guesser gets, what ``oracle`` gets where it ran
ROUNDING = 1e-6  # a width of nothing else
LEAST_CLUSTERS = 5  # below it no interval is shown: the spread of four clusters is hardly known

# From so many seeds on a seed is a cluster: below it, eight flips could not reach a p of 0.01.
ENOUGH_SEEDS = 8
EXACT_CLUSTERS = 12  # so many clusters have 4,096 ways to flip their signs, which are all taken
FLIPS = 4095  # random flips of more clusters: with the observed signs 4,096, so that p is at least 0.00024
# The normal quantile of 80 % power; with 1.96 of a two-sided 5 % test it makes Miller's 2.8 (2024).
POWER_QUANTILE = 0.8416


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    estimate: float
    low: float | None  # None below ``LEAST_CLUSTERS`` clusters
    high: float | None
    n: int  # values
    clusters: int  # of these
    error: float | None = None  # the clustered standard error; None with one cluster

    @property
    def shown(self) -> Interval:
        """For people: no bounds where all clusters came to the same value, which says nothing of others."""
        is_point = self.low is not None and self.high is not None and self.high - self.low < ROUNDING
        return replace(self, low=None, high=None) if is_point else self


def clusters_of(frame: DataFrame) -> NDArray[np.int64]:
    """Shape (n,): each trial's cluster, numbered from 0 in the order of their first appearance.

    Needle sets of one seed share their background. So the seed is the cluster where there are
    ``ENOUGH_SEEDS`` of them, needle set x seed where there are fewer; of given questions it is the document.
    """
    parts = frame.reindex(columns=["document_id", "needle_set", "seed"]).astype(object)
    given = parts["document_id"].notna()
    if parts.loc[~given, "seed"].nunique(dropna=False) >= ENOUGH_SEEDS:
        parts["needle_set"] = None
    parts.loc[given, ["needle_set", "seed"]] = None
    return numbered(parts)


def numbered(keys: DataFrame) -> NDArray[np.int64]:
    """Shape (n,): rows that are alike have one number, from 0 in the order of their first appearance."""
    groups = keys.groupby(list(keys), sort=False, dropna=False, observed=True)
    return np.asarray(groups.ngroup(), dtype=np.int64)


def mean_interval(
    values: ArrayLike, clusters: ArrayLike, scale: tuple[float, float] = SCORES, rows: int = 1
) -> Interval:
    """The mean with its clustered standard error and Student's t, clipped to the scale.

    Standard error: root(C / (C - 1) * sum of squared cluster sums of residuals) / n (Miller 2024, "Adding
    error bars to evals", eq. 4; Liang & Zeger 1986); t with C - 1 degrees of freedom (Cameron & Miller 2015,
    VI.D). Of several ``rows`` the intervals hold together (Bonferroni). Raises ValueError without values, or
    where one is not finite.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers) or not np.isfinite(numbers).all():
        raise ValueError("a mean takes one finite number at least, and no other.")
    estimate = float(numbers.mean())
    sums = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=numbers - estimate)
    n, many = len(numbers), len(sums)
    error = sqrt(many / (many - 1) * float((sums**2).sum())) / n if many > 1 else None
    if error is None or many < LEAST_CLUSTERS:
        return Interval(estimate, None, None, n, many, error)
    reach = students_quantile(1 - 0.025 / rows, many - 1) * error
    low, high = max(estimate - reach, scale[0]), min(estimate + reach, scale[1])
    return Interval(estimate, low, high, n, many, error)


def interval_columns(
    values: ArrayLike, clusters: ArrayLike, scale: tuple[float, float] = SCORES
) -> dict[str, Any]:
    """``mean_interval`` as a table has it: mean, low, high, n, clusters; None and 0 without values."""
    if not np.size(values):
        return {"mean": None, "low": None, "high": None, "n": 0, "clusters": 0}
    found = asdict(mean_interval(values, clusters, scale))
    return {"mean": found["estimate"]} | {name: found[name] for name in ("low", "high", "n", "clusters")}


def means_by(
    frame: DataFrame, by: Sequence[str], of: str = "score", scale: tuple[float, float] = SCORES
) -> DataFrame:
    """``interval_columns`` of a column's known values, a row a group, indexed by the groups' names."""
    import pandas as pd

    groups = frame[[*by, of, "cluster"]].groupby(list(by), observed=True)
    known = (own[own[of].notna()] for _, own in groups)
    rows = [interval_columns(own[of], own["cluster"], scale) for own in known]
    return pd.DataFrame(rows, groups.size().index, ["mean", "low", "high", "n", "clusters"])


class FlipTests(NamedTuple):
    """One-sided tests of several rows at once; arrays have shape (rows,)."""

    p: NDArray[np.float64]  # of each row alone
    adjusted: NDArray[np.float64]  # for all rows (Westfall & Young)
    critical: float  # what the last row's statistic must reach at ``level``; infinite where none could


def flip_tests(sums: NDArray[np.float64], level: float) -> FlipTests:
    """Whether any row's sum is above 0: signs of whole clusters are flipped, in all rows together.

    ``sums`` has shape (clusters, rows): each cluster's sum of differences. The statistic is S / root(sum of
    squares), exact where clusters are symmetric around 0 (Fisher 1935; Romano 1990); step-down over rows by
    the greatest statistic left, under the same flips (Westfall & Young 1993, algorithm 4.1).
    """
    many = len(sums)
    if many <= EXACT_CLUSTERS:
        signs = 1.0 - 2.0 * (np.arange(2**many)[:, None] >> np.arange(many) & 1)
    else:
        drawn = np.random.default_rng(0).integers(0, 2, (FLIPS, many))
        signs = np.vstack([np.ones(many), 1.0 - 2.0 * drawn])
    scale = np.sqrt((sums**2).sum(axis=0))
    studentised = sums / np.where(scale > 0, scale, 1.0)
    # Rounded, so that the order of additions does not part what is equal.
    flipped = np.round(signs @ studentised, 9)
    observed = flipped[0]
    p = (flipped >= observed).mean(axis=0)
    order = np.argsort(-observed, kind="stable")
    # Column k: the greatest of the k-th row in order and of all behind it.
    greatest = np.maximum.accumulate(flipped[:, order[::-1]], axis=1)[:, ::-1]
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate((greatest >= observed[order]).mean(axis=0))
    allowed = int(level * len(signs) + 1e-9)
    critical = float(np.sort(greatest[:, 0])[-allowed]) if allowed else np.inf
    return FlipTests(np.where(scale > 0, p, 1.0), np.where(scale > 0, adjusted, 1.0), critical)


def detectable(error: float, n: int, clusters: int, critical: float, width: float) -> float | None:
    """The drop that is found in four of five comparisons, on a scale so wide; None where none could be.

    Miller's minimum detectable effect (2024, section 5), 2.8 SE for one two-sided test, with the step-down's
    critical value T in place of 1.96, as t = T x root((C - 1) / (C - T^2)). A drop d comes as whole answers
    lost, with a binomial variance: SE^2 + d (width - d) / n is solved for d, as Wilson's interval is (1927).
    """
    if not np.isfinite(critical) or critical**2 >= clusters - 1e-9:
        return None
    student = critical * sqrt((clusters - 1) / (clusters - critical**2))
    squared = (max(student, 1.96) + POWER_QUANTILE) ** 2
    own = width * squared / n
    drop = (own + sqrt(own**2 + 4 * (1 + squared / n) * squared * error**2)) / (2 * (1 + squared / n))
    return drop if drop < width else None


def below_nights(tonight: float, nights: ArrayLike, least_spread: float) -> float:
    """One-sided p that a night like the earlier ones, at least two, would be as low as tonight.

    The prediction interval of one more draw (Hahn & Meeker 1991, 4.7): t = (mean - tonight) / (s root(1 +
    1/m)), Student's with m - 1 degrees of freedom; s is taken for at least ``least_spread``.
    """
    from scipy.special import stdtr

    earlier = np.asarray(nights, dtype=np.float64)
    fall = float(earlier.mean()) - tonight
    spread = max(float(earlier.std(ddof=1)), least_spread)
    if spread < 1e-9:
        return 0.0 if fall > 1e-9 else 1.0
    return float(stdtr(len(earlier) - 1, -fall / (spread * sqrt(1 + 1 / len(earlier)))))


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values, shape (m,): the chance of any false alarm, whatever their dependence (Holm 1979)."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    rising = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(rising, 1.0)[np.argsort(order)]


def isotonic_prefix(gains: NDArray[np.float64]) -> NDArray[np.intp]:
    """Shape (...,): at how many leading places a falling isotonic fit lies at or above a level.

    ``gains`` has shape (..., places): w (y - c). The fit is at least c at those places whose sum of them from
    the first one on is greatest (Robertson, Wright & Dykstra 1988, section 1.4), so that no fit is made.
    """
    sums = np.pad(np.cumsum(gains, axis=-1), [*[(0, 0)] * (gains.ndim - 1), (1, 0)]).round(9)
    # The last of several greatest: a place that lies at the level holds.
    places: NDArray[np.intp] = gains.shape[-1] - np.argmax(sums[..., ::-1], axis=-1)
    return places


def cluster_sums(
    clusters: NDArray[np.int64], codes: NDArray[np.int64], values: NDArray[np.float64], columns: int
) -> NDArray[np.float64]:
    """Shape (clusters, columns): sums of ``values`` by cluster and by ``codes``, their column."""
    many = int(clusters.max(initial=-1)) + 1
    flat = np.bincount(clusters * columns + codes, weights=values, minlength=many * columns)
    return flat.reshape(many, columns).astype(np.float64)
