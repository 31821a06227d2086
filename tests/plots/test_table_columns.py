"""A table by its columns: what rows share, what names them, and what stands side by side."""

from __future__ import annotations

from niah.analysis.tables.table import Table
from niah.plots.table_columns import columns_of, in_parts, key_count, shared_columns

TABLE = Table(
    "crossover",
    "Crossover",
    ("reader", "strategy", "length", "send", "lead", "cost"),
    (("a", "dos", 1000, "dos", 0.5, None), ("a", "dos", 2000, "lc", 1.0, None)),
)


def test_what_rows_share_and_what_nobody_knows_stands_apart() -> None:
    shared, rest = shared_columns(columns_of(TABLE))
    assert shared == "reader a · strategy dos"
    assert [column.head for column in rest] == ["length", "send", "lead"]


def test_rows_are_named_by_the_fewest_columns_that_tell_them_apart() -> None:
    columns = columns_of(TABLE)
    assert key_count(columns) == 3
    assert key_count(columns[1:]) == 2
    assert key_count(columns[4:]) == 1  # numbers name nothing, but something has to stand in each part


def test_parts_are_as_wide_as_the_room_and_each_has_the_names() -> None:
    widths = [2.0, 1.0, 1.0, 1.0, 1.0]
    assert in_parts(widths, 1, 10.0, 0.5) == [[0, 1, 2, 3, 4]]
    assert in_parts(widths, 1, 5.0, 0.5) == [[0, 1, 2], [0, 3, 4]]
    assert in_parts(widths, 1, 3.5, 0.5) == [[0, 1], [0, 2], [0, 3], [0, 4]]
    assert in_parts(widths, 2, 1.0, 0.5) == [[0, 1, 2], [0, 1, 3], [0, 1, 4]]  # no room at all
