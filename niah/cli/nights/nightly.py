"""``niah nightly``: one command a night, one verdict."""

from __future__ import annotations

import shlex
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from niah.api.run_files import run_file, run_path
from niah.cli.default_group import CommandWithOthers
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.nights.verdict_options import EXIT_CODES, verdict_options
from niah.cli.option_types import COUNT, FilePath
from niah.cli.patience import patience_options
from niah.cli.request_log import log_option, requests_logged
from niah.cli.running.run_options import DATE, as_budget, check_known, judge_option, parse_date, reader_option

if TYPE_CHECKING:
    from niah.analysis.nights import NightVerdict
    from niah.api.nightly import NightlyResult
    from niah.runs.cost.prices import Budget


@click.command("accept")
@click.argument("night", metavar="RUN|DATE", shell_complete=completes(RUN_FILES))
def accept_command(night: str) -> None:
    """Accept a night, whatever it came to: the nights after it are compared with it.

    RUN is a night's run file or its name in runs/; a DATE will do where one night there has it. For a
    regression that is to stay: another model, say, that is cheaper. Nothing is asked.
    """
    if not DATE.fullmatch(night):
        run_path(night)  # a name that no file has waits for nothing that reads one
    from niah.api.nights.acceptance import accept_night

    done = accept_night(night)
    reference = (
        f"nights to come are compared with that of {done.later}, the last one that is accepted"
        if done.later
        else "the nights after it are compared with it"
    )
    was = "was accepted already" if done.already else "is accepted"
    click.echo(f"{done.night.path.stem} {was}: {reference}.\nrecord   {done.record.path}")


@click.command(cls=CommandWithOthers, others={"accept": accept_command})
@click.argument("config", shell_complete=completes("runs", besides=("accept",)))
@click.option(
    "--date",
    metavar="YYYY-MM-DD",
    callback=parse_date,
    help="Which night it is; today (UTC) without it. The same night again goes on where it was stopped.",
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="A run to compare with besides the last accepted night: a name or a run file.",
    shell_complete=completes(RUN_FILES),
)
@click.option("--concurrency", type=COUNT, help="Requests at once, as in niah run.")
@judge_option
@reader_option
@patience_options
@click.option("--budget", callback=as_budget, help="As in niah run; the config's without it.")
@click.option("--on", type=click.Choice(["local", "ray"]), default="local", help="As in niah run.")
@verdict_options
@click.option(
    "--out",
    type=FilePath(path_type=Path, file_okay=False),
    help="Folder of report and verdict; plots/CONFIG-DATE without it.",
)
@log_option
def nightly_command(
    config: str,
    date: date | None,
    baseline: str | None,
    concurrency: int | None,
    judge: str | None,
    reader_options: dict[str, Any],
    wait: float | None,
    timeout: float | None,
    attempts: int | None,
    budget: Budget | None,
    on: Literal["local", "ray"],
    missing_limit: float,
    detect: float,
    common: bool,
    out: Path | None,
    log: Path | None,
) -> int:
    """Run CONFIG for one night, write its report, and compare it with the mean of the last five
    accepted nights, and with a baseline.

    A night without a regression is accepted by itself. A regression stays one every night until it is mended,
    or accepted: niah nightly accept RUN.

    The verdict goes to the terminal and, beside the report, to verdict.md, verdict.json, verdict.xml (JUnit).
    Ends with exit code 0 without a regression (also in the first night, with nothing to compare with), 1 with
    one, 2 for a mistake, 3 where too much is missing to say, 4 where a reader gave no answers any more.
    """
    check_known(config)
    against = run_path(baseline) if baseline else None  # a mistyped name waits for nothing
    from niah.analysis.compare import Limits
    from niah.api.nightly import run_night
    from niah.cli.running.sources import run_settings
    from niah.plots.progress import RunProgress
    from niah.readers.patience import Transport
    from niah.runs.config.load import load_config
    from niah.runs.config.run_config import Instead
    from niah.runs.provenance import as_stored

    tonight = date or datetime.now(UTC).date()
    transport = Transport(wait, timeout, attempts)
    instead = Instead(
        concurrency=concurrency, date=tonight, judge=judge, options=reader_options, transport=transport
    )
    resolved = load_config(config, instead)
    path, folder = _places(f"{resolved.name}-{tonight}", out)
    most = budget or resolved.budget
    say = partial(click.echo, err=True)
    with requests_logged(log):
        result = run_night(
            resolved,
            tonight,
            path,
            progress=RunProgress,
            say=say,
            settings=as_stored(run_settings(click.get_current_context(), resolved, most, path, folder)),
            baseline=against,
            budget=most,
            on=on,
            limits=Limits(missing=missing_limit / 100, detectable=detect),
            common=common,
        )
    again = _same_command(config, tonight if resolved.date else None, judge, reader_options, path)
    goes_on = f"the same command with --date {tonight}"  # no other comes to a verdict
    return _told(result, most, again, goes_on, path, folder)


def _told(
    result: NightlyResult, most: Budget | None, again: str, goes_on: str, path: Path, folder: Path
) -> int:
    """Say what came of the night, and write its verdict; the command's exit code."""
    from niah.api.closing.outcome import NO_ANSWERS
    from niah.cli.running.outcome import print_outcome

    code = print_outcome(result.run, most, path, again, goes_on)
    if result.verdict is None:
        return code
    shown = _show(result.verdict, path, folder)
    # What is missing is missing since a reader is gone: that tells more than that it is missing.
    return NO_ANSWERS if code == NO_ANSWERS and result.verdict.kind != "regression" else shown or code


def _places(name: str, out: Path | None) -> tuple[Path, Path]:
    """The night's run file and the folder of its report; raises UserError where either cannot be written."""
    from niah.files import check_folder
    from niah.runs.file.night_record import record_folder

    path, folder = run_file(name), out or Path("plots") / name
    for needed in (path.parent, record_folder(path.parent), folder):
        check_folder(needed)
    return path, folder


def _same_command(
    config: str, tonight: date | None, judge: str | None, reader_options: dict[str, Any], path: Path
) -> str:
    """What goes on with the night; ``tonight`` is None where no seed hangs on the date."""
    from niah.runs.reader_options import options_as_texts

    options = "".join(f" --reader-option {shlex.quote(each)}" for each in options_as_texts(reader_options))
    same_night = f" --date {tonight}" if tonight else ""
    same_judge = f" --judge {judge}" if judge else ""
    config, out = shlex.quote(config), shlex.quote(str(path))
    return f"niah run {config}{same_night}{same_judge}{options} --out {out}"


def _show(verdict: NightVerdict, path: Path, folder: Path) -> int:
    """Report, verdict files and terminal; the exit code."""
    from rich.console import Console

    from niah.api.nights.acceptance import note_page
    from niah.api.report import report_runs
    from niah.plots.verdicts import night_banner, print_verdict, write_verdict

    banner = night_banner(verdict)
    compared = list(verdict.comparisons.values())
    worse = [each for each in compared if each.verdict.kind == "regression"]
    made = report_runs([path], folder, banner=banner, against=next(iter([*worse, *compared]), None))
    for line in made.problems:
        click.echo(line, err=True)
    write_verdict(verdict, folder)
    if verdict.standing:
        note_page(path, made.page, banner.first_trial)
    print_verdict(verdict, Console())
    click.echo(f"report   {made.page}\nverdict  {folder}/verdict.md, .json, .xml")
    return EXIT_CODES[verdict.kind]
