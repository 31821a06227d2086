"""``niah history``: how scores went from night to night."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.cli.option_types import FilePath
from niah.cli.terminal_stream import complain
from niah.paths import check_nights_folder

if TYPE_CHECKING:
    from niah.api.history import History
    from niah.plots.history import HistoryFiles


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

    Nights are the run files called NAME-YYYY-MM-DD.sqlite. Only anchor cases count, and lines join only
    nights that asked the same. Writes a page, figures and a table.
    """
    check_nights_folder(folder)
    from niah.api.history import read_history
    from niah.plots.history import write_history

    history = read_history(folder, name)
    runs = dict.fromkeys(str(row[0]) for row in history.table.rows)
    title = f"History of {name or ', '.join(runs)}"
    made = write_history(history.table, history.skipped, title, out, history.records)
    for one in history.skipped:
        reason = one.reason.removeprefix(f"{one.path} ")
        complain(f"niah: left out: {one.path}: {reason}", "yellow")
    if as_json:
        _print_json(history, made)
        return
    from rich.console import Console

    from niah.plots.tables import print_table

    console = Console()
    shown = ("run", "reader", "strategy", "date", "mean", "low", "high", "n", "trials", "verdict")
    places = [history.table.columns.index(column) for column in shown]
    rows = tuple(tuple(row[place] for place in places) for row in history.table.rows)
    print_table(replace(history.table, columns=shown, rows=rows), console)
    for line in (
        f"page     {made.page}",
        f"figures  {made.page.parent}/figures/",
        f"table    {made.page.parent}/tables/",
    ):
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _print_json(history: History, made: HistoryFiles) -> None:
    import orjson

    rows = [dict(zip(history.table.columns, row, strict=True)) for row in history.table.rows]
    left_out = [{"path": str(one.path), "reason": one.reason} for one in history.skipped]
    found = {"nights": rows, "skipped": left_out, "page": str(made.page)}
    click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
