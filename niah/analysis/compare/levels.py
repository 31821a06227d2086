"""The table's rows: all pairs, then parts of them, then parts of those, axis by axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.axes import WHO, Axis

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Level:
    """The pairs cut by the first few axes.

    Attributes:
        axes: their names.
        codes: shape (n,): each pair's row.
        names: of each row, one word for each axis.
    """

    axes: tuple[str, ...]
    codes: NDArray[np.int64]
    names: tuple[tuple[str, ...], ...]


def levels(axes: Sequence[Axis], n: int) -> tuple[Level, ...]:
    """The levels, the coarsest (all pairs) first. One that parts nothing is left out.

    Of a reader and its only strategy there is one row, which names both.
    """
    found = [Level((), np.zeros(n, dtype=np.int64), ((),))]
    for axis in axes:
        finer = _cut(found[-1], axis)
        if len(finer.names) > len(found[-1].names):
            found.append(finer)
        elif axis.name in WHO:
            found[-1] = finer
    return tuple(found)


def who(cuts: Sequence[Level]) -> tuple[Level, ...]:
    """The levels that part readers and strategies alone."""
    return tuple(level for level in cuts if set(level.axes) <= set(WHO))


def _cut(level: Level, axis: Axis) -> Level:
    count = len(axis.parts.names)
    places, codes = np.unique(level.codes * count + axis.parts.codes, return_inverse=True)
    names = tuple((*level.names[place // count], axis.parts.names[place % count]) for place in places)
    return Level((*level.axes, axis.name), codes.astype(np.int64), names)
