"""What a run came to, in the terminal, and its exit code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shlex import quote

import click

from niah.api.closing.outcome import tell_outcome
from niah.api.closing.unanswered import is_unanswered
from niah.api.closing.wording import CommandWording
from niah.api.run import FinishedRun
from niah.cases.left_out import avoided_by, contiguous_notes
from niah.cli.suite_options import print_left_out
from niah.runs.cost.budget import Budget
from niah.runs.execution.session import RunResult


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


def print_results(finished: FinishedRun, path: Path, figures: Path) -> None:
    """Print heatmaps, means and what they come to, then where everything is."""
    from rich.console import Console

    from niah.analysis.cells import cells_of_like_sets
    from niah.analysis.frame import trial_frame
    from niah.analysis.tables.summary import summarise
    from niah.api.closing.findings import finding_lines
    from niah.plots.headlines.headline import took_words
    from niah.plots.terminal.summary_table import print_summary
    from niah.plots.terminal.text_heatmap import print_heatmaps

    console, frame = Console(), trial_frame(finished.result.records)
    print_heatmaps(cells_of_like_sets(frame), console)
    print_summary(summarise(frame), console)
    for line in finding_lines(frame):
        console.print(line, highlight=False, markup=False)
    if frame["cost"].sum():
        console.print(f"It took {took_words(frame)}.", highlight=False, markup=False)
    console.print(f"run file  {path}", highlight=False, soft_wrap=True)
    if finished.heatmaps:
        files = f"{figures}/ ({len(finished.heatmaps)} files)"
        console.print(f"heatmaps  {files}", highlight=False, soft_wrap=True)
    if is_unanswered(finished.result.records):
        return  # a page of nothing
    command = f"niah report {quote(str(path))}"
    console.print(f"{command} makes the page to click through", highlight=False, markup=False, soft_wrap=True)
