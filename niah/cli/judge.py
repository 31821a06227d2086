"""``niah judge``: a run's answers judged again, and answers labelled by people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from niah.cli.options import A_FILE, COUNT, RunCommand, completes, run_argument
from niah.cli.terminal import say
from niah.errors import UserError


@click.command("audit", cls=RunCommand)
@run_argument
@click.option("--sample", type=COUNT, help="Write this many answers to a CSV file to label; 50 are enough.")
@click.option("--out", type=A_FILE, help="The file of --sample; RUN's name with .labels.csv without it.")
@click.option("--labels", type=A_FILE, help="Read such a file, filled in by one or two people.")
def audit_command(run: str, sample: int | None, out: Path | None, labels: Path | None) -> None:
    """Check the judge of RUN against people: label some answers, and the report corrects its means by them.

    niah judge audit RUN --sample 50 writes the answers, --labels FILE reads the labels: agreement, Cohen's
    kappa, Krippendorff's alpha, and every mean corrected by prediction-powered inference.
    """
    from niah.api.judge import store_labels, write_label_sheet
    from niah.api.report import run_path

    path = run_path(run)
    if (sample is None) == (labels is None):
        raise UserError("--sample or --labels: one of them is needed.", "Begin with --sample 50.")
    if sample is not None:
        sheet = out or path.with_suffix(".labels.csv")
        written = write_label_sheet(path, sample, sheet)
        to_do = "Write 1, 3, 5, 7 or 10 in label_1, a second person in label_2."
        click.echo(f"{sheet}: {written} answers. {to_do}\nnext: niah judge audit {run} --labels {sheet}")
        return
    from rich.console import Console

    from niah.analysis.frame import run_frame
    from niah.analysis.tables import label_tables
    from niah.plots.tables import print_table

    assert labels is not None
    for table in label_tables(run_frame(store_labels(path, labels))):
        print_table(table, Console())


@click.command(cls=RunCommand, others={"audit": audit_command})
@run_argument
@click.option(
    "--judge",
    required=True,
    help="rubric, a metric, auto, auto:contained-match, smollm2, openai/gpt-4o-mini, any litellm name, or a "
    ".gguf file.",
    shell_complete=completes("judges"),
)
@click.option("--api-base", metavar="URL", help="Address of a server that has the judge.")
@click.option("--concurrency", type=COUNT, help="How many answers the judge may get at once; 8 without it.")
@click.option(
    "--votes",
    type=click.IntRange(1, 9),
    default=1,
    help="Ask a model so often for each answer; the majority of each element counts.",
)
@click.option("--limit", type=COUNT, help="Judge at most this many answers now.")
@click.option("--primary", is_flag=True, help="From now on, the score of this judge is the score of a trial.")
def judge_command(
    run: str, judge: str, api_base: str | None, limit: int | None, primary: bool, **of_judge: Any
) -> int:
    """Judge the answers of RUN (a name or a run file) again; no model is asked for answers.

    The run file holds the verdicts of all judges. Stop it at any time: verdicts are stored, and the same
    command goes on. Where some answers got no verdict it ends with exit code 3.
    """
    from niah.api.report import run_path
    from niah.judges.registry import asked_model, cascade_of, resolve_judge

    path = run_path(run)
    if api_base is not None and not asked_model(judge):
        raise UserError(f"--api-base: the judge {judge} asks no model.", "Leave it out, or name a model.")
    chosen = resolve_judge(judge, api_base, by_hand=True, **of_judge)
    from rich.console import Console

    from niah.analysis.frame import run_frame
    from niah.analysis.tables import make_table
    from niah.api.judge import judge_run
    from niah.api.run import UNFINISHED
    from niah.plots.tables import print_table
    from niah.plots.terminal import print_summary

    shown: Any = {"progress": _progress_bar, "say": say}
    contents, asked, failures = judge_run(path, chosen, limit=limit, primary=primary, **shown)
    console, frame = Console(), run_frame(contents)
    print_summary(frame, console)
    if (table := make_table("judge-agreement", frame)).rows:
        print_table(table, console)
    failed = len(failures)
    say(f"{asked - failed} verdicts of {judge} are new.")
    if not failed:
        return 0
    reason, times = Counter(each.reason for each in failures).most_common(1)[0]
    often = f"most often, {times} times: {reason}" if failed > 1 else reason
    again = "The same command asks again; " if chosen.needs_model else ""  # rules would fail alike again
    remedy = f"{again}--judge {(cascade_of(judge) or ('auto', judge))[0]} judges every answer by rules."
    say(f"{failed} {'answers' if failed > 1 else 'answer'} got none ({often.rstrip('.')}). {remedy}")
    return UNFINISHED


@contextmanager
def _progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar over ``total`` answers, where standard error is a terminal."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=total, label="judging", file=sys.stderr, hidden=hidden) as bar:
        yield lambda: bar.update(1)
