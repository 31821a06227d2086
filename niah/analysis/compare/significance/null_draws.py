"""What the rows' statistics would be if nothing had changed but luck.

The signs of whole clusters are drawn; and where clusters share luck, that is drawn too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.analysis.compare.significance.shared_luck import SharedLuck

DRAWS = 9999

_NOISES = 1
"""Where luck is shared there are as many draws of each noise as of the statistics, so one is enough."""


@dataclass(frozen=True)
class NullDraws:
    """Every row's statistic, as it was observed and as it may be where nothing changed.

    Attributes:
        observed: shape (rows,): sum over clusters, over the root of the sum of squares; above 0 is worse.
        draws: shape (draws, rows): the same under each flip; the rows of one flip belong together.
        noises: draws of the same rows, if the pairs' differences were pure noise.
        is_exact: whether these are all flips, of which what was observed is one.
    """

    observed: NDArray[np.float64]
    draws: NDArray[np.float64]
    noises: tuple[NDArray[np.float64], ...]
    is_exact: bool


def null_draws(
    worse: NDArray[np.float64],
    noises: Sequence[NDArray[np.float64]],
    *,
    seed: int,
    luck: SharedLuck | None = None,
) -> NullDraws:
    """All clusters' signs flip together in all rows, so that the rows' dependence is kept.

    Args:
        worse: shape (clusters, rows): the clusters' sums, above 0 where the candidate is worse.
        noises: of the same shape, sums of pure noise.
        seed: of the flips, where not all 2^clusters are taken.
        luck: that clusters share; without it every p-value is exact.
    """
    count, rows = worse.shape
    every = np.concatenate([worse, *noises], axis=1)
    roots = np.sqrt((every**2).sum(axis=0))
    flips = flipped(every / np.where(roots > 0, roots, 1.0), DRAWS, seed)
    draws, *noise_draws = (flips[:, at : at + rows] for at in range(0, every.shape[1], rows))
    observed = row_statistics(worse, luck)
    if luck is None:
        return NullDraws(observed, draws, tuple(noise_draws), 2**count <= DRAWS)
    law = _LuckLaw(roots[:rows] ** 2, luck)
    return NullDraws(
        observed=observed,
        draws=law.statistic(draws, DRAWS),
        noises=tuple(law.statistic(each, DRAWS) for each in noise_draws[:_NOISES]),
        is_exact=False,
    )


def row_statistics(worse: NDArray[np.float64], luck: SharedLuck | None) -> NDArray[np.float64]:
    """Shape (..., rows): what draws are compared with, of clusters' sums of shape (..., clusters, rows)."""
    squares = (worse**2).sum(axis=-2)
    ratios: NDArray[np.float64] = worse.sum(axis=-2) / np.sqrt(np.where(squares > 0, squares, 1.0))
    return ratios if luck is None else _LuckLaw(squares, luck).statistic(ratios, 0)


class _LuckLaw:
    """The statistic where luck adds to the variance that clusters show.

    Student's t of a row's sum, with the clusters' variance about their mean and luck's; then on the scale of
    a sum over the root of the sum of squares, which it is exactly where there is no luck.

    Args:
        squares: shape (..., rows): sums of squares of the clusters' sums.
        luck: of the rows.
    """

    def __init__(self, squares: NDArray[np.float64], luck: SharedLuck) -> None:
        whole = squares + luck.variance
        self._unit = 1 / np.sqrt(np.where(whole > 0, whole, 1.0))
        self._own = squares * self._unit**2
        self._added = luck.variance * self._unit**2
        self._clusters = np.maximum(luck.clusters, 2).astype(np.float64)
        self._luck = luck.draws

    def statistic(self, flips: NDArray[np.float64], draws: int) -> NDArray[np.float64]:
        """Of flips over the root of their sum of squares; with so many draws of luck, or none at all."""
        count, own = self._clusters, self._own
        if draws:
            flips = np.resize(flips, (draws, flips.shape[1]))
        variance = own * (1 - flips**2 / count) * (count / (count - 1)) + self._added
        total = np.sqrt(own) * flips
        if draws:
            total += self._luck[:draws] * self._unit
        t = total / np.sqrt(np.where(variance > 0, variance, 1.0))
        found: NDArray[np.float64] = t * np.sqrt(count / (count - 1 + t**2))
        return found
