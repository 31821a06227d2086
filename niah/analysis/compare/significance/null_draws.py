"""What the rows' statistics would be if nothing had changed: the signs of whole clusters are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.clusters import flipped
from niah.analysis.stats.permutation import studentised

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS = 9999


@dataclass(frozen=True)
class NullDraws:
    """Every row's statistic, as it was observed and as it may be where nothing changed.

    Attributes:
        observed: shape (rows,): sum over clusters, over the root of the sum of squares; above 0 is worse.
        draws: shape (draws, rows): the same under each flip; the rows of one flip belong together.
        noises: draws of the same shape, if the pairs' differences were pure noise.
        is_exact: whether these are all flips, of which what was observed is one.
    """

    observed: NDArray[np.float64]
    draws: NDArray[np.float64]
    noises: tuple[NDArray[np.float64], ...]
    is_exact: bool


def null_draws(worse: NDArray[np.float64], noises: Sequence[NDArray[np.float64]], *, seed: int) -> NullDraws:
    """All clusters' signs flip together in all rows, so that the rows' dependence is kept.

    Args:
        worse: shape (clusters, rows): the clusters' sums, above 0 where the candidate is worse.
        noises: of the same shape, sums of pure noise.
        seed: of the flips, where not all 2^clusters are taken.
    """
    clusters, rows = worse.shape
    every = np.concatenate([worse, *noises], axis=1)
    roots = np.sqrt((every**2).sum(axis=0))
    flips = flipped(every / np.where(roots > 0, roots, 1.0), DRAWS, seed)
    draws, *noise_draws = (flips[:, at : at + rows] for at in range(0, every.shape[1], rows))
    return NullDraws(studentised(worse), draws, tuple(noise_draws), 2**clusters <= DRAWS)
