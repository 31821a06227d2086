"""Effective length: how long a context may be before a model falls below its own short-context base.

It is the longest context length at which the mean score over depths, made to fall with length (isotonic
regression, Barlow et al. 1972), is at least 85 % of the base: the model's mean over the whole context at its
shortest length, one base for all of its strategies. RULER (Hsieh et al. 2024) holds a mean against a
threshold in the same way. A mean hides a weak depth, so the worst one is named with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats import BOOTSTRAP_DRAWS, LEAST_CLUSTERS, bootstrap_sums, cluster_sums, isotonic_prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

SHARE = 0.85
"""Of the base: design.md, section 7."""

Bases = Mapping[tuple[str, str], float]
"""The mean score that counts as 100 %, of each model with each strategy."""


@dataclass(frozen=True)
class EffectiveLength:
    """One model's effective length with one strategy.

    Attributes:
        base: mean score that counts as 100 %.
        length: in tokens; None where not even the shortest length holds.
        low, high: 95 % of cluster resamples; None as for ``length``.
        worst_depth, worst_score: the depth with the lowest mean at ``length``, or at the shortest.
        shortest, longest: of the lengths with a score; an effective length that is the longest may be more.
        n, clusters: scored trials.
    """

    reader: str
    strategy: str
    base: float
    length: int | None
    low: int | None
    high: int | None
    worst_depth: float
    worst_score: float
    shortest: int
    longest: int
    n: int
    clusters: int

    @property
    def is_known(self) -> bool:
        """Whether its interval says anything: not every length, and of enough clusters for one."""
        return self.clusters >= LEAST_CLUSTERS and not (self.low is None and self.high == self.longest)


def effective_lengths(
    frame: DataFrame, *, bases: Bases | None = None, seed: int = 0
) -> list[EffectiveLength]:
    """One per model and strategy with a score at known depths.

    A length without any score ends what is known. A model that never had the whole context has each
    strategy's own mean at the shortest length as base.

    Args:
        frame: of trials, see ``niah.analysis.frame.trial_frame``.
        bases: of another run, taken as they are in place of these trials' own.
        seed: of the resamples.
    """
    found = []
    placed = frame[frame["depth"].notna()]
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
            found.append(_effective(names, own, base, known, (bases or {}).get(names), seed))
    return found


def length_bases(frame: DataFrame) -> Bases:
    """What the lengths of a run are held against."""
    return {(each.reader, each.strategy): each.base for each in effective_lengths(frame)}


def _effective(
    names: tuple[str, str],
    own: DataFrame,
    base: DataFrame,
    lengths: NDArray[np.int64],
    given: float | None,
    seed: int,
) -> EffectiveLength:
    depths = np.unique(own["depth"])
    count, shape = len(lengths) * len(depths), (-1, len(lengths), len(depths))
    cells = np.searchsorted(lengths, own["context_length"]) * len(depths)
    cells = np.concatenate([cells + np.searchsorted(depths, own["depth"]), np.full(len(base), count)])
    clusters = np.unique(np.concatenate([own["cluster"], base["cluster"]]), return_inverse=True)[1]
    scores = np.concatenate([own["score"], base["score"]])
    # Columns: the sum of each cell and of the base, then how many scores these are of.
    parts = [cluster_sums(clusters, cells, values, count + 1) for values in (scores, np.ones(len(scores)))]

    def cell_means(totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        numbers = totals[:, count + 1 :]
        means = np.divide(totals[:, : count + 1], np.where(numbers > 0, numbers, np.nan))
        return means, numbers

    def lengths_held(totals: NDArray[np.float64]) -> NDArray[np.intp]:
        """How many lengths hold, for each row of column totals."""
        means, numbers = cell_means(totals)
        level = SHARE * (means[:, -1] if given is None else np.full(len(totals), given))
        grid, known = means[:, :-1].reshape(shape), numbers[:, :-1].reshape(shape) > 0
        over_depths = np.where(known, grid, 0.0).sum(axis=2) / np.maximum(known.sum(axis=2), 1)
        weights = numbers[:, :-1].reshape(shape).sum(axis=2)
        return isotonic_prefix(np.nan_to_num(weights * (over_depths - level[:, None])))

    sums = np.hstack(parts)
    total = sums.sum(axis=0, keepdims=True)
    drawn = np.sort(lengths_held(bootstrap_sums(sums, BOOTSTRAP_DRAWS, seed)))
    held, steps = int(lengths_held(total)[0]), [None, *map(int, lengths)]
    low, high = (int(drawn[int(share * (len(drawn) - 1))]) for share in (0.025, 0.975))
    at_length = cell_means(total)[0][0, :-1].reshape(shape)[0, max(held, 1) - 1]
    worst = int(np.nanargmin(at_length))
    return EffectiveLength(
        *names,
        base=float(base["score"].mean()) if given is None else given,
        length=steps[held],
        low=steps[min(low, held)],
        high=steps[max(high, held)],
        worst_depth=float(depths[worst]),
        worst_score=float(at_length[worst]),
        shortest=int(lengths[0]),
        longest=int(lengths[-1]),
        n=len(own),
        clusters=int(own["cluster"].nunique()),
    )
