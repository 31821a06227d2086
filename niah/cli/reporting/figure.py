"""``niah figure``: one figure as a file of its own."""

from __future__ import annotations

from pathlib import Path

import click

from niah.api.run_files import run_path
from niah.cli.name_completion import RUN_FILES, completes, completes_asked, completes_figures
from niah.cli.option_types import FilePath
from niah.cli.reporting.score_option import score_option
from niah.errors import UnknownName

_STYLES = ("page", "paper", "slide", "dark")
_FORMATS = ("pdf", "svg", "png")


@click.command()
@click.argument("run", metavar="RUN", shell_complete=completes(RUN_FILES))
@click.argument("name", metavar="NAME", shell_complete=completes_figures)
@click.option("--format", "kind", type=click.Choice(_FORMATS), help="PDF, where --out does not say another.")
@click.option(
    "--out",
    type=FilePath(path_type=Path),
    help="File to write; NAME.FORMAT here without it, or NAME--STYLE.FORMAT.",
)
@click.option(
    "--width", metavar="3.3in", help="Of the whole figure, in in, cm, mm or pt; the style's without it."
)
@click.option("--title/--no-title", "titled", default=True, help="Title and subtitle above it, or neither.")
@click.option("--dpi", type=int, metavar="N", help="Dots an inch of a PNG: 200, of papers 300.")
@click.option(
    "--style",
    type=click.Choice(_STYLES),
    default="page",
    show_default=True,
    help="paper: small type, 3.3in wide. slide: large type, 12in wide. dark: on dark paper.",
)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    metavar="NAME",
    help="Only this reader; more than once for more.",
    shell_complete=completes_asked("readers"),
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help="Only this strategy, in the same way.",
    shell_complete=completes_asked("strategies"),
)
@score_option
def figure_command(
    run: str,
    name: str,
    readers: tuple[str, ...],
    strategies: tuple[str, ...],
    kind: str | None,
    out: Path | None,
    width: str | None,
    titled: bool,
    dpi: int | None,
    style: str,
    score: str | None,
) -> None:
    """Draw one figure of RUN: NAME as in "niah list figures".

    Text stays text in PDF and SVG. The figure is laid out for its width. One with more than 24 panels is
    written in parts, a file a model.
    """
    path = run_path(run)
    from niah.analysis.frame import trial_frame
    from niah.plots.figures import write_figures
    from niah.plots.theme import figure_target, look_of
    from niah.runs.file.read_model import read_run, read_scored_by

    look = look_of(style, width, titled, dpi)
    target, form = figure_target(name, out, kind, style)
    found = read_scored_by(path, score) if score is not None else read_run(path)
    frame = trial_frame(found.records, found.samples, found.traits)
    for column, names in (("reader", readers), ("strategy", strategies)):
        for each in names:
            if each not in frame[column].cat.categories:
                raise UnknownName(column, each, frame[column].cat.categories)
        if names:
            frame = frame[frame[column].isin(names)]
            frame[column] = frame[column].cat.remove_unused_categories()
    for written in write_figures(frame, path, name, target if out else None, form, look):
        click.echo(written)
