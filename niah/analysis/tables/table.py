"""A table of numbers with its words: what reports print, write as CSV and Markdown, and draw."""

from __future__ import annotations

from dataclasses import dataclass

TableValue = str | int | float | bool | None
"""None is a number that is not known, or does not exist; never 0."""


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    Attributes:
        name: of its files, without ending ("win-rates").
        title: one line for people.
        columns: one name each, with the unit where there is one ("latency_s").
        rows: as wide as ``columns``.
        note: what must be known to read it: definitions, tests, what was left out.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    note: str = ""
