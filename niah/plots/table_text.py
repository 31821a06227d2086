"""A table for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from niah.analysis.table import Table, Value

if TYPE_CHECKING:
    from rich.console import Console


def print_table(table: Table, console: Console) -> None:
    """Title, rows and note. A number that is not known is left blank."""
    from rich.table import Table as Rich

    rich = Rich(box=None, pad_edge=False, header_style="dim")
    for name, *values in zip(table.columns, *table.rows, strict=True):
        words = any(isinstance(value, str) for value in values)
        rich.add_column(name, justify="left" if words else "right", overflow="fold" if words else "ellipsis")
    for row in table.rows:
        rich.add_row(*map(_shown, row))
    console.print(table.title, style="bold", highlight=False, markup=False)
    console.print(rich, highlight=False)
    if table.note:
        console.print(table.note, style="dim", highlight=False, markup=False)


def _shown(value: Value) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)
