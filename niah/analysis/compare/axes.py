"""What the table of a comparison can be cut by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.bands import bands
from niah.analysis.columns import Coded, Columns
from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.runs.trial import TrialRecord

THIRDS = ("start", "middle", "end")

WHO = ("reader", "strategy")
"""The axes that say whose answers got worse; the others say where."""

DEFAULT_AXES = ("reader", "strategy", "length_band", "depth")


@dataclass(frozen=True)
class Axis:
    """One axis, with the name of each pair's part of it."""

    name: str
    parts: Coded


def check_axes(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is an axis and stands once. Raises UserError."""
    for name in names:
        if name not in _AXES:
            raise UnknownName("axis", name, _AXES)
        if names.count(name) > 1:
            raise UserError(f"axis {name!r} is named twice.", "Name each axis once.")
    return tuple(names)


def axes_of(columns: Columns, records: Sequence[TrialRecord], names: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of ``names``, whose trials these are. Raises UnknownName."""
    return tuple(Axis(name, _AXES[name](columns, records)) for name in check_axes(names))


def _length_band(columns: Columns, records: Sequence[TrialRecord]) -> Coded:
    return bands(columns.length)


def _context_length(columns: Columns, records: Sequence[TrialRecord]) -> Coded:
    lengths, codes = np.unique(columns.length, return_inverse=True)
    return Coded(codes.astype(np.int64), tuple(f"{length:,}" for length in lengths))


def _depth(columns: Columns, records: Sequence[TrialRecord]) -> Coded:
    """Thirds of the context; 33 % is in the first and 67 % in the last."""
    depths: NDArray[np.float64] = np.array([record.depth for record in records], dtype=np.float64)
    return Coded(np.searchsorted([100 / 3, 200 / 3], depths, side="right").astype(np.int64), THIRDS)


_AXES: dict[str, Callable[[Columns, Sequence[TrialRecord]], Coded]] = {
    "reader": lambda columns, _: columns.reader,
    "strategy": lambda columns, _: columns.strategy,
    "length_band": _length_band,
    "context_length": _context_length,
    "depth": _depth,
    "needle_set": lambda columns, _: columns.needle_set,
}
