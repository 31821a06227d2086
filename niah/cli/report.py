"""``niah report``: the page of runs, one figure of a run, or the page of a run under way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from niah.cli.options import RUN_FILES, GroupedOption, RunCommand, completes
from niah.cli.run import error_types_option
from niah.cli.terminal import say
from niah.errors import UserError

if TYPE_CHECKING:
    from niah.judges.error_types import ErrorReading
    from niah.plots.report import ReportFiles

_OF_FIGURE: dict[str, Any] = {"cls": GroupedOption, "group": "One figure", "shown": True}
_OF_SERVER: dict[str, Any] = {"cls": GroupedOption, "group": "A run under way", "shown": True}


@click.command(cls=RunCommand)
@click.argument("runs", nargs=-1, metavar="RUN...", shell_complete=completes(RUN_FILES))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder to write, plots/RUN without it; of a figure the file, NAME.pdf without it.",
)
@click.option(
    "--reference",
    metavar="PAPER",
    help="Write this paper's figures and tables too, its numbers next to the run's: u-niah, ...",
)
@click.option("--latex", is_flag=True, help="Write tables as LaTeX too.")
@error_types_option
@click.option(
    "--score",
    metavar="JUDGE",
    help="Scores of this judge, whose verdicts the run holds: niah judge RUN --judge token-f1 adds them.",
)
@click.option(
    "--figure",
    metavar="NAME",
    help="Draw this figure of one RUN alone: niah list figures.",
    shell_complete=completes("figures"),
    **_OF_FIGURE,
)
@click.option(
    "--style",
    type=click.Choice(["page", "paper", "slide", "dark"]),
    default="page",
    help="paper: small type, 3.3in wide. slide: large type, 12in wide. dark: on dark paper.",
    **_OF_FIGURE,
)
@click.option("--format", type=click.Choice(["pdf", "svg", "png"]), help="PDF without it.", **_OF_FIGURE)
@click.option("--width", metavar="3.3in", help="Of the whole figure, in in, cm, mm or pt.", **_OF_FIGURE)
@click.option(
    "--title/--no-title", default=True, help="Title and subtitle above it, or neither.", **_OF_FIGURE
)
@click.option("--dpi", type=int, metavar="N", help="Dots an inch of a PNG: 200, of papers 300.", **_OF_FIGURE)
@click.option(
    "--reader", multiple=True, metavar="NAME", help="Only this model; may be repeated.", **_OF_FIGURE
)
@click.option(
    "--strategy", multiple=True, metavar="NAME", help="Only this strategy; may be repeated.", **_OF_FIGURE
)
@click.option(
    "--serve",
    is_flag=True,
    help="Serve the page of one RUN on this machine, renewed as its trials finish.",
    **_OF_SERVER,
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Serve at this port; 8765 without it, or a free one where that is taken.",
    **_OF_SERVER,
)
@click.option("--open", is_flag=True, help="Open the page in the browser.", **_OF_SERVER)
def report_command(
    runs: tuple[str, ...],
    out: Path | None,
    reference: str | None,
    latex: bool,
    error_types: ErrorReading,
    score: str | None,
    figure: str | None,
    serve: bool,
    port: int | None,
    open: bool,
    reader: tuple[str, ...],
    strategy: tuple[str, ...],
    **look: Any,
) -> None:
    """Write the report of one or several RUNs: a page, every figure and every table.

    The page needs no network and no server: open it from disk. Several runs stand side by side. With --figure
    one figure is drawn for a paper, a slide or a page; with --serve the page of a run under way is shown.
    """
    if serve:
        _serve(runs, port, open=open)
        return
    from niah.api.report import report, run_path

    if not runs:
        raise UserError("no RUN is named.", "Name one: a run file, or its name in runs/.")
    if figure is None and out and out.suffix.lower() in (".html", ".htm", ".pdf") and not out.is_dir():
        problem = f"a report is a folder of files, and {out} is named as one of them."
        raise UserError(problem, f"Name the folder: --out {out.with_suffix('')}")
    paths = [run_path(name) for name in runs]
    if figure is None:
        _print(report(paths, out, reference, errors=error_types, score=score, latex=latex))
        return
    from niah.api.result import load_run

    if len(paths) > 1:
        raise UserError("--figure draws a figure of one run.", "Name one RUN.")
    look["kind"] = look.pop("format")
    run = load_run(paths[0], score, error_types)
    for written in run.save_figure(figure, out, reader=list(reader), strategy=list(strategy), **look):
        click.echo(written)


def _print(made: ReportFiles) -> None:
    from rich.console import Console

    from niah.plots.terminal import print_summary

    for line in made.problems:
        say(line)
    print_summary(made.frame, Console())
    folder = made.page.parent
    if made.figures:
        click.echo(f"figures  {folder}/figures/ ({len(made.figures)}, as SVG, PNG and CSV)")
    click.echo(f"tables   {folder}/tables/ ({len(made.tables)}, as CSV and Markdown)")
    click.echo(f"report   {made.page}")  # last, where eyes are


def _serve(runs: tuple[str, ...], port: int | None, *, open: bool) -> None:
    """Show the page until Ctrl-C."""
    from niah.api.report import run_path
    from niah.api.view import HOST, view_server

    if len(runs) != 1:
        raise UserError("--serve shows one run.", "Name one RUN.")
    path = run_path(runs[0])
    with view_server(path, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        click.echo(f"{path} is shown at {address}  (Ctrl-C ends it)")
        if open:
            import webbrowser

            webbrowser.open(address)
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            click.echo("niah: no longer shown.")
