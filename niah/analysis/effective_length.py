"""Effective length: how long a context may be before a model falls below its own short-context base.

It is the longest context length at which the mean score over depths, made to fall with length (isotonic
regression, Barlow et al. 1972), is at least 85 % of the base: the model's mean over the whole context at its
shortest length, one base for all of its strategies. RULER (Hsieh et al. 2024) holds a mean against a
threshold in the same way. A mean hides a weak depth, so the worst one is named next to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
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
    score, depth = frame["score"].to_numpy(), frame["depth"].to_numpy()
    placed = np.flatnonzero(~np.isnan(depth) & ~np.isnan(score))
    found = []
    for (reader,), own in row_groups(frame, "reader", rows=placed):
        planned = frame["context_length"].to_numpy()[
            (frame["reader"] == reader).to_numpy() & ~np.isnan(depth)
        ]
        whole = own[frame["sends_context"].to_numpy()[own]]
        for (strategy,), rows in row_groups(frame, "strategy", rows=own):
            given = (bases or {}).get((reader, strategy))
            found.append(
                _of(
                    frame,
                    reader,
                    strategy,
                    rows,
                    whole if len(whole) else rows,
                    np.unique(planned),
                    given,
                    seed,
                )
            )
    return found


def _of(
    frame: DataFrame,
    reader: str,
    strategy: str,
    rows: NDArray[np.intp],
    base_rows: NDArray[np.intp],
    planned: NDArray[np.int64],
    given: float | None,
    seed: int,
) -> EffectiveLength:
    length, depth, score = (frame[name].to_numpy() for name in ("context_length", "depth", "score"))
    clusters = np.unique(frame["cluster"].to_numpy(), return_inverse=True)[1]
    known = planned[planned >= length[rows].min()]
    scored = np.isin(known, length[rows])
    known = known[: len(known) if scored.all() else int(scored.argmin())]
    rows = rows[np.isin(length[rows], known)]
    depths = np.unique(depth[rows])
    at_base = base_rows[length[base_rows] == length[base_rows].min()]
    cells = np.searchsorted(known, length[rows]) * len(depths) + np.searchsorted(depths, depth[rows])
    count = len(known) * len(depths)
    # Columns: sums and numbers of each cell, then of the base.
    everywhere = np.concatenate([rows, at_base])
    where = np.concatenate([cells, np.full(len(at_base), count)])
    totals = np.hstack(
        [
            cluster_sums(clusters[everywhere], where, values, count + 1)
            for values in (score[everywhere], np.ones(len(everywhere)))
        ]
    )
    totals = totals[totals[:, count + 1 :].any(axis=1)]

    def steps(sums: NDArray[np.float64]) -> NDArray[np.intp]:
        """How many lengths hold, for each row of column totals."""
        means, numbers = _ratio(sums[:, :count], sums[:, count + 1 : -1]), sums[:, count + 1 : -1]
        base = _ratio(sums[:, count], sums[:, -1]) if given is None else np.full(len(sums), given)
        shape = (len(sums), len(known), len(depths))
        weights = numbers.reshape(shape).sum(axis=2)
        over_depths = _known_mean(means.reshape(shape))
        return isotonic_prefix(np.nan_to_num(weights * (over_depths - SHARE * base[:, None])))

    sums = totals.sum(axis=0, keepdims=True)
    drawn = np.sort(steps(bootstrap_sums(totals, BOOTSTRAP_DRAWS, seed)))
    low, high = (int(drawn[int(share * (len(drawn) - 1))]) for share in (0.025, 0.975))
    held, lengths = int(steps(sums)[0]), [None, *map(int, known)]
    means = _ratio(sums[:, :count], sums[:, count + 1 : -1]).reshape(len(known), len(depths))[
        max(held, 1) - 1
    ]
    worst = int(np.nanargmin(means))
    base = float(score[at_base].mean()) if given is None else given
    return EffectiveLength(
        *(reader, strategy, base, lengths[held], lengths[min(low, held)], lengths[max(high, held)]),
        *(float(depths[worst]), float(means[worst]), int(known[0]), int(known[-1])),
        *(len(rows), len(np.unique(clusters[rows]))),
    )


def length_bases(frame: DataFrame) -> Bases:
    """What the lengths of a run are held against."""
    return {(each.reader, each.strategy): each.base for each in effective_lengths(frame)}


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio: NDArray[np.float64] = np.divide(above, np.where(below > 0, below, np.nan))
    return ratio


def _known_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis, of those that are known."""
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1).astype(np.float64))
