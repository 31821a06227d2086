"""``niah report``: the page of runs, or one figure of a run."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from niah.cli.options import A_PATH, RUN, GroupedOption, RunCommand, completes
from niah.cli.terminal import say
from niah.errors import UserError

_LARGE = 20_000_000  # bytes of run files from which a second process is worth its start: 10,000 trials

_of_figure = partial(click.option, cls=GroupedOption, group="One figure")


@click.command(cls=RunCommand)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", **RUN)
@click.option(
    "--out",
    type=A_PATH,
    help="Folder to write, plots/RUN without it; of a figure its file: NAME.pdf without it, or .svg, .png.",
)
@click.option(
    "--reference",
    metavar="PAPER",
    help="Write this paper's figures and tables too, its numbers next to the run's: u-niah, ...",
)
@click.option("--latex", is_flag=True, help="Write tables as LaTeX too.")
@click.option("--score", metavar="JUDGE", help="Scores of this judge, whose verdicts the run holds.")
@_of_figure(
    "--figure",
    metavar="NAME",
    help="Draw this figure of one RUN alone: niah list figures.",
    shell_complete=completes("figures"),
)
@_of_figure(
    "--style",
    type=click.Choice(["page", "paper", "slide"]),
    help="paper: small type, 3.3in wide. slide: large type, 12in wide.",
)
@_of_figure("--title/--no-title", default=True, help="Title and subtitle above it, or neither.")
@_of_figure("--reader", multiple=True, metavar="NAME", help="Only this model; may be repeated.")
@_of_figure("--strategy", multiple=True, metavar="NAME", help="Only this strategy; may be repeated.")
def report_command(runs: tuple[Path, ...], out: Path | None, figure: str | None, **options: Any) -> None:
    """Write the report of one or several RUNs: a page, every figure and every table.

    The page needs no network and no server: open it from disk. Several runs stand side by side; what changed
    between two comes first. With --figure one figure is drawn for a paper, a slide or a page.
    """
    if figure and len(runs) > 1:
        raise UserError("--figure shows one run.", "Name one RUN.")
    style, title = options.pop("style"), options.pop("title")
    parts = {name: list(options.pop(name)) for name in ("reader", "strategy")}
    given = {"style": style, "no-title": not title} | parts
    if not figure and (idle := next(filter(given.get, given), None)):
        raise UserError(f"--{idle} goes with --figure.", "Name a figure, or leave it out.")
    from niah.api.result import load_run, report

    if figure is not None:
        from niah.plots.drawing import figure_of
        from niah.plots.theme import STYLES, themed, write_drawing

        run, target = load_run(runs[0], options["score"]), out or Path(f"{figure}.pdf")
        look = STYLES[style or "page"]._replace(titled=title)
        with themed(look):
            drawn = figure_of(run.trials(**parts), run.path, figure, look)
            write_drawing(drawn.drawing, target, look)
        say(drawn.caption)
        click.echo(target)
        return
    from niah.api.compare import compare
    from niah.plots.terminal import print_summary

    large = sum(path.stat().st_size for path in runs) > _LARGE
    with ProcessPoolExecutor(1, get_context("spawn"), gc.set_threshold, gc.get_threshold()) as aside:
        if large:
            aside.submit(import_module, "niah.plots.report")  # while the run is read
        opened: Sequence[Any] = runs
        if len(runs) == 2 and not options["score"]:
            opened = list(map(load_run, runs))
            with suppress(UserError):  # what changed between two with the same cases comes first
                options["against"] = compare(*opened)
        made = report(opened, out, **options, aside=aside if large else None)
    for line in made.problems:
        say(line)
    print_summary(made.summary)
    folder = made.page.parent
    if made.figures:
        click.echo(f"figures  {folder}/figures/ ({len(made.figures)}, as SVG, PNG and CSV)")
    click.echo(f"tables   {folder}/tables/ ({len(made.tables)}, as CSV and Markdown)")
    click.echo(f"report   {made.page}")  # last, where eyes are
