"""One night's table against several references, with all that they share made once.

What ``niah.analysis.compare.rows.table_test`` does, by the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.axes import cut_levels
from niah.analysis.compare.moments import cluster_sums, interval_half_widths, moments
from niah.analysis.compare.significance.flip_tests import asked_of, least_beyond
from niah.analysis.compare.significance.learned_luck import block_worth, luck_blocks
from niah.analysis.compare.significance.luck_estimate import LuckEstimate, luck_estimate
from niah.analysis.compare.significance.null_draws import null_draws, row_statistics
from niah.analysis.compare.significance.shared_luck import (
    ReaderLuck,
    SharedLuck,
    row_luck,
    row_seen,
    shared_luck,
)
from niah.analysis.compare.significance.weights import row_weights
from tests.analysis.compare.shared_luck import LuckyNights

DRAWS = 999
FEW = 6
"""Rows that are drawn first; 85 % of null tables need no others."""


class LuckTables:
    """Tables of scores of one world's nights; every trial has one, so that no row of failures matters."""

    def __init__(self, nights: LuckyNights, alpha: float) -> None:
        self._nights, self._blocks = nights, luck_blocks(nights.frame)
        self._levels = cut_levels(nights.axes, len(nights.cluster))
        parts = [moments(level, nights.cluster, np.zeros(len(nights.cluster))) for level in self._levels]
        self._clusters = np.concatenate([part.clusters for part in parts])
        self._weights = row_weights(self._levels, int(nights.cluster.max()) + 1, alpha)[: len(self._clusters)]
        self._weightiest = np.argsort(-self._weights, kind="stable")[:FEW]

    def learned(self, scores: NDArray[np.float64], pools: Sequence[int]) -> list[SharedLuck | None]:
        """Of all rows, against the mean of so many nights, as all before the last tell it."""
        worth = block_worth(self._blocks, scores, is_score=True)
        estimate = luck_estimate(scores, worth, self._nights.cluster, self._nights.seed)
        return [self._luck(worth, estimate, pool) for pool in pools]

    def known(self) -> SharedLuck | None:
        """Of one who knows how much luck there is, against one night."""
        world = self._nights.world
        return self._luck(self._nights.worth, LuckEstimate(world.seed_luck, world.night_luck), 1)

    def alarms(self, differences: NDArray[np.float64], luck: SharedLuck | None, alpha: float) -> bool:
        """Whether any row of the table would be called worse."""
        sums = [cluster_sums(level, self._nights.cluster, -differences) for level in self._levels]
        worse = np.concatenate(sums, axis=1)
        beyond = float((row_statistics(worse, luck) - asked_of(self._weights, alpha)).max())
        # In every draw the worst of all rows is no less than the worst of a few: mostly that will do.
        return all(
            beyond >= self._least_beyond(worse, luck, alpha, rows)
            for rows in (self._weightiest, np.arange(len(self._weights)))
        )

    def _least_beyond(
        self, worse: NDArray[np.float64], luck: SharedLuck | None, alpha: float, rows: NDArray[np.intp]
    ) -> float:
        """Of the worst of these rows."""
        own = luck and SharedLuck(
            *(luck.draws[:, rows], luck.variance[rows], luck.clusters[rows], luck.tail[rows], luck.seen[rows])
        )
        return least_beyond(null_draws(worse[:, rows], [], seed=0, luck=own), self._weights[rows], alpha)

    def interval_holds_0(self, differences: NDArray[np.float64], luck: SharedLuck | None) -> bool:
        """Whether the 95 % interval of all pairs does."""
        found = moments(self._levels[0], self._nights.cluster, differences)
        if luck is not None:
            luck = shared_luck(luck.draws[:, :1], found.clusters, luck.seen[:1])
        return bool(abs(found.mean[0]) <= interval_half_widths(found, luck)[0])

    def _luck(self, worth: NDArray[np.float64], estimate: LuckEstimate, pool: int) -> SharedLuck | None:
        readers = [ReaderLuck(worth, estimate)]
        draws = row_luck(
            *(self._levels, readers, self._nights.cluster, self._nights.seed),
            reference_nights=pool,
            draws=DRAWS,
            seed=0,
        )
        seen = row_seen(self._levels, readers) * (pool == 1)
        return shared_luck(draws, self._clusters, seen)
