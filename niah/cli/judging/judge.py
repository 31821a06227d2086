"""``niah judge``: a run's answers before another judge, metrics over them, and answers labelled by people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from niah.cli.default_group import DefaultGroup
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import COUNT, FILLED, SEED
from niah.cli.patience import patience_options, transport_of

INCOMPLETE = 3
_JUDGES = (
    "rubric, accuracy, squad-f1, auto, auto:contained-match, smollm2, openai/gpt-4o-mini, any litellm name, "
    "or a .gguf file."
)


@click.group(cls=DefaultGroup, default="run", options_metavar="")
def judge_command() -> None:
    """Judge the answers of a run again: niah judge RUN --judge NAME. No model is asked again."""


@judge_command.command("run")
@click.argument("name", metavar="RUN", shell_complete=completes(RUN_FILES))
@click.option("--judge", required=True, help=_JUDGES, shell_complete=completes("judges"))
@click.option("--api-base", type=FILLED, help="Address of an OpenAI-compatible server that has the judge.")
@click.option(
    "--concurrency",
    type=COUNT,
    help="How many answers the judge may get at once; 8 without it.",
)
@patience_options
@click.option("--limit", type=COUNT, help="Judge at most this many answers now.")
@click.option("--primary", is_flag=True, help="From now on, the score of this judge is the score of a trial.")
def judge_run_command(
    name: str,
    judge: str,
    api_base: str | None,
    concurrency: int | None,
    limit: int | None,
    primary: bool,
    **patience: Any,
) -> int:
    """Judge the answers of RUN (a name or a run file), with no reader asked.

    The run file keeps the verdicts of all judges. Stop it at any time: verdicts are kept, and the same
    command goes on. Where some answers got no verdict it ends with exit code 3.
    """
    from niah.api.run_files import run_path

    path = run_path(name)
    from niah.judges.registry import cascade_of, resolve_judge

    _check_address(judge, api_base)
    chosen = resolve_judge(judge, api_base, concurrency, by_hand=True, transport=transport_of(patience))
    from rich.console import Console

    from niah.analysis.frame import trial_frame
    from niah.analysis.tables import agreement_table
    from niah.api.judge import judge_run
    from niah.plots.tables import print_table
    from niah.plots.terminal import print_summary

    done = judge_run(
        path,
        chosen,
        limit=limit,
        primary=primary,
        progress=_progress_bar,
        say=lambda line: click.echo(line, err=True),
    )
    console, frame = Console(), trial_frame(done.run.records, done.run.samples)
    print_summary(frame, console)
    if (table := agreement_table(frame)).rows:
        print_table(table, console)
    click.echo(f"{done.asked - len(done.failures)} verdicts of {judge} are new.", err=True)
    if not done.failures:
        return 0
    reason, times = Counter(each.reason for each in done.failures).most_common(1)[0]
    often = f"most often, {times} times: {reason}" if len(done.failures) > 1 else reason
    rules, _ = cascade_of(judge) or ("auto", judge)
    remedy = f"--judge {rules} judges every answer by rules."  # as rules do, these would fail alike again
    if chosen.needs_model:
        remedy = f"The same command asks again; --judge {rules} needs no model."
    answers = "answer" if len(done.failures) == 1 else "answers"
    click.echo(f"{len(done.failures)} {answers} got none ({often.rstrip('.')}). {remedy}", err=True)
    return INCOMPLETE


@judge_command.command("metrics")
@click.argument("name", metavar="RUN", shell_complete=completes(RUN_FILES))
@click.option(
    "--metrics",
    "names",
    metavar="A,B",
    default="exact-match,token-f1,squad-f1,rouge-l,bleu-1,bleu-4,meteor",
    show_default=True,
    help="Which; niah list metrics names them.",
    shell_complete=completes("metrics", listed=True),
)
@click.option("--jsonl", is_flag=True, help="Write one line of JSON per scored trial in place of the means.")
def judge_metrics_command(name: str, names: str, jsonl: bool) -> None:
    """Score the answers of RUN (a name or a run file) by metrics, 0 to 1, against the reference answers.

    The best over the references counts: the reference answer, and its elements alone.
    """
    from niah.api.run_files import run_path

    path = run_path(name)
    import orjson
    from rich.console import Console

    from niah.analysis.tables import metric_table
    from niah.api.judge import measure_run
    from niah.judges.metrics import find_metric
    from niah.plots.tables import print_table

    metrics = [
        find_metric(each) for each in _names(names, "--metrics names no metric.", "See: niah list metrics.")
    ]
    rows = measure_run(path, metrics)
    if not jsonl:
        print_table(metric_table(rows), Console())
        return
    for row in rows:
        sys.stdout.buffer.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


@judge_command.command("audit")
@click.argument("name", metavar="RUN", shell_complete=completes(RUN_FILES))
@click.option(
    "--sample", type=COUNT, help="Write this many answers to a CSV file to label; some 50 are enough."
)
@click.option(
    "--out", type=click.Path(), help="The file of --sample; RUN's name with .labels.csv without it."
)
@click.option("--labels", type=click.Path(), help="Read such a file, filled in by one or two people.")
@click.option("--judge", help="Judge the labelled answers again, and say whether this judge has drifted.")
@click.option("--api-base", type=FILLED, help="Address of an OpenAI-compatible server that has the judge.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Another seed draws other answers.")
@patience_options
def judge_audit_command(
    name: str,
    sample: int | None,
    out: str | None,
    labels: str | None,
    judge: str | None,
    api_base: str | None,
    seed: int,
    **patience: Any,
) -> int:
    """Check the judge of RUN against people: label some answers, and the report corrects its means by them.

    niah judge audit RUN --sample 50 writes the answers, --labels FILE reads the labels: agreement, Cohen's
    kappa, Krippendorff's alpha, and every mean corrected by prediction-powered inference.
    """
    from pathlib import Path

    from niah.api.run_files import run_path
    from niah.errors import UserError

    path = run_path(name)
    if sum(each is not None for each in (sample, labels, judge)) != 1:
        raise UserError("--sample, --labels or --judge: one of them is needed.", "Begin with --sample 50.")
    from niah.api.judge import judge_drift, keep_labels, write_label_sheet

    if sample is not None:
        sheet = Path(out) if out else path.with_suffix(".labels.csv")
        written = write_label_sheet(path, sample, sheet, seed)
        click.echo(
            f"{sheet}: {written} answers. Write 1, 3, 5, 7 or 10 in label_1, a second person in label_2."
        )
        click.echo(f"next: niah judge audit {name} --labels {sheet}")
        return 0
    if judge is not None:
        from niah.judges.registry import resolve_judge

        _check_address(judge, api_base)
        chosen = resolve_judge(judge, api_base, by_hand=True, transport=transport_of(patience))
        click.echo(judge_drift(path, chosen))
        return 0
    from rich.console import Console

    from niah.analysis.frame import run_frame
    from niah.analysis.tables import label_tables
    from niah.plots.tables import print_table

    for table in label_tables(run_frame(keep_labels(path, Path(labels or "")))):
        print_table(table, Console())
    return 0


def _check_address(judge: str, api_base: str | None) -> None:
    """Raise UserError where an address is given, and the judge asks no model."""
    from niah.errors import UserError
    from niah.judges.registry import asked_model

    if api_base is not None and not asked_model(judge):
        raise UserError(
            f"--api-base: the judge {judge} asks no model.", "Leave the address out, or name a model."
        )


def _names(text: str, problem: str, remedy: str) -> list[str]:
    """The names between commas, each once. Raises UserError where there are none."""
    from niah.errors import UserError

    names = list(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))
    if not names:
        raise UserError(problem, remedy)
    return names


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
