"""Rows parted by the names that they have in some columns: numbers in, places out."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_Name = TypeVar("_Name", bound=str | int)

# So few parts are sorted by counting, several times as fast.
_COUNTED = 1 << 16


class Coded(NamedTuple, Generic[_Name]):
    """A column of names.

    Attributes:
        codes: shape (n,), whole numbers: places in ``names``, -1 where there is none.
        names: in the order of the parts.
    """

    codes: NDArray[np.signedinteger[Any]]
    names: tuple[_Name, ...]


def row_parts(
    columns: Sequence[Coded[_Name]], rows: NDArray[np.intp] | None = None
) -> Iterator[tuple[tuple[_Name, ...], NDArray[np.intp]]]:
    """Names and rows of each part that has any, in the order of the names, the first slowest.

    Args:
        columns: of the same length; a row that has not got one of the names is in no part.
        rows: places in the columns, whose order parts keep; all of them without.
    """
    codes = [each.codes if rows is None else each.codes[rows] for each in columns]
    if any(each.min(initial=0) < 0 for each in codes):
        known = np.flatnonzero(np.logical_and.reduce([each >= 0 for each in codes]))
        codes, rows = [each[known] for each in codes], known if rows is None else rows[known]
    sizes = [len(each.names) for each in columns]
    keys = codes[0].astype(np.int64)
    for each, size in zip(codes[1:], sizes[1:], strict=True):
        keys *= size
        keys += each
    if not len(keys):
        return
    order = np.argsort(keys.astype(np.uint16) if prod(sizes) <= _COUNTED else keys, kind="stable")
    sorted_keys, members = keys[order], order if rows is None else rows[order]
    starts = [0, *(np.flatnonzero(sorted_keys[1:] != sorted_keys[:-1]) + 1).tolist()]
    firsts = np.unravel_index(sorted_keys[starts], sizes)
    named = [[each.names[at] for at in places.tolist()] for each, places in zip(columns, firsts, strict=True)]
    for own, start, end in zip(zip(*named, strict=True), starts, [*starts[1:], len(keys)], strict=True):
        yield own, members[start:end]
