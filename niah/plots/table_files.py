"""Tables for files and terminals: CSV for programs, Markdown and columns of text for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.tables.table import Table, TableValue
from niah.files import atomic_write, without_formula

if TYPE_CHECKING:
    from rich.console import Console

_HEADS = {
    "win_rate": "wins or ties",
    "rag_better": "RAG better",
    "lc_better": "full context better",
    "only_rag": "only RAG",
    "only_lc": "only full context",
}
"""What columns are called where the name in CSV files, without its underscores, says too little."""

_GAP = 2
_NAME_WIDTH = 8


def write_tables(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write NAME.csv and NAME.md of every table into ``folder``, which is made if need be; their paths."""
    written: list[Path] = []
    for table in tables:
        for ending, text in (("csv", as_csv(table)), ("md", as_markdown(table))):
            path = folder / f"{table.name}.{ending}"
            with atomic_write(path) as file:
                file.write(text.encode())
            written.append(path)
    return written


def as_csv(table: Table) -> str:
    """A header and the rows, numbers in full (RFC 4180); None is an empty field."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows([without_formula(value) for value in row] for row in table.rows)
    return text.getvalue()


def as_markdown(table: Table) -> str:
    """Title, rows with numbers for people, and note; numbers stand to the right."""
    lines = [
        _line(_escaped(head) for head in heads_of(table)),
        _line("---:" if numeric else "---" for numeric in _numeric(table)),
        *(_line(_escaped(format_value(value)) for value in row) for row in table.rows),
    ]
    note = ["", _escaped(table.note)] if table.note else []
    return "\n".join([f"## {_escaped(table.title)}", "", *lines, *note, ""])


def print_table(table: Table, console: Console) -> None:
    """Title, rows and note. Nothing is cut: names wrap; a table too wide for that is printed row by row."""
    from rich.text import Text

    console.print(Text(table.title, style="bold"))
    if _least_width(table) <= console.width:
        _print_grid(table, console)
    else:
        _print_rows(table, console)
    if table.note:
        console.print(Text(table.note, style="dim"))


def heads_of(table: Table) -> list[str]:
    """The columns as people read them: "wins or ties" for win_rate; CSV files keep the names."""
    return [_HEADS.get(column, column.replace("_", " ")) for column in table.columns]


def format_value(value: TableValue) -> str:
    """A value for people: "–" for None, thousands with commas, at most two decimals.

    A number nearer to 0 than 0.01 keeps two significant digits instead.
    """
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case int():
            return f"{value:,}"
    return f"{value:.2g}" if 1e-9 < abs(value) < 0.01 else f"{value:,.2f}"


def _least_width(table: Table) -> int:
    """How many characters a grid takes at least, names wrapped to ``_NAME_WIDTH``."""
    columns = zip(*(map(format_value, row) for row in table.rows), strict=True)
    longest = [max(map(len, column)) for column in columns] or [0] * len(table.columns)
    widths = [
        max(*map(len, _title(name).split("\n")), cells if numeric else min(cells, _NAME_WIDTH))
        for name, cells, numeric in zip(heads_of(table), longest, _numeric(table), strict=True)
    ]
    return sum(widths) + _GAP * (len(widths) - 1)


def _print_grid(table: Table, console: Console) -> None:
    """Columns under their titles; a name is not said twice in a row."""
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
    for column, numeric in zip(heads_of(table), _numeric(table), strict=True):
        title = Text(_title(column))
        grid.add_column(title, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
    for above, row in zip(((), *table.rows), table.rows, strict=False):
        grid.add_row(*map(Text, _unrepeated(above, row)))
    console.print(grid)


def _print_rows(table: Table, console: Console) -> None:
    """Each row's names on a line, and what is not 0 or unknown under them, each with its column's name."""
    from rich.padding import Padding
    from rich.text import Text

    numeric = _numeric(table)
    for row in table.rows:
        cells = list(zip(heads_of(table), row, numeric, strict=True))
        names = (format_value(value) for _, value, number in cells if not number)
        numbers = (f"{column} {format_value(value)}" for column, value, number in cells if number and value)
        console.print(Text(" · ".join(names)), overflow="fold")
        console.print(Padding(Text(", ".join(numbers)), (0, 0, 0, _GAP)))


def _title(head: str) -> str:
    """A column's head, a line a word."""
    return head.replace(" ", "\n")


def _unrepeated(above: tuple[TableValue, ...], row: tuple[TableValue, ...]) -> list[str]:
    """The cells of a row, without the names with which the row above begins as well."""
    cells = [format_value(value) for value in row]
    for at, (before, value) in enumerate(zip(above, row, strict=False)):
        if before != value or not isinstance(value, str):
            break
        cells[at] = ""
    return cells


def _numeric(table: Table) -> list[bool]:
    """Which columns hold numbers, and nothing else but None."""
    return [
        all(
            value is None or (isinstance(value, int | float) and not isinstance(value, bool))
            for value in column
        )
        for column in zip(*table.rows, strict=True)
    ] or [False] * len(table.columns)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """``text`` in one line of Markdown, with nothing in it that Markdown or HTML would take for a sign."""
    for sign in ("\\", "|", "*", "_", "`", "[", "]", "<"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
