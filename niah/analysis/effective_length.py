"""Effective length: how long a context may be before a model falls below its own short-context base.

It is the longest length at which the mean score over depths, made to fall with length (isotonic regression,
Barlow et al. 1972), is at least 85 % of the base: the model's mean over the whole context at its shortest
length. A mean hides a weak depth, so the worst one is named with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis.stats import LEAST_CLUSTERS, isotonic_prefix

SHARE = 0.85  # of the base, as in NoLiMa (Modarressi et al., 2025)
BOOTSTRAP_DRAWS = 1000  # resamples of clusters: 25 lie beyond each end of a 95 % interval


def effective_lengths(frame: DataFrame, bases: Mapping[tuple[str, str], float] | None = None) -> DataFrame:
    """A row a model and strategy with a score at known depths; a length without any ends what is known.

    base is the mean score that counts as 100 %: a model's that never had the whole context is each strategy's
    own at the shortest length; ``bases`` are another run's, in place of these. length, in tokens, and its
    bounds are None where not even the shortest holds, and may be more where it is the longest; the bounds
    of fewer than ``LEAST_CLUSTERS`` clusters are None too.
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
            given = (bases or {}).get((str(reader), str(strategy)))
            names = {"reader": str(reader), "strategy": str(strategy)}
            found.append(names | _effective(own, base, known, given))
    return DataFrame(found, dtype=object)


def _effective(
    own: DataFrame, base: DataFrame, lengths: NDArray[np.int64], given: float | None
) -> dict[str, Any]:
    depths, of_base = np.unique(own["depth"]), base.groupby("cluster")["score"].agg(["sum", "count"])
    count, shape = len(lengths) * len(depths), (-1, len(lengths), len(depths))
    cells: Any = own.groupby(["cluster", "context_length", "depth"])["score"].agg(["sum", "count"])
    places = pd.MultiIndex.from_product([["sum", "count"], lengths, depths])
    # Of each cluster the sums of every length and depth, then the numbers; and both of the base.
    cells, of_base = cells.unstack([1, 2]).reindex(columns=places).align(of_base, axis=0)
    sums = np.nan_to_num(np.hstack([cells, of_base]))

    def means_and_held(totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Of each row of totals the mean of every length and depth, and how many lengths hold."""
        weights, known = totals[:, count:-2].reshape(shape), np.where(totals > 0, totals, np.nan)
        grid = (known[:, :count] / known[:, count:-2]).reshape(shape)
        level = SHARE * (known[:, -2] / known[:, -1] if given is None else np.full(len(totals), given))
        over_depths = np.nansum(grid, axis=2) / np.maximum((weights > 0).sum(axis=2), 1)
        gains = np.nan_to_num(weights.sum(axis=2) * (over_depths - level[:, None]))
        return grid, isotonic_prefix(gains)

    grid, (held,) = means_and_held(sums.sum(axis=0, keepdims=True))
    # The same of clusters drawn with replacement (Efron & Tibshirani 1993, 8).
    drawn = np.random.default_rng(0).integers(0, len(sums), (BOOTSTRAP_DRAWS, len(sums)))
    weights = np.array([np.bincount(draw, minlength=len(sums)) for draw in drawn], dtype=np.float64)
    low, high = np.quantile(means_and_held(weights @ sums)[1], (0.025, 0.975), method="lower")
    at_length = grid[0, max(held, 1) - 1]
    worst, steps = int(np.nanargmin(at_length)), [None, *map(int, lengths)]
    clusters = int(own["cluster"].nunique())
    bounds = steps[min(low, held)], steps[max(high, held)]
    low, high = bounds if clusters >= LEAST_CLUSTERS else (None, None)
    return {
        "base": float(base["score"].mean()) if given is None else given,
        **{"length": steps[held], "length_low": low, "length_high": high},
        **{"worst_depth": float(depths[worst]), "worst_score": float(at_length[worst])},
        **{"shortest": int(lengths[0]), "longest": int(lengths[-1])},
        **{"n": len(own), "clusters": clusters},
    }
