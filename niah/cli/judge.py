"""``niah judge``: a run's answers before another judge, metrics over them, and answers labelled by people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from niah.cli.options import COUNT, RUN_FILES, SEED, RunCommand, completes, patience_options, words
from niah.cli.terminal import say
from niah.errors import UserError

_run_argument = click.argument("run", metavar="RUN", shell_complete=completes(RUN_FILES))
_api_base = click.option("--api-base", metavar="URL", help="Address of a server that has the judge.")


def _judge(
    judge: str, api_base: str | None, patience: dict[str, Any], concurrency: int | None = None, votes: int = 1
) -> Any:
    """The judge of that name. Raises UserError."""
    from niah.judges.registry import asked_model, resolve_judge
    from niah.readers.patience import Transport

    if api_base is not None and not asked_model(judge):
        raise UserError(f"--api-base: the judge {judge} asks no model.", "Leave it out, or name a model.")
    transport = Transport(patience["wait"], patience["timeout"], patience["attempts"])
    return resolve_judge(judge, api_base, concurrency, by_hand=True, transport=transport, votes=votes)


@click.command("metrics")
@_run_argument
@click.option(
    "--metrics",
    metavar="LIST",
    default="exact-match,token-f1,squad-f1,rouge-l,bleu-1,bleu-4,meteor",
    show_default=True,
    callback=words,
    help="Which; niah list metrics names them.",
    shell_complete=completes("metrics", listed=True),
)
@click.option("--jsonl", is_flag=True, help="Write one line of JSON per scored trial in place of the means.")
def metrics_command(run: str, metrics: tuple[str, ...], jsonl: bool) -> None:
    """Score the answers of RUN (a name or a run file) by metrics, 0 to 1, against the reference answers.

    The best over the references counts: the reference answer, and its elements alone.
    """
    import orjson
    from rich.console import Console

    from niah.analysis.tables import metric_table
    from niah.api.judge import measure_run
    from niah.api.report import run_path
    from niah.judges.metrics import find_metric
    from niah.plots.tables import print_table

    path = run_path(run)
    if not metrics:
        raise UserError("--metrics names no metric.", "See: niah list metrics.")
    rows = measure_run(path, [find_metric(each) for each in metrics])
    if not jsonl:
        print_table(metric_table(rows), Console())
        return
    for row in rows:
        sys.stdout.buffer.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


@click.command("audit")
@_run_argument
@click.option("--sample", type=COUNT, help="Write this many answers to a CSV file to label; 50 are enough.")
@click.option(
    "--out", type=click.Path(), help="The file of --sample; RUN's name with .labels.csv without it."
)
@click.option("--labels", type=click.Path(), help="Read such a file, filled in by one or two people.")
@click.option("--judge", help="Judge the labelled answers again, and say whether this judge has drifted.")
@_api_base
@click.option("--seed", type=SEED, default=1, show_default=True, help="Another seed draws other answers.")
@patience_options
def audit_command(
    run: str,
    sample: int | None,
    out: str | None,
    labels: str | None,
    judge: str | None,
    api_base: str | None,
    seed: int,
    **patience: Any,
) -> None:
    """Check the judge of RUN against people: label some answers, and the report corrects its means by them.

    niah judge audit RUN --sample 50 writes the answers, --labels FILE reads the labels: agreement, Cohen's
    kappa, Krippendorff's alpha, and every mean corrected by prediction-powered inference.
    """
    from niah.api.judge import judge_drift, store_labels, write_label_sheet
    from niah.api.report import run_path

    path = run_path(run)
    if sum(each is not None for each in (sample, labels, judge)) != 1:
        raise UserError("--sample, --labels or --judge: one of them is needed.", "Begin with --sample 50.")
    if sample is not None:
        sheet = Path(out) if out else path.with_suffix(".labels.csv")
        written = write_label_sheet(path, sample, sheet, seed)
        click.echo(
            f"{sheet}: {written} answers. Write 1, 3, 5, 7 or 10 in label_1, a second person in label_2."
        )
        click.echo(f"next: niah judge audit {run} --labels {sheet}")
        return
    if judge is not None:
        click.echo(judge_drift(path, _judge(judge, api_base, patience)))
        return
    from rich.console import Console

    from niah.analysis.frame import run_frame
    from niah.analysis.tables import label_tables
    from niah.plots.tables import print_table

    for table in label_tables(run_frame(store_labels(path, Path(labels or "")))):
        print_table(table, Console())


@click.command(cls=RunCommand, others={"metrics": metrics_command, "audit": audit_command})
@_run_argument
@click.option(
    "--judge",
    required=True,
    help="rubric, a metric, auto, auto:contained-match, smollm2, openai/gpt-4o-mini, any litellm name, or a "
    ".gguf file.",
    shell_complete=completes("judges"),
)
@_api_base
@click.option("--concurrency", type=COUNT, help="How many answers the judge may get at once; 8 without it.")
@click.option(
    "--votes",
    type=click.IntRange(1, 9),
    default=1,
    help="Ask a model so often for each answer; the majority of each element counts.",
)
@patience_options
@click.option("--limit", type=COUNT, help="Judge at most this many answers now.")
@click.option("--primary", is_flag=True, help="From now on, the score of this judge is the score of a trial.")
def judge_command(
    run: str,
    judge: str,
    api_base: str | None,
    concurrency: int | None,
    votes: int,
    limit: int | None,
    primary: bool,
    **patience: Any,
) -> int:
    """Judge the answers of RUN (a name or a run file) again; no model is asked for answers.

    The run file holds the verdicts of all judges. Stop it at any time: verdicts are stored, and the same
    command goes on. Where some answers got no verdict it ends with exit code 3.
    """
    from niah.api.report import run_path

    path = run_path(run)
    chosen = _judge(judge, api_base, patience, concurrency, votes)
    from rich.console import Console

    from niah.analysis.frame import trial_frame
    from niah.analysis.tables import agreement_table
    from niah.api.judge import judge_run
    from niah.api.outcome import UNFINISHED
    from niah.judges.registry import cascade_of
    from niah.plots.tables import print_table
    from niah.plots.terminal import print_summary

    done = judge_run(path, chosen, limit=limit, primary=primary, progress=_progress_bar, say=say)
    console, frame = Console(), trial_frame(done.run.records, done.run.samples)
    print_summary(frame, console)
    if (table := agreement_table(frame)).rows:
        print_table(table, console)
    say(f"{done.asked - len(done.failures)} verdicts of {judge} are new.")
    if not done.failures:
        return 0
    reason, times = Counter(each.reason for each in done.failures).most_common(1)[0]
    often = f"most often, {times} times: {reason}" if len(done.failures) > 1 else reason
    rules = (cascade_of(judge) or ("auto", judge))[0]
    again = "The same command asks again; " if chosen.needs_model else ""  # rules would fail alike again
    remedy = f"{again}--judge {rules} judges every answer by rules."
    answers = "answer" if len(done.failures) == 1 else "answers"
    say(f"{len(done.failures)} {answers} got none ({often.rstrip('.')}). {remedy}")
    return UNFINISHED


@contextmanager
def _progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar over ``total`` answers, where standard error is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("judging", total=total)
        yield lambda: progress.advance(task)
