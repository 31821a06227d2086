"""A table by its columns, as people read them: which are names, which all rows share, what stands apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from niah.analysis.tables.table import Table
from niah.plots.table_words import format_value, heads_of, shown_row

UNKNOWN = format_value(None)

_NAMES_IN_NUMBERS = ("length", "context_length", "depth")
"""Columns that say of what a row is, whether they hold numbers or words."""


@dataclass(frozen=True)
class Column:
    """One column as it is printed.

    Attributes:
        head: its words.
        cells: of every row.
        numeric: whether it holds numbers alone.
        names: whether it says of what a row is.
    """

    head: str
    cells: tuple[str, ...]
    numeric: bool
    names: bool = False

    @cached_property
    def least(self) -> int:
        """Characters that it cannot do without: numbers stay whole, names are broken between words."""
        cells = self.cells if self.numeric else " ".join(self.cells).split()
        return max(map(len, (*self.head.split(), *cells)))

    @cached_property
    def most(self) -> int:
        """Characters of its longest cell, or of its head with a line for each word."""
        return max(map(len, (*self.head.split(), *self.cells)))

    @property
    def is_known(self) -> bool:
        """Whether any row knows anything of it."""
        return set(self.cells) != {UNKNOWN}

    @property
    def is_shared(self) -> bool:
        """Whether all of several rows have the same name there."""
        return not self.numeric and len(self.cells) > 1 and len(set(self.cells)) == 1

    def of_rows(self, places: Sequence[int]) -> Column:
        """Some rows of it."""
        return Column(self.head, tuple(self.cells[place] for place in places), self.numeric, self.names)


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers, and nothing else but None."""
    return [
        all(
            value is None or (isinstance(value, int | float) and not isinstance(value, bool))
            for value in column
        )
        for column in zip(*table.rows, strict=True)
    ] or [False] * len(table.columns)


def columns_of(table: Table, most_rows: int | None = None) -> list[Column]:
    """The table's columns; of its first ``most_rows`` rows, where somebody says so."""
    cells = list(zip(*(shown_row(table, row) for row in table.rows[:most_rows]), strict=True))
    numeric = numeric_columns(table)
    return [
        Column(head, column, number, not number or name in _NAMES_IN_NUMBERS)
        for name, head, column, number in zip(
            table.columns, heads_of(table), cells or [()] * len(numeric), numeric, strict=True
        )
    ]


def shared_columns(columns: Sequence[Column]) -> tuple[str, list[Column]]:
    """What all rows have in common, in words, and the columns that tell them apart.

    Columns that no row knows anything of are left out.
    """
    known = [column for column in columns if column.is_known]
    shared = " · ".join(f"{column.head} {column.cells[0]}" for column in known if column.is_shared)
    return shared, [column for column in known if not column.is_shared]


def key_count(columns: Sequence[Column]) -> int:
    """How many columns from the left on name a row: the fewest that tell rows apart, one at least."""
    count = 0
    while count < len(columns) - 1 and columns[count].names:
        count += 1
        if len(set(zip(*(column.cells for column in columns[:count]), strict=True))) == len(columns[0].cells):
            break
    return max(1, count)


def in_parts(widths: Sequence[float], keys: int, room: float, gap: float) -> list[list[int]]:
    """The places of columns in parts as wide as the room, the first ``keys`` columns in each.

    Args:
        widths: of the columns.
        keys: how many of them name the rows.
        room: what all columns of a part and the gaps between them may take.
        gap: between two columns.
    """
    free = room - sum(widths[:keys]) - gap * (keys - 1)
    parts: list[list[int]] = [[]]
    taken = 0.0
    for place in range(keys, len(widths)):
        if parts[-1] and taken + gap + widths[place] > free:
            parts.append([])
            taken = 0.0
        parts[-1].append(place)
        taken += gap + widths[place]
    return [[*range(keys), *part] for part in parts]
