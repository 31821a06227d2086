"""``niah nightly``, ``compare`` and ``history``."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import orjson

from niah.api.request import RunRequest, resolve
from niah.cli.options import A_FILE, A_FOLDER, RUN, RunCommand, completes, run_options, words
from niah.cli.terminal import complain, say, written_to
from niah.errors import UserError

_EXIT_CODES = {"no regression": 0, "regression": 1, "incomplete": 3}
_points, _percent = click.FloatRange(0, 9, min_open=True), click.FloatRange(0, 100)
_DETECT = "Incomplete where a drop of a model by this many points would often not be seen."
_MISSING = "Incomplete where more per cent of the trials scored in the baseline have no score now."
_missing = click.option("--missing-limit", type=_percent, default=10, help=_MISSING)
_detect = click.option("--detect", type=_points, default=1.5, help=_DETECT)
_common = click.option(
    "--common", is_flag=True, help="Where the runs differ, compare what they have in common."
)


@click.command("accept", cls=RunCommand)
@click.argument("night", metavar="RUN|DATE", shell_complete=completes())
def accept_command(night: str) -> None:
    """Accept a night, whatever it came to: the nights after it are compared with it.

    RUN is a night's run file or its name in runs/; a DATE will do where one night there has it.
    """
    from niah.runs.file.nights import accept_night

    accepted = accept_night(night).path.stem
    click.echo(f"{accepted} is accepted: nights to come are compared with it, or a later one that is.")


@click.command(cls=RunCommand, others={"accept": accept_command})
@run_options("nightly")
@click.option("--baseline", metavar="RUN", help="Another run to compare with.", **RUN)
@_missing
@_detect
@_common
@click.option("--out", type=A_FOLDER, help="plots/CONFIG-DATE without it.")
def nightly_command(request: RunRequest, baseline: Path | None, out: Path | None, **of_night: Any) -> int:
    """Run CONFIG for one night, report it, and compare it with the mean of the last five accepted nights.

    A night without a regression is accepted by itself. A regression stays one every night until it is mended,
    or accepted: niah nightly accept RUN.

    The verdict goes to the terminal and, with the report, to verdict.md, verdict.json, verdict.xml (JUnit).
    Exit code 0: no regression, or the first night; 1: a regression; 2: a mistake; 3: too little to say; 4: a
    model gave no answers any more; 5: batches wait, which the same --date collects.
    """
    tonight = request.date or datetime.now(UTC).date()
    asked = resolve(request, tonight)
    from niah.analysis.compare import Limits  # a mistake does not wait for them
    from niah.api.nightly import run_night
    from niah.api.result import report
    from niah.api.run import NO_ANSWERS, closing

    name = f"{asked.config.path.stem}-{tonight}"
    asked = replace(asked, path=Path("runs") / f"{name}.sqlite", figures=out or Path("plots") / name)
    limits = Limits(missing=of_night["missing_limit"] / 100, detectable=of_night["detect"])
    common = of_night["common"]
    result, verdict = run_night(asked, tonight, say, baseline=baseline, limits=limits, common=common)
    lines, code = closing(result, f"the same command with --date {tonight}")
    for line in lines:
        say(line)
    if verdict is None:
        return code
    from niah.plots.verdicts import night_banner, print_verdict, write_verdict

    compared = verdict.comparisons.values()
    first = min(compared, key=lambda each: each.verdict.kind != "regression", default=None)
    made = report([asked.path], asked.figures, banner=night_banner(verdict), against=first)
    for line in made.problems:
        say(line)
    write_verdict(verdict, asked.figures)
    print_verdict(verdict)
    click.echo(f"report   {made.page}\nverdict  {asked.figures}/verdict.md, .json, .xml")
    # What is missing is missing since a model is gone: that tells more than that it is missing.
    gone = code == NO_ANSWERS and verdict.kind != "regression"
    return NO_ANSWERS if gone else _EXIT_CODES[verdict.kind] or code


@click.command(cls=RunCommand)
@click.argument("baseline", metavar="A", **RUN)
@click.argument("candidate", metavar="[B]", required=False, **RUN)
@click.option("--readers", metavar="X,Y", type=words, help="Compare model Y with model X, both ways.")
@click.option("--alpha", type=click.FloatRange(0, 0.5, min_open=True), default=0.04, help="False-alarm rate.")
@_missing
@_detect
@_common
@click.option("--format", type=click.Choice(["text", "json", "junit"]), default="text", help="Of the output.")
@click.option("--out", type=A_FILE, help="File to write; standard output without it.")
def compare_command(missing_limit: float, format: str, out: Path | None, **asked: Any) -> int:
    """Say whether run B got significantly worse than run A, and where. A and B are run files or their names.

    Exit code 0: no regression; 1: a regression, or Y is worse than X; 3: too little to say.
    """
    from niah.api.compare import compare  # a misspelt name does not wait for them
    from niah.plots.verdicts import comparison_markdown, junit, print_verdict, verdict_line

    found = compare(missing=missing_limit / 100, **asked)
    if format == "json":
        data = orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    else:
        data = junit("niah compare", [found]) if format == "junit" else comparison_markdown(found).encode()
    if format == "text" and out is None:
        print_verdict(found)
    else:
        with written_to(out) as file:
            file.write(data)
    if out:
        say(f"{verdict_line(found) if found.readers else found.verdict.kind}: {out}")
    return _EXIT_CODES[found.verdict.kind]


@click.command(cls=RunCommand)
@click.argument("folder", default="runs", type=A_FOLDER)
@click.option("--name", metavar="RUN", help="Only the nights of this run; of all runs without it.")
@click.option("--out", type=A_FOLDER, default="plots/history", help="Folder to write.")
def history_command(folder: Path, name: str | None, out: Path) -> None:
    """Show how the scores of each model and strategy went over the nights in FOLDER (runs/ without it).

    Nights are the run files called NAME-YYYY-MM-DD.sqlite. Only anchor cases count, and lines join only
    nights that asked the same. Writes a page, figures and a table.
    """
    from niah.analysis.nights import history_table, open_regression
    from niah.plots.history import write_history
    from niah.plots.tables import print_table
    from niah.runs.file.nights import PATTERN, nights, open_night, read_night_record

    opened = [(night, open_night(night)) for night in nights(folder, name)]
    skipped = {night.path: found for night, found in opened if isinstance(found, str)}
    if not (read := [(night, found) for night, found in opened if not isinstance(found, str)]):
        first = next(iter(skipped.items()), None)
        why = f" ({first[0].name}: {first[1].rstrip('.')})" if first else ""
        problem = f"{folder} holds no nights{f' of {name!r}' if name else ''} that can be read{why}."
        raise UserError(problem, f"The run file of a night is called {PATTERN}.")
    records = {run: read_night_record(folder, run) for run in dict.fromkeys(night.name for night, _ in read)}
    table = history_table(read, records)
    facts = [
        f"{run}: regression since {red.first}, worse than {red.compared_with}; neither mended nor accepted"
        for run, record in records.items()
        if (red := open_regression(record))
    ]
    facts += (f"left out: {path}: {why.removeprefix(f'{path} ')}" for path, why in skipped.items())
    page = write_history(table, f"History of {name or ', '.join(records)}", out, records, facts)
    for line in facts:
        complain(f"niah: {line}", "yellow")
    shown = ("run", "reader", "strategy", "date", "mean", "low", "high", "n", "trials", "verdict")
    places = [table.columns.index(column) for column in shown]
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    print_table(replace(table, columns=shown, rows=rows))
    click.echo(f"page     {page}\nfigures  {out}/figures/\ntable    {out}/tables/")
