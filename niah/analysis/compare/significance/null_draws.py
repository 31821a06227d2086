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

LUCK_DRAWS = 2999
"""Where luck is drawn too."""

_SLACK = 1e-9

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
        scale: shape (rows,): what the statistics are divided by; 1 but where luck is drawn.
    """

    observed: NDArray[np.float64]
    draws: NDArray[np.float64]
    noises: tuple[NDArray[np.float64], ...]
    is_exact: bool
    scale: NDArray[np.float64] | float = 1.0


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
    # No flips make more of a row: all its clusters are worse.
    most = np.abs(every).sum(axis=0) / np.where(roots > 0, roots, 1.0)
    flips = flipped(every / np.where(roots > 0, roots, 1.0), len(luck.draws) if luck else DRAWS, seed)
    draws, *noise_draws = (flips[:, at : at + rows] for at in range(0, every.shape[1], rows))
    observed = row_statistics(worse, luck)
    if luck is None:
        return NullDraws(observed, draws, tuple(noise_draws), 2**count <= DRAWS)
    squares = roots[:rows] ** 2
    law = _LuckLaw(squares, luck)
    return NullDraws(
        observed=observed,
        draws=law.drawn(draws, most[:rows]),
        noises=tuple(
            law.drawn(each, own)
            for each, own in zip(noise_draws[:_NOISES], most[rows:].reshape(-1, rows), strict=False)
        ),
        is_exact=False,
        scale=law.scale,
    )


def row_statistics(worse: NDArray[np.float64], luck: SharedLuck | None) -> NDArray[np.float64]:
    """Shape (..., rows): what draws are compared with, of clusters' sums of shape (..., clusters, rows)."""
    squares = (worse**2).sum(axis=-2)
    ratios: NDArray[np.float64] = worse.sum(axis=-2) / np.sqrt(np.where(squares > 0, squares, 1.0))
    return ratios if luck is None else _LuckLaw(squares, luck).observed(ratios)


class _LuckLaw:
    """The statistic where luck adds to the variance that clusters show.

    Student's t of a row's sum, with the clusters' variance about their mean and luck's; then on the scale of
    a sum over the root of the sum of squares, which it is exactly where there is no luck. For k clusters, own
    sum g and luck l, t^2 = (g + l)^2 / ((k s - g^2) / (k - 1) + v), where s are the squares and v is luck's
    variance, and the statistic is t root(k / (k - 1 + t^2)).

    Luck that is not well known has a heavier tail than clusters, and not the same in all rows. Each row's
    statistic is divided by how heavy it is, so that no row takes the level of the others. Where the
    reference has been seen to be near the mean of all nights, g + l is drawn so much nearer to 0, and the
    statistic is divided by that too. But not where all clusters are worse: that flips alone come to it is as
    likely as ever, and of a row in which a few answers changed they say no less than that.

    Args:
        squares: shape (..., rows): sums of squares of the clusters' sums.
        luck: of the rows.
    """

    def __init__(self, squares: NDArray[np.float64], luck: SharedLuck) -> None:
        clusters = np.maximum(luck.clusters, 2).astype(np.float64)
        self._roots, self._luck = np.sqrt(squares), luck.draws
        self._whole = clusters * squares + (clusters - 1) * luck.variance
        self._left = luck.left(squares)
        self.scale = luck.heaviness(squares) * np.sqrt(self._left)
        self._unit = np.sqrt(clusters) / self.scale

    def observed(self, ratios: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of sums over the root of their sum of squares, shape (..., rows)."""
        found: NDArray[np.float64] = self._unit * self._roots * ratios
        return found / np.sqrt(np.where(self._whole > 0, self._whole, 1.0))

    def drawn(self, ratios: NDArray[np.float64], most: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same with every draw of luck, shape (draws, rows); too few ratios are taken again.

        ``most``, shape (rows,), is the ratio of all clusters being worse.
        """
        ratios = np.asfortranarray(np.resize(ratios, self._luck.shape))
        own = self._roots * ratios
        total = own + self._luck
        # In place, since these are a million numbers: k s + (k - 1) v + (2 g + l) l.
        own += total
        own *= self._luck
        own += self._whole
        if (self._left < 1).any():
            left = np.where(ratios >= most - _SLACK, 1.0, self._left)
            total *= np.sqrt(left)
            own -= (1 / left - 1) * total**2
        total *= self._unit
        found = np.divide(total, np.sqrt(own, out=own), out=np.zeros_like(total), where=self._whole > 0)
        return np.asarray(found, dtype=np.float64)
