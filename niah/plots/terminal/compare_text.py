"""A comparison for people: in terminals, and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.tables import full_tables, short_changes_table, short_tables
from niah.plots.headlines.comparison.comparison_words import comparison_words
from niah.plots.headlines.comparison.model_words import is_decided
from niah.plots.printed_table import print_table
from niah.plots.table_files import as_markdown
from niah.plots.terminal.wrapped_lines import print_lines

if TYPE_CHECKING:
    from rich.console import Console

KIND_COLOURS = {"no regression": "green", "regression": "red", "incomplete": "yellow"}
"""In a terminal, by the kind of a verdict."""


def print_comparison(comparison: Comparison, console: Console) -> None:
    """The tables, and the verdict below them."""
    print_comparison_tables(comparison, console)
    kind, *lines = comparison_words(comparison)
    colour = "green" if is_decided(comparison) else KIND_COLOURS[comparison.verdict.kind]
    if comparison.verdict.regressions:
        colour = KIND_COLOURS["regression"]
    console.print(kind, style=f"bold {colour}", highlight=False, markup=False)
    print_lines(lines, console)


def print_comparison_tables(comparison: Comparison, console: Console) -> None:
    """The tables alone."""
    for table in short_tables(comparison):
        print_table(table, console)
        console.print()
    changes = short_changes_table(comparison)
    if changes.rows:
        print_table(changes, console)
        console.print()


def comparison_markdown(comparison: Comparison) -> str:
    """The verdict, and the tables below it with all their numbers."""
    kind, *lines = comparison_words(comparison)
    baseline = "" if comparison.readers else "the baseline "
    names = f"`{comparison.candidate}` against {baseline}`{comparison.baseline}`"
    bullets = "\n".join(f"* {line.replace('|', '/').replace('<', '&lt;')}" for line in lines)
    head = f"# {kind}\n\n{names}\n\n{bullets}\n"
    return "\n".join([head, *map(as_markdown, full_tables(comparison))])
