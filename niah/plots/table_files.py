"""Tables as files: CSV for programs, Markdown for people, LaTeX for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from niah.analysis.tables.table import Table
from niah.files import atomic_write, without_formula
from niah.plots.paper.latex_table import as_latex
from niah.plots.table_columns import numeric_columns
from niah.plots.table_words import heads_of, note_of, shown_row


def write_tables(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write NAME.csv, .md and .tex of every table into ``folder``, which is made if need be; their paths."""
    written: list[Path] = []
    for table in tables:
        for ending, text in (("csv", as_csv(table)), ("md", as_markdown(table)), ("tex", as_latex(table))):
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


def as_markdown(table: Table, level: int = 2) -> str:
    """Title, rows with numbers for people, and note; numbers stand to the right.

    Args:
        table: to be written.
        level: of the title among headings.
    """
    lines = [
        _line(_escaped(head) for head in heads_of(table)),
        _line("---:" if numeric else "---" for numeric in numeric_columns(table)),
        *(_line(map(_escaped, shown_row(table, row))) for row in table.rows),
    ]
    note = ["", _escaped(note_of(table))] if table.note else []
    return "\n".join([f"{'#' * level} {_escaped(table.title)}", "", *lines, *note, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """``text`` in one line of Markdown, with nothing in it that Markdown or HTML would take for a sign."""
    for sign in ("\\", "|", "*", "_", "`", "[", "]", "<"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
