"""One night's table against several references, with all that they share made once.

What ``niah.analysis.compare.rows.table_test`` does, by the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from niah.analysis.compare.axes import cut_levels, reader_strategy_levels
from niah.analysis.compare.moments import cluster_sums, interval_half_widths, moments
from niah.analysis.compare.significance.detectable import detectable
from niah.analysis.compare.significance.flip_tests import FlipTests, asked_of, flip_tests, least_beyond
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
        self._all_weights = row_weights(self._levels, int(nights.cluster.max()) + 1, alpha)
        self._weights = self._all_weights[: len(self._clusters)]
        self._of_failures = reader_strategy_levels(self._levels)
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

    def finds_all_pairs(self, scores: NDArray[np.float64], pool: int, alpha: float) -> bool:
        """Whether the last night's row of all pairs is called worse than the mean of so many before it."""
        (luck,) = self.learned(scores, (pool,))
        return bool(self._tested(_against(scores, pool), luck, alpha).adjusted[0] <= alpha)

    def stated(self, scores: NDArray[np.float64], pool: int, alpha: float) -> float:
        """The minimum detectable worsening of the last night's row of all pairs."""
        (luck,) = self.learned(scores, (pool,))
        differences = _against(scores, pool)
        found = moments(self._levels[0], self._nights.cluster, differences)
        critical = self._tested(differences, luck, alpha).critical
        room = np.array([(scores[-1] - differences).mean() - 1])
        return float(detectable(found, critical[:1], room, alpha, luck and _of_rows(luck, np.arange(1)))[0])

    def _tested(self, differences: NDArray[np.float64], luck: SharedLuck | None, alpha: float) -> FlipTests:
        # Trials not scored have rows of their own: none changed, but they have their part of the level.
        rng, cluster = np.random.default_rng(0), self._nights.cluster
        scores, failures = rng.normal(size=(2, len(differences)))
        noise = [
            *(cluster_sums(level, cluster, scores) for level in self._levels),
            *(cluster_sums(level, cluster, failures) for level in self._of_failures),
        ]
        sums = [cluster_sums(level, cluster, -differences) for level in self._levels]
        none = [np.zeros((len(sums[0]), len(level.names))) for level in self._of_failures]
        worse, extra = np.concatenate([*sums, *none], axis=1), sum(each.shape[1] for each in none)
        drawn = null_draws(
            worse, [np.concatenate(noise, axis=1)], seed=0, luck=luck and _with_no_luck(luck, extra)
        )
        return flip_tests(drawn, self._all_weights, correction="holm", alpha=alpha)

    def _least_beyond(
        self, worse: NDArray[np.float64], luck: SharedLuck | None, alpha: float, rows: NDArray[np.intp]
    ) -> float:
        """Of the worst of these rows."""
        own = luck and _of_rows(luck, rows)
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


def _against(scores: NDArray[np.float64], pool: int) -> NDArray[np.float64]:
    """Shape (n,): the last night's scores less the mean of so many before it."""
    return np.asarray(scores[-1] - scores[-1 - pool : -1].mean(axis=0))


def _of_rows(luck: SharedLuck, rows: NDArray[np.intp]) -> SharedLuck:
    return SharedLuck(
        *(luck.draws[:, rows], luck.variance[rows], luck.clusters[rows], luck.tail[rows], luck.seen[rows])
    )


def _with_no_luck(luck: SharedLuck, rows: int) -> SharedLuck:
    """With so many more rows, which have none."""
    clusters = np.full(rows, luck.clusters.max())
    return SharedLuck(
        *(np.pad(luck.draws, ((0, 0), (0, rows))), np.pad(luck.variance, (0, rows))),
        *(np.append(luck.clusters, clusters), np.append(luck.tail, np.ones(rows))),
        np.pad(luck.seen, (0, rows)),
    )
