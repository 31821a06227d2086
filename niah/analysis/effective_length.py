"""Effective length: how long a context may be before a model falls below its own short-context base.

It is the longest length at which the mean score over depths, made to fall with length (isotonic regression,
Barlow et al. 1972), is at least 85 % of the base: the model's mean over the whole context at its shortest
length. A mean hides a weak depth, so the worst one is named with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis.stats import LEAST_CLUSTERS, bootstrap_sums, cluster_sums, isotonic_prefix

SHARE = 0.85  # of the base, as in NoLiMa (Modarressi et al., 2025)


@dataclass(frozen=True)
class EffectiveLength:
    """One model's effective length with one strategy."""

    reader: str
    strategy: str
    base: float  # mean score that counts as 100 %
    length: int | None  # in tokens; None where not even the shortest length holds
    low: int | None  # 95 % of cluster resamples; None as for ``length``
    high: int | None
    worst_depth: float  # the depth with the lowest mean at ``length``, or at the shortest
    worst_score: float
    shortest: int  # of the lengths with a score; an effective length that is the longest may be more
    longest: int
    n: int  # scored trials
    clusters: int

    @property
    def is_known(self) -> bool:
        """Whether its interval says anything: not every length, and of enough clusters for one."""
        return self.clusters >= LEAST_CLUSTERS and not (self.low is None and self.high == self.longest)


def effective_lengths(
    frame: DataFrame, bases: Mapping[tuple[str, str], float] | None = None
) -> list[EffectiveLength]:
    """One for each model and strategy with a score at known depths; a length without any ends what is known.

    A model that never had the whole context has each strategy's own mean at the shortest length as base.
    ``bases`` are another run's, in place of these.
    """
    found = []
    columns = ["reader", "strategy", "context_length", "depth", "cluster", "scored", "score", "sends_context"]
    placed = frame.loc[frame["depth"].notna(), columns]
    for reader, asked in placed.groupby("reader", observed=True):
        scored, planned = asked[asked["scored"]], np.unique(asked["context_length"])
        whole = scored[scored["sends_context"]]
        for strategy, own in scored.groupby("strategy", observed=True):
            known = planned[planned >= own["context_length"].min()]
            gaps = ~np.isin(known, own["context_length"])
            known = known[: int(gaps.argmax()) if gaps.any() else len(known)]
            own = own[own["context_length"].isin(known)]
            base = whole if len(whole) else own
            base = base[base["context_length"] == base["context_length"].min()]
            names = str(reader), str(strategy)
            found.append(_effective(names, own, base, known, (bases or {}).get(names)))
    return found


def _effective(
    names: tuple[str, str], own: DataFrame, base: DataFrame, lengths: NDArray[np.int64], given: float | None
) -> EffectiveLength:
    depths = np.unique(own["depth"])
    count, shape = len(lengths) * len(depths), (-1, len(lengths), len(depths))
    cells = np.searchsorted(lengths, own["context_length"]) * len(depths)
    # A cell for each length and depth, then one for the base.
    cells = np.concatenate([cells + np.searchsorted(depths, own["depth"]), np.full(len(base), count)])
    clusters = np.unique(np.concatenate([own["cluster"], base["cluster"]]), return_inverse=True)[1]
    scores = np.concatenate([own["score"], base["score"]])
    sums = np.hstack(
        [cluster_sums(clusters, cells, values, count + 1) for values in (scores, np.ones(len(scores)))]
    )

    def means_and_held(totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Of each row of totals the mean of every length and depth, and how many lengths hold."""
        numbers = totals[:, count + 1 :]
        means = np.divide(totals[:, : count + 1], np.where(numbers > 0, numbers, np.nan))
        level = SHARE * (means[:, -1] if given is None else np.full(len(totals), given))
        grid, weights = means[:, :-1].reshape(shape), numbers[:, :-1].reshape(shape)
        over_depths = np.nansum(grid, axis=2) / np.maximum((weights > 0).sum(axis=2), 1)
        gains = np.nan_to_num(weights.sum(axis=2) * (over_depths - level[:, None]))
        return grid, isotonic_prefix(gains)

    grid, (held,) = means_and_held(sums.sum(axis=0, keepdims=True))
    low, high = np.quantile(means_and_held(bootstrap_sums(sums))[1], (0.025, 0.975), method="lower")
    at_length = grid[0, max(held, 1) - 1]
    worst, steps = int(np.nanargmin(at_length)), [None, *map(int, lengths)]
    own_base = float(base["score"].mean()) if given is None else given
    ends, score = (steps[min(low, held)], steps[max(high, held)]), float(at_length[worst])
    span, count = (int(lengths[0]), int(lengths[-1])), int(own["cluster"].nunique())
    return EffectiveLength(
        *names, own_base, steps[held], *ends, float(depths[worst]), score, *span, len(own), count
    )
