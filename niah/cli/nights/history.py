"""``niah history``: how scores went from night to night."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from niah.cli.option_types import FilePath
from niah.cli.terminal_stream import complain
from niah.paths import check_nights_folder

if TYPE_CHECKING:
    from niah.analysis.tables.table import Table
    from niah.api.history import History
    from niah.plots.history.report import HistoryFiles
    from niah.runs.file.nights import Skipped


@click.command()
@click.argument("folder", default="runs", type=FilePath(path_type=Path))
@click.option("--name", metavar="RUN", help="Only the nights of this run; of all runs without it.")
@click.option(
    "--out",
    type=FilePath(path_type=Path, file_okay=False),
    default=Path("plots/history"),
    show_default=True,
    help="Folder to write.",
)
@click.option(
    "--json",
    "as_json",
    envvar="NIAH_HISTORY_JSON",
    is_flag=True,
    help="Print JSON for machines in place of tables; null is unknown.",
)
def history_command(folder: Path, name: str | None, out: Path, as_json: bool) -> None:
    """Show how the scores of each reader and strategy went over the nights in FOLDER (runs/ without it).

    Nights are the run files called NAME-YYYY-MM-DD.sqlite. Only anchor cases count, and only nights that
    asked the same are joined: missing nights, changed suites and change points are marked. Writes a page,
    figures and tables.
    """
    check_nights_folder(folder)
    from niah.api.history import read_history
    from niah.plots.history.report import write_history

    history = read_history(folder, name)
    title = f"History of {name or ', '.join(dict.fromkeys(trend.run for trend in history.trends))}"
    made = write_history(history.trends, history.skipped, title, out, history.records)
    for one in history.skipped:
        reason = one.reason.removeprefix(f"{one.path} ")
        complain(f"niah: left out: {one.path}: {reason}", "yellow")
    if as_json:
        _print_json(made, history.skipped)
    else:
        _print(history, made)


def _print(history: History, made: HistoryFiles) -> None:
    from rich.console import Console

    from niah.analysis.nights.trend_tables import brief_trend_table, event_table
    from niah.plots.printed_table import print_table

    console = Console()
    for table in (brief_trend_table(history.trends), event_table(history.trends, history.records)):
        if table.rows:
            print_table(table, console)
    for line in (
        f"page     {made.page}",
        f"figures  {made.page.parent}/figures/ ({len(made.figures)}, as SVG, PNG and CSV)",
        f"tables   {made.page.parent}/tables/ (as CSV, Markdown and LaTeX)",
    ):
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _print_json(made: HistoryFiles, skipped: Sequence[Skipped]) -> None:
    import orjson

    tables = {table.name: _as_dicts(table) for table in made.tables}
    left_out = [{"path": str(one.path), "reason": one.reason} for one in skipped]
    click.echo(
        orjson.dumps(tables | {"skipped": left_out, "page": str(made.page)}, option=orjson.OPT_INDENT_2)
    )


def _as_dicts(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
