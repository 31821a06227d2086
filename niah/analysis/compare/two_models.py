"""Two models side by side: the rows of a comparison with the p-values of both ways."""

from __future__ import annotations

from dataclasses import replace

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.rows import Row


def rows_both_ways(comparison: Comparison) -> tuple[Row, ...]:
    """The table's rows; of two models p is two-sided, twice the smaller one of both ways.

    What the first could lead by and be seen is the greater of what either way would show, so that a row
    promises no more than both.
    """
    other = comparison.other_way
    if other is None:
        return comparison.rows
    back = {_key(row): row for row in other.rows}
    return tuple(_both(row, back[_key(row)]) for row in comparison.rows)


def _both(row: Row, back: Row) -> Row:
    adjusted = (
        None
        if row.adjusted is None or back.adjusted is None
        else min(1.0, 2 * min(row.adjusted, back.adjusted))
    )
    seen = None if row.detectable is None or back.detectable is None else max(row.detectable, back.detectable)
    return replace(row, p=min(1.0, 2 * min(row.p, back.p)), adjusted=adjusted, detectable=seen)


def _key(row: Row) -> tuple[str, frozenset[tuple[str, str]]]:
    return row.measure, frozenset(row.parts.items())
