"""What the table of a comparison is cut by: axes, and the levels of rows that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, category_names
from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

THIRDS = ("start", "middle", "end")

READER_AND_STRATEGY = ("reader", "strategy")
"""The axes that say whose answers got worse; the others say where."""

DEFAULT_AXES = ("reader", "strategy", "length_band", "depth")


@dataclass(frozen=True)
class Axis:
    """One way to cut the pairs.

    Attributes:
        name: as in ``--by``.
        codes: shape (n,): each pair's place in ``names``.
        names: of the parts, in the order of the table's rows.
    """

    name: str
    codes: NDArray[np.int64]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """The pairs cut by the first few axes: some rows of the table.

    Attributes:
        axes: their names.
        codes: shape (n,): each pair's row.
        names: of each row, one word for each axis.
    """

    axes: tuple[str, ...]
    codes: NDArray[np.int64]
    names: tuple[tuple[str, ...], ...]


def check_axes(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is an axis and stands once. Raises UserError."""
    for name in names:
        if name not in _AXES:
            raise UnknownName("axis", name, _AXES)
        if names.count(name) > 1:
            raise UserError(f"axis {name!r} is named twice.", "Name each axis once.")
    return tuple(names)


def axes_of(frame: DataFrame, names: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of ``names``, for these trials; without those that no trial has, such as depth.

    Trials without what others have are a part of their own ("no depth"). Raises UserError.
    """
    found = []
    for name in check_axes(names):
        codes, parts = _AXES[name](frame, name)
        if (codes >= 0).any():
            found.append(Axis(name, np.where(codes < 0, len(parts), codes), (*parts, f"no {name}")))
    return tuple(found)


def cut_levels(axes: Sequence[Axis], n: int) -> tuple[Level, ...]:
    """The levels of ``n`` pairs: all of them, then parts of them, then parts of those, axis by axis.

    A level that parts nothing is left out; of a reader and its only strategy there is one row, which names
    both.
    """
    levels = [Level((), np.zeros(n, dtype=np.int64), ((),))]
    for axis in axes:
        coarser, count = levels[-1], len(axis.names)
        places, codes = np.unique(coarser.codes * count + axis.codes, return_inverse=True)
        names = tuple((*coarser.names[place // count], axis.names[place % count]) for place in places)
        finer = Level((*coarser.axes, axis.name), codes.astype(np.int64), names)
        if len(names) > len(coarser.names):
            levels.append(finer)
        elif axis.name in READER_AND_STRATEGY:
            levels[-1] = finer
    return tuple(levels)


def reader_strategy_levels(levels: Sequence[Level]) -> tuple[Level, ...]:
    """The levels that part readers and strategies alone."""
    return tuple(level for level in levels if set(level.axes) <= set(READER_AND_STRATEGY))


Parts = tuple["NDArray[np.int64]", tuple[str, ...]]
"""Codes, -1 where a trial has none, and the names that they stand for."""


def _names(frame: DataFrame, name: str) -> Parts:
    return category_codes(frame, name), category_names(frame, name)


def _lengths(frame: DataFrame, name: str) -> Parts:
    lengths, codes = np.unique(frame[name], return_inverse=True)
    return codes.astype(np.int64), tuple(f"{length:,}" for length in lengths)


def _thirds(frame: DataFrame, name: str) -> Parts:
    """Thirds of the context; 33 % is in the first and 67 % in the last."""
    depths = frame[name].to_numpy()
    codes = np.searchsorted([100 / 3, 200 / 3], depths, side="right")
    return np.where(np.isnan(depths), -1, codes).astype(np.int64), THIRDS


_AXES: dict[str, Callable[[DataFrame, str], Parts]] = {
    "reader": _names,
    "strategy": _names,
    "length_band": _names,
    "context_length": _lengths,
    "depth": _thirds,
    "needle_set": _names,
    "question_set": _names,
}
