"""Means of paired differences by row, with intervals, from cluster totals; all rows at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from niah.analysis.compare.axes import Level
    from niah.analysis.compare.significance.shared_luck import SharedLuck


_DRAWS = 3000


@dataclass(frozen=True)
class Moments:
    """What is known of rows; every array has shape (rows,) but ``sums``.

    Attributes:
        sums: shape (clusters, rows), of the differences.
        n: pairs.
        clusters: those that have any.
        mean: of the differences; NaN without any pair.
        error: its standard error, by clusters; NaN with fewer than two.
        deviation: sample standard deviation of the differences; NaN with fewer than two pairs.
        even: how many clusters of one size would average as much: (sum of sizes)^2 / sum of squares.
    """

    sums: NDArray[np.float64]
    n: NDArray[np.float64]
    clusters: NDArray[np.int64]
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    deviation: NDArray[np.float64]
    even: NDArray[np.float64]


def cluster_sums(
    level: Level, clusters: NDArray[np.int64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shape (clusters, rows): the sums of ``values``, shape (n,), none of them NaN."""
    count, rows = int(clusters.max(initial=-1)) + 1, len(level.names)
    sums = np.bincount(level.codes * count + clusters, weights=values, minlength=count * rows)
    return sums.reshape(rows, count).T.astype(np.float64)


def moments(level: Level, clusters: NDArray[np.int64], differences: NDArray[np.float64]) -> Moments:
    """Of each row of a level; a pair whose difference is NaN does not count. All of shape (n,)."""
    known = ~np.isnan(differences)
    values = np.where(known, differences, 0.0)
    sums, sizes, squares = (
        cluster_sums(level, clusters, each) for each in (values, known.astype(np.float64), values**2)
    )
    n, parts = sizes.sum(axis=0), (sizes > 0).sum(axis=0)
    mean = _ratio(sums.sum(axis=0), n)
    off = sums - np.nan_to_num(mean) * sizes
    spread = _ratio(parts, parts - 1.0) * (off**2).sum(axis=0)
    around = np.maximum(squares.sum(axis=0) - n * np.nan_to_num(mean) ** 2, 0.0)
    return Moments(
        sums=sums,
        n=n,
        clusters=parts,
        mean=mean,
        error=_ratio(np.sqrt(spread), n),
        deviation=np.sqrt(_ratio(around, n - 1)),
        even=np.nan_to_num(_ratio(n**2, (sizes**2).sum(axis=0))),
    )


def concatenate_moments(parts: Sequence[Moments]) -> Moments:
    """The rows of several, one after another."""
    names = (field.name for field in fields(Moments))
    return Moments(**{name: np.concatenate([getattr(p, name) for p in parts], axis=-1) for name in names})


def interval_half_widths(
    found: Moments, luck: SharedLuck | None = None, level: float = 0.95
) -> NDArray[np.float64]:
    """How far each mean's interval reaches on either side: Student's, with clusters - 1 degrees of freedom.

    Cameron and Miller 2015, section VI.C. With luck that clusters share, that part of all draws of both lies
    within: luck between clusters counts in full, since their error, about their own mean, shows none of it.
    Where the reference has been seen to be near the mean of all nights, both reach less far.
    NaN with fewer than two clusters.
    """
    from scipy.special import stdtrit

    degrees = np.maximum(found.clusters - 1, 1).astype(np.float64)
    if luck is None:
        return np.asarray(stdtrit(degrees, (1 + level) / 2) * found.error, dtype=np.float64)
    draws, rng = luck.draws[:_DRAWS], np.random.default_rng(0)
    each, places = np.unique(degrees, return_inverse=True)
    student = np.array([rng.standard_t(degree, size=len(draws)) for degree in each])
    unseen = np.sqrt((degrees + 1) / degrees) / np.maximum(found.n, 1)
    both = np.abs(student[places].T * found.error + draws * unseen)
    reach = np.quantile(both, level, axis=0) * np.sqrt(luck.left((found.error * found.n) ** 2))
    return np.asarray(reach, dtype=np.float64)


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio: NDArray[np.float64] = np.divide(above, np.where(below > 0, below, np.nan))
    return ratio
