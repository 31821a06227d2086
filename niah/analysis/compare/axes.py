"""What the table of a comparison is cut by: axes, and the levels of rows that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes, category_names
from niah.analysis.trial_columns import Trials
from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

THIRDS = ("start", "middle", "end")

READER_AND_STRATEGY = ("reader", "strategy")
"""The axes that say whose answers got worse; the others say where."""

_FEW_LENGTHS = 6

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
    """The pairs cut by some axes: rows of the table that no pair is in twice.

    Attributes:
        axes: their names.
        codes: shape (n,): each pair's row.
        names: of each row, one word for each axis.
    """

    axes: tuple[str, ...]
    codes: NDArray[np.int64]
    names: tuple[tuple[str, ...], ...]

    @property
    def is_of_readers(self) -> bool:
        """Whether it parts readers and strategies alone."""
        return set(self.axes) <= set(READER_AND_STRATEGY)


def check_axes(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is an axis and stands once. Raises UserError."""
    for name in names:
        if name not in _AXES:
            whole_words = [axis for axis in _AXES if name in axis.split("_")]
            error = UnknownName("axis", name, _AXES)
            if len(whole_words) > 1:
                error.remedy = f"Did you mean {' or '.join(map(repr, whole_words))}?"
            raise error
        if names.count(name) > 1:
            raise UserError(f"axis {name!r} is named twice.", "Name each axis once.")
    return tuple(names)


def axes_of(frame: Trials, names: Sequence[str]) -> tuple[Axis, ...]:
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
    """The levels of ``n`` pairs, the broader questions first.

    All pairs, then readers and strategies, axis by axis; then lengths, depths and what else there is across
    strategies, each alone and all together; and then within strategies. A level that parts nothing further is
    left out; of a reader and its only strategy there is one row, which names both.
    """
    who = [axis for axis in axes if axis.name in READER_AND_STRATEGY]
    where = [axis for axis in axes if axis.name not in READER_AND_STRATEGY and len(np.unique(axis.codes)) > 1]
    across = [axis for axis in who if axis.name == "reader"]
    finest = _level([*who, *where], axes, n)
    of_readers = [_level(who[:count], axes, n) for count in range(len(who) + 1)]
    parts = [
        *([*across, axis] for axis in where),
        [*across, *where],
        *([*who, axis] for axis in where),
        *([*who, *where[:count]] for count in range(2, len(where))),
    ]
    levels: list[Level] = []
    for level in of_readers:
        _add(levels, level)
    for group in parts:
        level = _level(group, axes, n)
        if len(level.names) < len(finest.names):
            _add(levels, level)
    _add(levels, finest)
    return tuple(levels)


def _add(levels: list[Level], level: Level) -> None:
    """Unless it cuts the pairs as one that is there."""
    if not any(np.array_equal(level.codes, other.codes) for other in levels):
        levels.append(level)


def _level(group: Sequence[Axis], axes: Sequence[Axis], n: int) -> Level:
    """The pairs cut by a group of axes, named by readers and strategies too where these part nothing more."""
    codes = _joint(group, n)
    for axis in axes:
        if axis.name in READER_AND_STRATEGY and axis not in group:
            finer = _joint([*group, axis], n)
            if finer.max(initial=-1) == codes.max(initial=-1):
                group = [*group, axis]
    ordered = [axis for axis in axes if axis in group]
    codes = _joint(ordered, n)
    _, first = np.unique(codes, return_index=True)
    names = tuple(tuple(axis.names[axis.codes[at]] for axis in ordered) for at in first)
    return Level(tuple(axis.name for axis in ordered), codes, names)


def _joint(group: Sequence[Axis], n: int) -> NDArray[np.int64]:
    """Shape (n,): each pair's part, numbered in the order of the axes' parts."""
    codes = np.zeros(n, dtype=np.int64)
    for axis in group:
        finer = codes * len(axis.names) + axis.codes
        codes = (np.cumsum(np.bincount(finer) > 0) - 1)[finer]
    return codes


def reader_strategy_levels(levels: Sequence[Level]) -> tuple[Level, ...]:
    """The levels that part readers and strategies alone."""
    return tuple(level for level in levels if level.is_of_readers)


Parts = tuple["NDArray[np.int64]", tuple[str, ...]]
"""Codes, -1 where a trial has none, and the names that they stand for."""


def _names(frame: Trials, name: str) -> Parts:
    return category_codes(frame, name), category_names(frame, name)


def _bands(frame: Trials, name: str) -> Parts:
    """Bands of length; the lengths themselves where all are in one band, and few."""
    codes, bands = _names(frame, name)
    lengths, places = np.unique(frame["context_length"], return_inverse=True)
    if len(np.unique(codes)) > 1 or not 1 < len(lengths) <= _FEW_LENGTHS:
        return codes, bands
    return places.astype(np.int64), tuple(f"{length:,} tokens" for length in lengths)


def _lengths(frame: Trials, name: str) -> Parts:
    lengths, codes = np.unique(frame[name], return_inverse=True)
    return codes.astype(np.int64), tuple(f"{length:,}" for length in lengths)


def _thirds(frame: Trials, name: str) -> Parts:
    """Thirds of the context; 33 % is in the first and 67 % in the last."""
    depths = np.asarray(frame[name])
    codes = np.searchsorted([100 / 3, 200 / 3], depths, side="right")
    return np.where(np.isnan(depths), -1, codes).astype(np.int64), THIRDS


_AXES: dict[str, Callable[[Trials, str], Parts]] = {
    "reader": _names,
    "strategy": _names,
    "length_band": _bands,
    "context_length": _lengths,
    "depth": _thirds,
    "needle_set": _names,
    "question_set": _names,
}
