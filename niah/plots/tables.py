"""Tables for people and programs: in the terminal, as CSV, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.measure import measure_renderables
from rich.table import Table as Grid

from niah.analysis.stats import LEAST_CLUSTERS, ROUNDING
from niah.analysis.tables import Table, TableValue
from niah.files import atomic_write, without_formula
from niah.plots.labels import value_words
from niah.strategies.strategy import display_name

# What a terminal without room for all columns does without, first what is missed least.
_SPARE = ({"clusters"}, {"detectable"}, {"trials"}, {"n"}, {"low", "high"})
_NO_INTERVAL = f"–: fewer than {LEAST_CLUSTERS} clusters, or all came to the same value: no interval."
_OF_BOUNDS = re.compile(r"; low, high: [^.;]*| ?low, high: [^.;]*\.")  # what notes say of them
_STRATEGIES = ("strategy", "other_strategy")


class Shown(NamedTuple):
    """A table as people read it."""

    title: str
    heads: list[str]  # "win rate"
    rows: list[list[str]]
    numeric: list[bool]  # which columns hold numbers, and nothing else but None
    note: str
    links: Sequence[str] = ()  # where the first cell of each row leads to on a page


def shown_table(table: Table) -> Shown:
    """The table in words; bounds that are no interval are "–", which its note explains."""
    ends = [at for at, name in enumerate(table.columns) if name in ("low", "high")]
    rows, note = list[list[str]](), table.note
    columns = zip(*table.rows, strict=True)
    differ = [any(isinstance(value, float) and value < 0 for value in column) for column in columns]
    for row in table.rows:
        cells = [
            display_name(str(value)) if value and column in _STRATEGIES else format_value(value, has_sign)
            for column, value, has_sign in zip(table.columns, row, differ, strict=True)
        ]
        bounds = [end for at in ends if isinstance(end := row[at], float)]
        if ends and (len(bounds) < 2 or bounds[1] - bounds[0] < ROUNDING):
            note = f"{table.note} {_NO_INTERVAL}".strip()
            for at in ends:
                cells[at] = "–"
        rows.append(cells)
    kinds = [{type(row[at]) for row in table.rows} - {type(None)} for at in range(len(table.columns))]
    numeric = [kind <= {int, float} for kind in kinds]
    heads = [{"reader": "model"}.get(column, column.replace("_", " ")) for column in table.columns]
    return Shown(table.title, heads, rows, numeric, note)


def format_value(value: TableValue, has_sign: bool = False) -> str:
    """A value for people: "–" for None, thousands with commas, two decimals; none from 100 on, two digits
    below 0.01 but among differences, where some have a sign."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return value_words(value)
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= 99.995:
        return f"{value:,.0f}"
    # Written out: people read 0.000086 sooner than 8.6e-05.
    is_small = 1e-9 < abs(value) < 0.01 and not has_sign
    return f"{Decimal(f'{value:.2g}'):f}" if is_small else f"{value:z,.2f}"


def grid_of(heads: Mapping[str, bool]) -> Grid:
    """A table without lines for the terminal; by head whether its column holds numbers."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 0, 0, 2), header_style="dim")
    for head, is_numeric in heads.items():
        grid.add_column(head, justify="right" if is_numeric else "left", no_wrap=is_numeric)
    return grid


def print_grid(grid: Grid, console: Console | None = None) -> None:
    """Print the columns that any row knows something of, with words and numbers whole.

    On a narrow terminal texts are folded, and ``_SPARE`` is left out. Without a console to standard output.
    """
    console = console or Console()
    options, room = console.options.update(width=10**6), console.width if console.is_terminal else 10**6
    known = [column for column in grid.columns if not {*column.cells} <= {"", "–"}]
    spans = {at.header: measure_renderables(console, options, [at.header, *at.cells]) for at in known}
    for spare in (*_SPARE, set[str]()):
        if (excess := sum(span.maximum + 2 for span in spans.values()) - 2 - room) > 0:
            spans = {head: span for head, span in spans.items() if head not in spare}
    grid.columns = [column for column in grid.columns if column.header in spans]
    for column, span in zip(grid.columns, spans.values(), strict=True):
        column.width = max(span.maximum if column.no_wrap else span.minimum, span.maximum - max(0, excess))
        excess -= span.maximum - column.width
    before, console.width = console.width, max(console.width, room + excess)
    console.print(grid)
    console.width = before


def print_table(table: Table, console: Console | None = None) -> None:
    """Print title, rows and note; without a console to standard output."""
    console = console or Console()
    title, heads, rows, numeric, note, _ = shown_table(table)
    # A word of a number's head a line: room for names where it is narrow.
    heads = [head.replace(" ", "\n") if number else head for head, number in zip(heads, numeric, strict=True)]
    grid = grid_of(dict(zip(heads, numeric, strict=True)))
    for row in rows:
        grid.add_row(*map(escape, row))
    print_line(title, console, "bold")
    print_grid(grid, console)
    if "low" not in [column.header for column in grid.columns]:  # without room
        note = _OF_BOUNDS.sub("", note).strip()
    if note:
        print_line(note, console)


def print_line(text: str, console: Console, style: str = "dim") -> None:
    """A text as it is, in one line; on a terminal folded."""
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=not console.is_terminal)


def write_tables(tables: Iterable[Table], folder: Path, *, latex: bool = False) -> None:
    """Write NAME.csv and .md of every table into ``folder``, .tex too where asked."""
    forms = {"csv": as_csv, "md": as_markdown, **({"tex": as_latex} if latex else {})}
    for table in tables:
        for ending, form in forms.items():
            with atomic_write(folder / f"{table.name}.{ending}") as file:
                file.write(form(table).encode())


def as_csv(table: Table) -> str:
    """A header and the rows, numbers in full (RFC 4180); None is an empty field."""
    import pandas as pd

    rows = [[without_formula(value) for value in row] for row in table.rows]
    return pd.DataFrame(rows, columns=list(table.columns), dtype=object).to_csv(index=False)


def as_markdown(table: Table) -> str:
    """Title, rows as people read them, and note; numbers stand to the right."""

    def escaped(text: str) -> str:  # one line, with nothing that Markdown or HTML would take for a sign
        return re.sub(r"([\\|*_`\[\]<])", r"\\\1", " ".join(text.split()))

    title, heads, rows, numeric, note, _ = shown_table(table)
    sides = ["---:" if is_number else "---" for is_number in numeric]
    cells = map(escaped, heads), sides, *(map(escaped, row) for row in rows)
    lines = [f"| {' | '.join(row)} |" for row in cells]
    below = ["", escaped(note)] if note else []
    return "\n".join([f"## {escaped(title)}", "", *lines, *below, ""])


def as_latex(table: Table) -> str:
    """A booktabs table with caption and label."""
    import pandas as pd

    title, heads, rows, numeric, *_ = shown_table(table)
    sides = "".join("r" if number else "l" for number in numeric)
    frame, title = pd.DataFrame(rows, columns=heads), re.sub(r"([&%$#_{}])", r"\\\1", title)
    named: Any = {"caption": title, "label": f"tab:{table.name}", "column_format": sides}
    return str(frame.to_latex(index=False, escape=True, **named))
