"""What a run came to, in the terminal, and its exit code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shlex import quote

import click

from niah.api.closing.outcome import tell_outcome
from niah.api.closing.wording import CommandWording
from niah.api.run import FinishedRun
from niah.cases.left_out import avoided_by, contiguous_notes
from niah.cli.suite_options import print_left_out
from niah.runs.cost.prices import Budget
from niah.runs.execution.run import RunResult


def print_outcome(
    result: RunResult, budget: Budget | None, path: Path, again: str = "", goes_on: str = ""
) -> int:
    """Say what a user must know of how it went; the exit code.

    Arguments are those of ``tell_outcome``; ``again`` is the command that takes
    --retry, ``goes_on`` the one that goes on; "" is the one that was given.
    """
    samples = result.contents.samples.values()
    for note in contiguous_notes((sample.case, sample) for sample in samples if sample.case):
        click.echo(note, err=True)
    print_left_out(result.contents.left_out, avoided_by(samples))
    return tell_outcome(result, budget, path, partial(click.echo, err=True), CommandWording(again, goes_on))


def print_results(finished: FinishedRun, path: Path) -> None:
    """Print heatmaps, right answers and means, what they come to, and where everything is."""
    from rich.console import Console

    from niah.analysis.frame import trial_frame
    from niah.api.closing.findings import finding_lines
    from niah.plots.terminal import print_heatmaps, print_summary
    from niah.plots.words import took_words

    console, frame = Console(), trial_frame(finished.result.records)
    print_heatmaps(frame, console)
    print_summary(frame, console)
    for line in finding_lines(frame):
        console.print(line, highlight=False, markup=False)
    if frame["cost"].sum():
        console.print(f"It took {took_words(frame)}.", highlight=False, markup=False)
    console.print(f"run file  {path}", highlight=False, soft_wrap=True)
    if finished.page:
        console.print(f"page      {finished.page}", highlight=False, soft_wrap=True, markup=False)
        console.print(f"next: niah report {quote(str(path))}", highlight=False, markup=False, soft_wrap=True)
