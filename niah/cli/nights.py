"""``niah nightly``, ``compare`` and ``history``."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from niah.cli.options import (
    A_FILE,
    A_FOLDER,
    A_PATH,
    RUN_FILES,
    Command,
    Number,
    RunCommand,
    completes,
    request_of_options,
    run_options,
    words,
)
from niah.cli.terminal import complain, say

_EXIT_CODES = {"no regression": 0, "regression": 1, "incomplete": 3}


def _verdict_options(function: Command) -> Command:
    """Give a command the options of when there is too little to say."""
    common = "Where the runs differ, compare what they have in common."
    detect = "Incomplete where a drop of a model by this many points would often not be seen."
    missing = "Incomplete where more per cent of the trials scored in the baseline have no score now."
    number, limit = Number(0, 9, min_open=True), Number(0, 100)
    function = click.option("--common", is_flag=True, help=common)(function)
    function = click.option("--detect", type=number, default=1.5, show_default=True, help=detect)(function)
    return click.option("--missing-limit", type=limit, default=10, show_default=True, help=missing)(function)


@click.command("accept", cls=RunCommand)
@click.argument("night", metavar="RUN|DATE", shell_complete=completes(RUN_FILES))
def accept_command(night: str) -> None:
    """Accept a night, whatever it came to: the nights after it are compared with it.

    RUN is a night's run file or its name in runs/; a DATE will do where one night there has it. For a
    regression that is to stay: another model, say, that is cheaper. Nothing is asked.
    """
    from niah.api.nightly import accept_night

    done = accept_night(night)
    was = "was accepted already" if done.already else "is accepted"
    reference = "the nights after it are compared with it"
    if done.later:
        reference = f"nights to come are compared with that of {done.later}, the last one that is accepted"
    click.echo(f"{done.night.path.stem} {was}: {reference}.\nrecord   {done.record}")


@click.command(cls=RunCommand, others={"accept": accept_command})
@click.argument("config", shell_complete=completes("runs"))
@run_options("nightly")
@click.option(
    "--baseline",
    metavar="RUN",
    help="A run to compare with besides the last accepted nights: a name or a run file.",
    shell_complete=completes(RUN_FILES),
)
@_verdict_options
@click.option(
    "--out",
    "folder",
    type=A_FOLDER,
    envvar="NIAH_NIGHTLY_OUT",
    help="Folder of the report; plots/CONFIG-DATE without it.",
)
@click.pass_context
def nightly_command(
    context: click.Context, /, baseline: str | None, folder: Path | None, **options: Any
) -> int:
    """Run CONFIG for one night, write its report, and compare it with the mean of the last five
    accepted nights, and with a baseline.

    A night without a regression is accepted by itself. A regression stays one every night until it is mended,
    or accepted: niah nightly accept RUN.

    The verdict goes to the terminal and, beside the report, to verdict.md, verdict.json, verdict.xml (JUnit).
    Ends with exit code 0 without a regression (also in the first night, with nothing to compare with), 1 with
    one, 2 for a mistake, 3 where too much is missing to say, 4 where a model gave no answers any more.
    """
    from niah.api.report import report, run_path

    against = run_path(baseline) if baseline else None
    request = request_of_options(context)
    tonight = request.date or datetime.now(UTC).date()
    from niah.analysis.compare import Limits  # a mistake does not wait for them
    from niah.api.nightly import run_night
    from niah.api.request import resolve
    from niah.api.run import NO_ANSWERS, closing

    asked = resolve(request, tonight)
    name = f"{asked.config.name}-{tonight}"
    asked = replace(asked, path=Path("runs") / f"{name}.sqlite", figures=folder or Path("plots") / name)
    limits = Limits(missing=options["missing_limit"] / 100, detectable=options["detect"])
    result, verdict = run_night(
        asked, tonight, say, baseline=against, limits=limits, common=options["common"]
    )
    lines, code = closing(result, f"the same command with --date {tonight}")
    for line in lines:
        say(line)
    if verdict is None:
        return code
    from rich.console import Console

    from niah.plots.verdicts import night_banner, print_verdict, write_verdict

    compared = sorted(verdict.comparisons.values(), key=lambda each: each.verdict.kind != "regression")
    against_first = next(iter(compared), None)
    made = report([asked.path], asked.figures, banner=night_banner(verdict), against=against_first)
    for line in made.problems:
        say(line)
    write_verdict(verdict, asked.figures)
    print_verdict(verdict, Console())
    click.echo(f"report   {made.page}\nverdict  {asked.figures}/verdict.md, .json, .xml")
    # What is missing is missing since a model is gone: that tells more than that it is missing.
    gone = code == NO_ANSWERS and verdict.kind != "regression"
    return NO_ANSWERS if gone else _EXIT_CODES[verdict.kind] or code


@click.command(cls=RunCommand)
@click.argument("baseline", metavar="A", shell_complete=completes(RUN_FILES))
@click.argument("candidate", metavar="[B]", required=False, shell_complete=completes(RUN_FILES))
@click.option(
    "--readers",
    metavar="X,Y",
    callback=words,
    help="Compare model Y with model X, both ways; of one run, if B is left out.",
)
@click.option(
    "--alpha",
    type=Number(0, 0.5, min_open=True),
    default=0.04,
    show_default=True,
    help="How often a night with no change may be called a regression; two equal models, different.",
)
@_verdict_options
@click.option(
    "--format",
    type=click.Choice(["text", "markdown", "json", "junit"]),
    default="text",
    show_default=True,
    help="Of what is printed or written.",
)
@click.option("--out", type=A_FILE, help="File to write; standard output without it.")
def compare_command(
    baseline: str, candidate: str | None, missing_limit: float, format: str, out: Path | None, **asked: Any
) -> int:
    """Say whether run B got significantly worse than run A, and where. A and B are run files or their names.

    Ends with exit code 0 without a regression, 1 with one, 3 where there is too little to say. With --readers
    X,Y: which of the two is better, and where; exit code 1 where Y is worse than X.
    """
    import orjson
    from rich.console import Console

    from niah.api.compare import compare
    from niah.api.report import run_path
    from niah.files import atomic_write
    from niah.plots.verdicts import comparison_markdown, junit, print_comparison, verdict_line

    later = run_path(candidate) if candidate else None
    found = compare(run_path(baseline), later, missing=missing_limit / 100, **asked).comparison
    if format == "json":
        data = orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    elif format == "junit":
        data = junit("niah compare", [found])
    else:
        data = comparison_markdown(found).encode()
    if out is not None:
        with atomic_write(out) as file:
            file.write(data)
        say(f"{verdict_line(found) if found.readers else found.verdict.kind}: {out}")
    elif format == "text":
        print_comparison(found, Console())
    else:
        sys.stdout.buffer.write(data)
    return _EXIT_CODES[found.verdict.kind]


@click.command(cls=RunCommand)
@click.argument("folder", default="runs", type=A_PATH)
@click.option("--name", metavar="RUN", help="Only the nights of this run; of all runs without it.")
@click.option("--out", type=A_FOLDER, default="plots/history", show_default=True, help="Folder to write.")
def history_command(folder: Path, name: str | None, out: Path) -> None:
    """Show how the scores of each model and strategy went over the nights in FOLDER (runs/ without it).

    Nights are the run files called NAME-YYYY-MM-DD.sqlite. Only anchor cases count, and lines join only
    nights that asked the same. Writes a page, figures and a table.
    """
    from rich.console import Console

    from niah.api.nightly import read_history
    from niah.plots.history import write_history
    from niah.plots.tables import print_table

    table, skipped, records = read_history(folder, name)
    runs = dict.fromkeys(str(row[0]) for row in table.rows)
    page = write_history(table, skipped, f"History of {name or ', '.join(runs)}", out, records)
    for one in skipped:
        complain(f"niah: left out: {one.path}: {one.reason.removeprefix(f'{one.path} ')}", "yellow")
    shown = ("run", "reader", "strategy", "date", "mean", "low", "high", "n", "trials", "verdict")
    places = [table.columns.index(column) for column in shown]
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    print_table(replace(table, columns=shown, rows=rows), Console())
    click.echo(f"page     {page}\nfigures  {out}/figures/\ntable    {out}/tables/")
