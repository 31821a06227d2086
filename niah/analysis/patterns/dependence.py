"""Whether an effect is stronger in smaller readers, or in longer contexts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.patterns.pattern import Dependence
from niah.analysis.patterns.steps import without
from niah.analysis.stats.bootstrap import ratio_interval
from niah.analysis.stats.clusters import totals
from niah.analysis.stats.permutation import max_sign_flip

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    from niah.analysis.patterns.pattern import By


def known_sizes(frame: DataFrame) -> dict[str, float] | None:
    """By reader, the sizes that its user stated; None where no two of them differ."""
    stated = frame[frame["reader_size"].notna()]
    sizes = dict(zip(stated["reader"].tolist(), stated["reader_size"].tolist(), strict=True))
    return sizes if len(set(sizes.values())) > 1 else None


def reader_places(trials: DataFrame, sizes: Mapping[str, float] | None) -> NDArray[np.float64]:
    """Shape (n,): where each row's reader stands, the smallest at 0 and the greatest at 1, by rank.

    By size, or by mean score where no sizes are given; NaN for a reader without a size.
    """
    readers, codes = np.unique(trials["reader"].to_numpy(dtype=object), return_inverse=True)
    if sizes is None:
        numbers = np.bincount(codes, weights=trials["score"]) / np.bincount(codes)
    else:
        numbers = np.array([sizes.get(name, np.nan) for name in readers])
    ranks = np.full(len(numbers), np.nan)
    known = ~np.isnan(numbers)
    ranks[known] = np.unique(numbers[known], return_inverse=True)[1]
    return _from_0_to_1(ranks)[codes]


def length_places(trials: DataFrame) -> NDArray[np.float64]:
    """Shape (n,): the logarithm of each row's context length, the shortest at 0 and the longest at 1."""
    return _from_0_to_1(np.log(trials["context_length"].to_numpy()))


def dependence(
    by: By,
    places: NDArray[np.float64],
    y: NDArray[np.float64],
    d: NDArray[np.float64],
    clusters: NDArray[np.int64],
    *,
    draws: int,
    seed: int,
) -> Dependence | None:
    """How the effect of ``d`` on ``y`` changes along ``places``; all of shape (n,), strata's means taken out.

    Places are the same throughout a stratum. None where they, or d, do not vary.
    """
    known = ~np.isnan(places)
    places, y, d, clusters = places[known], y[known], d[known], clusters[known]
    turn = without(d * places, d)
    if not turn @ turn > 1e-9 * (d @ d):
        return None
    rest = without(y, d)
    found = ratio_interval(rest * turn, turn**2, clusters, draws=draws, seed=seed)
    p = max_sign_flip(totals(clusters, rest * turn), draws=draws, seed=seed).p
    return Dependence(by, found.estimate, found.low, found.high, p, p)


def _from_0_to_1(values: NDArray[np.float64]) -> NDArray[np.float64]:
    known = values[~np.isnan(values)]
    if not len(known) or np.ptp(known) == 0:
        return np.full(len(values), np.nan)
    places: NDArray[np.float64] = (values - known.min()) / np.ptp(known)
    return places
