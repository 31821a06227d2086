"""``niah run``, ``plan``, ``init``, ``merge`` and ``export``."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from niah.api.request import RunRequest, resolve
from niah.cli.options import A_FILE, A_PATH, RUN, RunCommand, json_option, run_options
from niah.cli.terminal import say, written_to
from niah.errors import UserError, counted
from niah.files import atomic_write, check_free

if TYPE_CHECKING:
    from niah.api.result import Run
    from niah.cases.samples import LeftOut
    from niah.runs.export import Format


@click.command(cls=RunCommand)
@run_options("run")
def run_command(request: RunRequest) -> int:
    """Run CONFIG (a name or a YAML file): generate, ask, judge, show.

    Stop it at any time: every finished trial is stored, and the same command continues. Exit code 3: the
    budget stopped the run, or the judge gave no verdict on more than a tenth of the answers. Exit code 4: a
    model stopped answering or gave nothing to score; a strategy got no answer. Exit code 5: batches are at a
    provider.
    """
    asked = resolve(request)
    from niah.api.run import STOPPED, WAITING, perform  # a mistake does not wait for what runs

    run, code = perform(asked, say, page=True)
    if code != STOPPED and not (code == WAITING and run.page is None):
        print_results(run)
    for line in run.notes:
        say(line)
    return code


@click.command(cls=RunCommand)
@run_options("plan")
@json_option
def plan_command(request: RunRequest, json: bool) -> None:
    """Say what running CONFIG (a name or a YAML file) will take: calls, tokens, money.

    Nothing is asked, retrieved or embedded, and nothing is written.
    """
    from niah.api.run import make_plan  # a mistake does not wait for it
    from niah.plots.terminal import plan_as_json, print_plan

    planned = make_plan(request)
    if json:
        click.echo(plan_as_json(planned))
    else:
        print_plan(planned)


def print_results(run: Run) -> None:
    """Print heatmaps, right answers and means, what they come to, and where everything is."""
    from rich.console import Console

    from niah.analysis.causes import with_causes
    from niah.analysis.summary import summary
    from niah.plots.terminal import print_heatmaps, print_summary
    from niah.plots.words import findings, reused_words

    console, frame = Console(), with_causes(run.trials(), run.contents.samples)
    print_heatmaps(frame, console)
    print_summary(summary(frame), console)
    lines = [f"{words}."] if (words := reused_words(frame)) else []
    for reader, _, said in findings(frame):
        whose = f"{reader}: " if frame["reader"].nunique() > 1 else ""
        lines += (f"{whose}{line}" for line in said)
    lines.append(f"run file  {run.path}")
    if run.page:
        lines += (f"page      {run.page}", f"next: niah report {quote(str(run.path))}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    print_left_out(run.contents.left_out)


def print_left_out(left_out: Sequence[LeftOut], *, err: bool = True) -> None:
    """Say which cases were left out, and why; nothing where none was."""
    if not left_out:
        return
    from rich.console import Console

    from niah.analysis.summary import left_out_table
    from niah.plots.tables import print_table

    print_table(left_out_table(left_out), Console(stderr=err))


@click.command(cls=RunCommand)
@click.argument("file", type=A_FILE, default=Path("runs/mine.yaml"))
def init_command(file: Path) -> None:
    """Write a commented run config to FILE (runs/mine.yaml without it), which runs as it is."""
    check_free(file)
    if file.suffix not in (".yaml", ".yml"):
        raise UserError(f"{file} is no YAML file by its name.", f"Call it {file.with_suffix('.yaml')}.")
    name = file.stem if file.parent == Path("runs") else str(file)
    example = Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")
    with atomic_write(file) as written:
        written.write(example.replace("NAME", name).encode())
    click.echo(file)
    say(f"next: niah run {quote(name)}")


@click.command(cls=RunCommand)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, **RUN)
@click.option("--out", type=A_FILE, required=True, help="Run file to write; there must be none of that name.")
def merge_command(runs: tuple[Path, ...], out: Path) -> None:
    """Put the trials of several RUNs (run files of one config, or their names in runs/) into one file.

    They stay as they are, and may be in use. What no file has finished, `niah run CONFIG --out FILE` asks.
    """
    from niah.runs.file.merge import merge

    try:
        merged = merge(runs, out)
    except sqlite3.OperationalError as error:
        raise UserError(f"{out} cannot be made: {error}.", "Name another file.") from None
    run, trials, finished = merged.run, len(merged.run.planned), len(merged.run.latest_first)
    for line in (*merged.differences, *(f"{name} stopped: {why}" for name, why in run.stopped.items())):
        say(line)
    counts = {
        "finished": finished,
        "not run": trials - finished - merged.known,
        "known without a context, and left out": merged.known,
        "finished in several files: what is scored is taken, then the earlier": merged.dropped,
        "planned, and in none of the files": merged.planned - trials,
    }
    shown = "; ".join(f"{number:,} {what}" for what, number in counts.items() if number)
    click.echo(f"{out}: {counted(trials, 'trial')} of {counted(len(runs), 'file')}; {shown}.")
    if merged.planned > finished + merged.known:
        click.echo(f"niah run with this config and --out {out} asks what is missing.")


@click.command(cls=RunCommand)
@click.argument("run", metavar="RUN", **RUN)
@click.option(
    "--to",
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "every-eval-ever", "eval-results"]),
    help="Without it CSV where --out ends in .csv, and otherwise JSON lines.",
)
@click.option("--dataset", help="With --to eval-results, the benchmark's id on the hub: OWNER/NAME.")
@click.option("--out", type=A_PATH, help="File to write, or folder; standard output without it.")
def export_command(run: Path, form: Format | None, dataset: str | None, out: Path | None) -> None:
    """Write the trials of RUN (a run file, or its name in runs/), one per line.

    --to every-eval-ever writes means and trials in that project's form, --to eval-results means as
    .eval_results/*.yaml of models on the hub: both into a folder, in place of files of the same run.
    """
    from niah.runs.export import export
    from niah.runs.file.read import read_run

    if dataset or form in ("every-eval-ever", "eval-results"):
        from niah.api.result import export_means

        for file in export_means(run, form, dataset, out):
            say(f"written: {file}")
        return
    form = form or ("csv" if out and out.suffix.lower() == ".csv" else "jsonl")
    trials = read_run(run).trials
    with written_to(out) as opened:
        export(trials, opened, form)
    if out:
        say(f"{counted(len(trials), 'trial')}: {out}")
