"""``niah report``: a folder that people click through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.api.run_files import run_path
from niah.cli.file_endings import check_report_folder
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import FilePath
from niah.cli.reporting.score_option import score_option
from niah.cli.running.error_types_option import error_types_option

if TYPE_CHECKING:
    from niah.judges.error_types import ErrorReading
    from niah.plots.report import ReportFiles


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", shell_complete=completes(RUN_FILES))
@click.option(
    "--out",
    type=FilePath(path_type=Path, file_okay=False),
    help="Folder to write; plots/RUN without it, plots/RUN--JUDGE with --score JUDGE.",
)
@click.option(
    "--reference",
    metavar="PAPER",
    help="Write this paper's figures and tables too, its numbers next to the run's: u-niah, ...",
)
@click.option("--latex", is_flag=True, help="Write tables as LaTeX too.")
@error_types_option
@score_option
def report_command(
    runs: tuple[str, ...],
    out: Path | None,
    reference: str | None,
    latex: bool,
    errors: ErrorReading,
    score: str | None,
) -> None:
    """Write the report of one or several RUNs: a page, every figure and every table.

    The last line names the page.

    The page needs no network and no server: open it from disk. Several runs stand side by side.
    """
    check_report_folder(out)
    paths = [run_path(name) for name in runs]
    from niah.api.report import report_runs

    _print(report_runs(paths, out, reference, errors, score=score, latex=latex))


def _print(made: ReportFiles) -> None:
    for line in made.problems:
        click.echo(line, err=True)
    from rich.console import Console

    from niah.plots.terminal import print_summary

    console = Console()
    print_summary(made.frame, console)
    lines = []
    if made.figures:
        lines.append(f"figures  {made.page.parent}/figures/ ({len(made.figures)}, as SVG, PNG and CSV)")
    lines.append(f"tables   {made.page.parent}/tables/ ({len(made.tables)}, as CSV and Markdown)")
    # Last, where eyes are.
    for line in (*lines, f"report   {made.page}"):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
