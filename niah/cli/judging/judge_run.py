"""``niah judge RUN``: a run's answers before another judge."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import click

from niah.api.run_files import run_path
from niah.errors import UserError
from niah.judges.audit.report import audit_warning
from niah.judges.judge import Judge
from niah.judges.registry import resolve_judge
from niah.readers.reader import Failure
from niah.runs.execution.rejudge import rejudge, unjudged
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.file.store import RunStore, open_for_writing
from niah.runs.trial import TrialRecord

INCOMPLETE = 3


@click.command("run")
@click.argument("name", metavar="RUN")
@click.option("--judge", required=True, help="rubric, openai/gpt-4o-mini, any litellm name, or a .gguf file.")
@click.option("--api-base", help="Address of an OpenAI-compatible server that has the judge.")
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    help="How many answers the judge may get at once; 8 without it.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Judge at most this many answers now.")
@click.option("--primary", is_flag=True, help="From now on, the score of this judge is the score of a trial.")
def judge_run_command(
    name: str, judge: str, api_base: str | None, concurrency: int | None, limit: int | None, primary: bool
) -> int:
    """Judge the answers of RUN (a name or a run file), with no reader asked.

    The run file keeps the verdicts of all judges. Stop it at any time: verdicts are kept, and the same
    command goes on. Where some answers got no verdict it ends with exit code 3.
    """
    path = run_path(name)
    if not read_run(path).records:
        raise UserError(f"{path} holds no trials.", "Run it first.")
    judging = resolve_judge(judge, api_base, concurrency)
    judging.check()
    if warning := audit_warning(judging):
        click.echo(warning, err=True)
    with open_for_writing(path) as store:
        run = read_run(path)
        todo = unjudged(run, judging)[:limit]
        failures = _judge(store, run, judging, todo)
        if primary:
            store.make_primary(judging.name)
    _print(read_run(path))
    return _said(failures, len(todo), judging.name)


def _judge(store: RunStore, run: RunContents, judge: Judge, todo: Sequence[TrialRecord]) -> list[Failure]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from niah.runs.cost.prices import prices_of, stored_prices

    if not todo:
        return []
    price = prices_of([judge], stored_prices(run.invocations))[judge.name]
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("judging", total=len(todo))
        return asyncio.run(rejudge(store, judge, todo, run.samples, price, lambda: progress.advance(task)))


def _print(run: RunContents) -> None:
    from rich.console import Console

    from niah.analysis.frame import trial_frame
    from niah.analysis.tables.judge_tables import agreement_table
    from niah.analysis.tables.summary import summarise
    from niah.plots.table_files import print_table
    from niah.plots.terminal.summary_table import print_summary

    console, frame = Console(), trial_frame(run.records, run.samples)
    print_summary(summarise(frame), console)
    if (table := agreement_table(frame)).rows:
        print_table(table, console)


def _said(failures: Sequence[Failure], asked: int, judge: str) -> int:
    click.echo(f"{asked - len(failures)} verdicts of {judge} are new.", err=True)
    if not failures:
        return 0
    reason, times = Counter(each.reason for each in failures).most_common(1)[0]
    click.echo(
        f"{len(failures)} answers got none (most often, {times} times: {reason})."
        " The same command asks again.",
        err=True,
    )
    return INCOMPLETE
