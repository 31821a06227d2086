"""``niah compare``: is tonight worse than last night?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.api.run_files import run_path
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.nights.verdict_options import EXIT_CODES, verdict_options
from niah.cli.option_types import SEED, Between, FilePath
from niah.errors import UserError

if TYPE_CHECKING:
    from niah.analysis.compare import Comparison


@click.command()
@click.argument("baseline", metavar="A", shell_complete=completes(RUN_FILES))
@click.argument("candidate", metavar="[B]", required=False, shell_complete=completes(RUN_FILES))
@click.option(
    "--readers",
    metavar="X,Y",
    help="Compare reader Y with reader X, both ways; of one run, if B is left out.",
)
@click.option(
    "--by",
    metavar="AXES",
    default="reader,strategy,length_band,depth",
    show_default=True,
    help="What cuts the table, the coarsest first; also needle_set and context_length.",
)
@click.option(
    "--alpha",
    type=Between(0, 0.5, min_open=True),
    default=0.04,
    show_default=True,
    help="How often a night with no change may be called a regression; two equal readers, different.",
)
@verdict_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of the random flips.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json", "junit"]),
    default="text",
    show_default=True,
)
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="File to write; standard output without it.",
)
@click.option(
    "--figure",
    type=FilePath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw what changed, or what two readers differ by, by length and depth, as PDF, SVG or PNG by the "
    "file's ending.",
)
def compare_command(
    baseline: str,
    candidate: str | None,
    readers: str | None,
    by: str,
    alpha: float,
    missing_limit: float,
    detect: float,
    common: bool,
    seed: int,
    form: str,
    out: Path | None,
    figure: Path | None,
) -> int:
    """Say whether run B got significantly worse than run A, and where. A and B are run files or their names.

    Ends with exit code 0 without a regression, 1 with one, 3 where there is too little to say. With --readers
    X,Y: which of the two is better, and where; exit code 1 where Y is worse than X.
    """
    if figure is not None:
        _check_figure(figure)
    earlier, later = run_path(baseline), run_path(candidate) if candidate is not None else None
    from niah.analysis.compare import Limits
    from niah.api.compare import compare_runs

    comparison = compare_runs(
        earlier,
        later,
        readers=_two(readers),
        by=_names(by),
        limits=Limits(alpha, missing_limit / 100, detect),
        common=common,
        seed=seed,
    )
    _show(comparison, form, out)
    if figure is not None:
        _draw(comparison, figure, earlier, later or earlier)
    return EXIT_CODES[comparison.verdict.kind]


def _check_figure(figure: Path) -> None:
    from niah.plots.theme import figure_target

    figure_target("difference", figure)


def _draw(comparison: Comparison, figure: Path, earlier: Path, later: Path) -> None:
    from niah.api.report import changes_figure, models_figure
    from niah.plots.theme import figure_target, look_of, themed, write_drawing

    path, kind = figure_target("difference", figure)

    look = look_of("page", None, True, None)
    with themed(look):
        drawn = (
            models_figure(comparison, earlier, later) if comparison.readers else changes_figure(comparison)
        )
        if drawn is None:
            raise UserError("no question of these runs has a depth.", "Leave --figure out.")
        write_drawing(drawn.drawing, path, kind, look)
    click.echo(f"figure   {path}", err=True)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _two(readers: str | None) -> tuple[str, str] | None:
    if readers is None:
        return None
    names = _names(readers)
    if len(names) != 2 or names[0] == names[1]:
        raise UserError(f"--readers takes two different readers, not {readers!r}.", "Write --readers X,Y.")
    return names[0], names[1]


def _show(comparison: Comparison, form: str, out: Path | None) -> None:
    from niah.files import atomic_write

    if out is None and form == "text":
        from rich.console import Console

        from niah.plots.verdicts import print_comparison

        print_comparison(comparison, Console())
        return
    data = _as_bytes(comparison, form)
    if out is None:
        sys.stdout.buffer.write(data)
        return
    with atomic_write(out) as file:
        file.write(data)
    from niah.plots.verdicts import verdict_line

    says = verdict_line(comparison) if comparison.readers else comparison.verdict.kind
    click.echo(f"{says}: {out}", err=True)


def _as_bytes(comparison: Comparison, form: str) -> bytes:
    match form:
        case "markdown":
            from niah.plots.verdicts import comparison_markdown

            return comparison_markdown(comparison).encode()
        case "json":
            import orjson

            return orjson.dumps(comparison, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        case "junit":
            from niah.plots.verdicts import comparison_junit

            return comparison_junit(comparison)
    from io import StringIO

    from rich.console import Console

    from niah.plots.verdicts import print_comparison

    text = StringIO()
    print_comparison(comparison, Console(file=text, width=120))
    return text.getvalue().encode()
