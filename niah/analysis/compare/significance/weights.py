"""Which rows of a comparison's table are tested, and how much of the level each may spend."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import Level, reader_strategy_levels

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ALL, _READERS, _PARTS, _NOT_SCORED = 1.0, 2.0, 1.0, 0.4
"""What the row of all pairs weighs, a level of readers and strategies, any other level, and one of trials
not scored: what fails fails plainly. A level's rows share it, so that the broader question has more of it."""


def row_weights(levels: Sequence[Level], clusters: int, alpha: float) -> NDArray[np.float64]:
    """Each row's part of ``alpha``, 1 in all and 0 for a row that is not tested.

    The rows stand level after level, and then level after level of trials not scored. With few clusters the
    finer levels are not tested, and leave the broader ones their power: which they are follows from how many
    clusters there are, not from any answer, so it costs no false alarm.
    """
    of_readers = reader_strategy_levels(levels)
    tested, failed = _tested(levels, clusters, alpha), _tested(of_readers, clusters, alpha)
    weights = [
        *(_shared(level, _weight(level), level in tested) for level in levels),
        *(_shared(level, _NOT_SCORED, level in failed) for level in of_readers),
    ]
    joined = np.concatenate(weights)
    total: NDArray[np.float64] = joined / joined.sum()
    return total


def clusters_to_test(rows: int, alpha: float) -> int:
    """The fewest clusters with which a table of so many rows has every one of them tested."""
    return max(ceil(log2(rows / (2 * alpha))), 1)


def _weight(level: Level) -> float:
    if not level.axes:
        return _ALL
    return _READERS if level.is_of_readers else _PARTS


def _shared(level: Level, weight: float, is_tested: bool) -> NDArray[np.float64]:
    return np.full(len(level.names), weight / len(level.names) if is_tested else 0.0)


def _tested(levels: Sequence[Level], clusters: int, alpha: float) -> list[Level]:
    """The levels that have together no more rows than 2 ``alpha`` of all flips; the first always.

    Each row may be reached by a flip of its own, so that with more of them none could be told from luck.
    """
    rows = accumulate(len(level.names) for level in levels)
    room = max(2 * alpha * 2.0**clusters, 1)
    return [level for level, so_far in zip(levels, rows, strict=True) if so_far <= room]
