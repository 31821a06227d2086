"""Tables in a terminal, however narrow: no number is cut and no word torn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from niah.analysis.tables.table import Table
from niah.plots.table_columns import UNKNOWN, Column, columns_of, shared_columns
from niah.plots.table_words import note_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_GAP = 2


def print_table(table: Table, console: Console) -> None:
    """Title, rows and note.

    Where the columns have no room beside each other, those that no row knows anything of are left out, and
    what all rows have in common stands above them. Where that does not do, what rows begin with stands above
    each group; where that does not either, a row's names stand together, on a line of their own if they are
    long, and its numbers under their heads; and where there is no room for heads, numbers are listed.
    """
    _print_wrapped(table.title, console, "bold")
    _print_rows(columns_of(table), console)
    if note := note_of(table):
        _print_wrapped(note, console, "dim")


def _print_rows(columns: Sequence[Column], console: Console) -> None:
    if _fit(columns, console):
        _print_grid(columns, console)
        return
    shared, rest = shared_columns(columns)
    if shared:
        _print_wrapped(shared, console)
    if _fit(rest, console):
        _print_grid(rest, console)
        return
    names = next((place for place, column in enumerate(rest) if column.numeric), len(rest))
    for above in range(1, min(names, len(rest) - 1) + 1):
        if _fit(rest[above:], console) and _are_groups(rest[:above]):
            _print_groups(rest[:above], rest[above:], console, speaks=columns[0].head)
            return
    # What stands behind the first number is no name, if it is text: counts as "1/71/3".
    numbers = rest[names:]
    if numbers and sum(column.most for column in numbers) + _GAP * (len(numbers) + 1) <= console.width:
        _print_beside_names(rest[:names], numbers, console)
        return
    _print_one_by_one(rest[:names], numbers, console)


def _are_groups(names: Sequence[Column]) -> bool:
    """Whether any rows begin with the same names."""
    rows = list(zip(*(column.cells for column in names), strict=True))
    return len(set(rows)) < len(rows)


def _fit(columns: Sequence[Column], console: Console) -> bool:
    return sum(column.least for column in columns) + _GAP * (len(columns) - 1) <= console.width


def _widths(columns: Sequence[Column], room: int) -> list[int]:
    """Characters of each column: the least, and what is left in equal parts for those that want more."""
    widths = [column.least for column in columns]
    spare = room - sum(widths) - _GAP * (len(columns) - 1)
    while spare and (wanting := [at for at, column in enumerate(columns) if widths[at] < column.most]):
        for at in wanting[:spare]:
            widths[at] += 1
        spare -= min(spare, len(wanting))
    return widths


def _print_grid(columns: Sequence[Column], console: Console) -> None:
    """Columns under their heads; a name is not said twice in a row."""
    _print_cells(columns, _widths(columns, console.width), console, headed=True)


def _print_groups(
    above: Sequence[Column], columns: Sequence[Column], console: Console, *, speaks: str
) -> None:
    """Rows in groups, each below what its rows begin with; the column ``speaks`` says itself what it is."""

    widths = _widths(columns, console.width)
    rows = range(len(columns[0].cells))
    groups = groupby(rows, key=lambda row: [column.cells[row] for column in above])
    for place, (names, group) in enumerate(groups):
        members = list(group)
        known = [
            name if column.head == speaks else f"{column.head} {name}"
            for column, name in zip(above, names, strict=True)
            if name != UNKNOWN
        ]
        _print_wrapped(" · ".join(known), console)
        _print_cells([column.of_rows(members) for column in columns], widths, console, headed=not place)


def _print_cells(columns: Sequence[Column], widths: Sequence[int], console: Console, *, headed: bool) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim", show_header=headed)
    for column, width in zip(columns, widths, strict=True):
        title = Text(column.head.replace(" ", "\n"))
        justify = "right" if column.numeric else "left"
        grid.add_column(title, justify=justify, no_wrap=column.numeric, overflow="fold", width=width)  # type: ignore[arg-type]
    before: list[str] = []
    for row in zip(*(column.cells for column in columns), strict=True):
        grid.add_row(*map(Text, _unrepeated(before, row, columns)))
        before = list(row)
    # A cell is padded to its column's width: the last one's blanks are none of the table.
    for line in console.render_lines(grid, pad=False):
        _print_line(Text.assemble(*((segment.text, segment.style or "") for segment in line)), console)


def _print_wrapped(words: str, console: Console, style: str = "", indent: int = 0) -> None:
    """In as many lines as it takes."""
    from rich.text import Text

    for line in Text(words, style=style).wrap(console, max(console.width - indent, 1), overflow="fold"):
        line.pad_left(indent)
        _print_line(line, console)


def _print_line(line: Text, console: Console) -> None:
    """A line that fits, without the blanks at its end."""
    line.rstrip()
    console.print(line, no_wrap=True, overflow="ignore", crop=False, highlight=False)


def _print_beside_names(names: Sequence[Column], numbers: Sequence[Column], console: Console) -> None:
    """A row's names in one piece, and its numbers at the right, in the next line where names are long."""
    from rich.text import Text

    widths = [column.most for column in numbers]
    room = console.width - sum(widths) - _GAP * len(widths)

    def line(name: str, cells: Sequence[str]) -> str:
        placed = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        return (f"{name:<{room}}" + "".join(" " * _GAP + cell for cell in placed)).rstrip()

    heads = [column.head.split() for column in numbers]
    for depth in range(height := max(map(len, heads))):
        words = [head[depth - height + len(head)] if depth >= height - len(head) else "" for head in heads]
        console.print(Text(line("", words), style="dim"))
    cells = zip(*(column.cells for column in numbers), strict=True)
    for parts, row in zip(zip(*(column.cells for column in names), strict=True), cells, strict=True):
        name = " · ".join(part for part in parts if part != UNKNOWN)
        if len(name) > room:
            _print_wrapped(name, console)
            name = ""
        if name or set(row) != {UNKNOWN}:
            console.print(Text(line(name, row)))


def _print_one_by_one(names: Sequence[Column], numbers: Sequence[Column], console: Console) -> None:
    """Each row's names on a line, and what is known under them, each with its head; no count of 0."""
    for place in range(len((*names, *numbers)[0].cells)):
        known = [column.cells[place] for column in names if column.cells[place] != UNKNOWN]
        cells = [(column.head, column.cells[place]) for column in numbers]
        told = [f"{head} {cell}" for head, cell in cells if cell != UNKNOWN and cell != "0"]
        _print_wrapped(" · ".join(known), console)
        if told:
            _print_wrapped(", ".join(told), console, indent=_GAP)


def _unrepeated(before: Sequence[str], row: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """The cells of a row, without the names with which the row before begins as well."""
    cells = list(row)
    for place, (last, cell) in enumerate(zip(before, row, strict=False)):
        if last != cell or columns[place].numeric:
            break
        cells[place] = ""
    return cells
