"""What a run came to, in the terminal, and its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from niah.analysis.causes.empty_answers import empty_answers
from niah.analysis.preparation.preparation_lines import preparation_lines
from niah.api.run import FinishedRun
from niah.cases.left_out import avoided_by
from niah.cli.suite_options import print_left_out
from niah.file_mistakes import counted
from niah.judges.registry import CASCADING, cascade_of
from niah.plots.headlines.empty_words import empty_line
from niah.plots.terminal.closing.closed_book_lines import closed_book_lines
from niah.plots.terminal.closing.foreign_chunks import foreign_lines
from niah.plots.terminal.closing.overlap_lines import overlap_lines
from niah.readers.http.outcomes import LATE
from niah.readers.resolve import find_key
from niah.runs.cost.budget import Budget, spending_label
from niah.runs.cost.estimate.finished_trials import count_differences
from niah.runs.execution.session import RunResult
from niah.runs.trial import Outcome, TrialRecord

STOPPED = 130
UNFINISHED = 3
"""Stopped by its budget, or by a judge that failed on too many answers."""
NO_ANSWERS = 4
"""A reader was stopped, or no trial of the run got an answer."""
MANY_JUDGE_ERRORS = 0.1
"""A greater share of answers without a verdict is no accident, and the scores are only of the others."""
COUNTS_ALIKE = 0.02
"""So far may a reader's count of its prompts be from ours without a word."""
_LEAST_ROOM = 512
"""Tokens that answers which had no room are given, at least."""
UNANSWERED: tuple[Outcome, ...] = ("reader_error", "preparation_error")
ASKED_AGAIN: tuple[Outcome, ...] = ("reader_error", "preparation_error", "judge_error")


def _say_own_counts(result: RunResult) -> None:
    """Which readers report no usage that could be, where a budget counts what they take."""
    for name, calls in result.ledger.own_counts.items():
        if calls:
            click.echo(
                f"{name} reported no usage of {calls} answers, or less than half of what there is: to the "
                "budget they count by our own tokens.",
                err=True,
            )


def _say_unreported(result: RunResult) -> None:
    """Which applications report nothing of what a budget counts."""
    for name, answers in result.ledger.unreported.items():
        if answers:
            says = f"{name} did not report what {answers} answers took: the budget does not hold that."
            click.echo(says, err=True)


def _say_kept(result: RunResult) -> None:
    """Which applications were not asked: whether they still answer so, nobody sees."""
    systems = {trial.strategy.name for trial in result.trials if trial.strategy.system}
    kept = Counter(each.strategy for each in result.records if each.from_cache and each.strategy in systems)
    for name, answers in kept.items():
        says = (
            f"{answers} answers of {name} are those of earlier runs; another version beside it, or --no-cache"
        )
        click.echo(f"{says}, asks again.", err=True)


def print_outcome(result: RunResult, budget: Budget | None, path: Path, again: str = "") -> int:
    """Say what a user must know of how it went; the exit code.

    Args:
        result: what the run file holds.
        budget: of the run.
        path: its file.
        again: the command that takes --retry; "" is the one that was given.
    """
    print_left_out(result.contents.left_out, avoided_by(result.contents.samples.values()))
    for line in (
        *closed_book_lines(result.contents.closed_book),
        *preparation_lines(result.contents),
    ):
        click.echo(line, err=True)
    _say_differences(result)
    _say_own_counts(result)
    _say_unreported(result)
    _say_kept(result)
    _say_how_asked(result)
    _say_empty(result)
    records = result.records
    for line in foreign_lines(records):
        click.echo(line, err=True)
    outcomes = Counter(record.outcome for record in records)
    outcomes["judge_error"] -= _say_withheld(result, path)
    judge_fails = outcomes["judge_error"] > MANY_JUDGE_ERRORS * len(_put_before_model(result))
    if judge_fails:
        click.echo(_judge_failed(result, path, again), err=True)
    for outcome in ASKED_AGAIN:
        if outcomes[outcome] and not (judge_fails and outcome == "judge_error"):
            words = outcome.replace("_", " ")
            retry = f"{again} --retry {outcome}".strip()
            click.echo(
                f"{counted(outcomes[outcome], words)}; {retry} asks again{_longer(records, outcome)}.",
                err=True,
            )
    _say_unsure(result, path)
    _say_metrics(result, path)
    for line in overlap_lines(result.contents):
        click.echo(line, err=True)
    if result.stopped:
        kept = len(records) - outcomes["not_run"]
        click.echo(f"stopped; {kept} of {len(records)} trials are kept. The same command goes on.", err=True)
        return STOPPED
    if budget and result.ledger.stopped:
        spent = spending_label(result.ledger.spent, budget.unit)
        click.echo(
            f"stopped by its budget of {budget}: {spent} spent, "
            f"{outcomes['not_run']} of {len(records)} trials not run. A greater --budget goes on.",
            err=True,
        )
        return UNFINISHED
    if result.stopped_readers:
        _say_stopped(result, again)
        return NO_ANSWERS
    if _is_unanswered(records):
        asked = [record for record in records if record.outcome != "not_run"]
        none = f"None of the {len(asked)} trials that were asked got an answer."
        click.echo(none if len(asked) > 1 else "The one trial that was asked got no answer.", err=True)
        return NO_ANSWERS
    return UNFINISHED if judge_fails else 0


def _longer(records: Sequence[TrialRecord], outcome: Outcome) -> str:
    """What gives replies more time, where that ran out."""
    late = any(LATE in record.reason for record in records if record.outcome == outcome)
    return ", and a longer --timeout gives replies more time" if late else ""


def _is_unanswered(records: Sequence[TrialRecord]) -> bool:
    """Whether trials were asked, and none of them got an answer."""
    asked = [record for record in records if record.outcome != "not_run"]
    return bool(asked) and all(record.outcome in UNANSWERED for record in asked)


def _say_withheld(result: RunResult, path: Path) -> int:
    """Say how many answers nobody here can score; their number."""
    samples = result.contents.samples
    answered = [record for record in result.records if record.outcome == "judge_error"]
    withheld = sum(samples[record.case_id].key.withheld for record in answered)
    if withheld:
        click.echo(
            f"{withheld} answers have no score: what is right is not public. "
            f"niah questions submission {path} writes them as its authors take them.",
            err=True,
        )
    return withheld


def _say_stopped(result: RunResult, again: str) -> None:
    """Which readers were asked no further, why, and what to do."""
    for name, why in result.stopped_readers.items():
        own = [record for record in result.records if record.reader == name]
        left = sum(record.outcome == "not_run" for record in own)
        times = f", {why.failures} trials in a row" if why.failures > 1 else ""
        command = again or "the same command"
        on = (
            f"{left} of its {counted(len(own), 'trial')} {'is' if left == 1 else 'are'} not run: {command} "
            "goes on with them, with --retry reader_error also those that failed."
            if left
            else f"{command[0].upper()}{command[1:]} with --retry reader_error asks again what failed."
        )
        click.echo(f"{name} stopped{times}: {why.reason.rstrip('.')}. {why.remedy} {on}", err=True)


def _say_unsure(result: RunResult, path: Path) -> None:
    """That a model could be asked about what the rules could not decide, where there is a key for one."""
    scored = [record for record in result.records if record.outcome == "scored"]
    unsure = sum(record.unsure is not None for record in scored)
    rules = result.contents.judge
    if unsure and rules in CASCADING and find_key("OPENAI_API_KEY"):
        judge = f"--judge {rules}+openai/gpt-4o-mini"
        click.echo(
            f"the judge {rules} is unsure of {unsure} of {len(scored)} answers. "
            f"niah judge {path} {judge} --primary asks a model about those alone; "
            f"niah run or niah nightly with {judge} does so from the start.",
            err=True,
        )


def _say_metrics(result: RunResult, path: Path) -> None:
    """Where the values of the run config's own metrics are."""
    if not result.contents.invocations:
        return
    metrics = result.contents.invocations[-1].settings.get("metrics", {}).get("value")
    if metrics:
        click.echo(f"values of {', '.join(metrics)}: niah judge metrics {path}", err=True)


def _put_before_model(result: RunResult) -> list[TrialRecord]:
    """The answers that the judge should have judged; of a cascade those that its model was asked about."""
    judged = [record for record in result.records if record.outcome in ("scored", "judge_error")]
    if not cascade_of(result.contents.judge):
        return judged
    return [record for record in judged if record.unsure or record.outcome == "judge_error"]


def _judge_failed(result: RunResult, path: Path, again: str) -> str:
    """One line on a judge that failed on many answers: how many, why, and what to do."""
    judge, asked = result.contents.judge, _put_before_model(result)
    samples = result.contents.samples
    reasons = [
        record.reason
        for record in asked
        if record.outcome == "judge_error" and not samples[record.case_id].key.withheld
    ]
    reason, times = Counter(reasons).most_common(1)[0]
    often = f"most often, {times} times: " if len(reasons) > 1 else ""
    why = f" ({often}{reason.rstrip('.')})" if reason else ""
    mend = f"mend the judge, then {again or 'the same command with'} --retry judge_error asks it again"
    if cascade := cascade_of(judge):
        rules, model = cascade
        return (
            f"{len(reasons)} of the {len(asked)} answers that {rules} is unsure of got no verdict of {model}"
            f"{why}. The verdicts of {rules} on them are kept, with their bounds: {mend}; or count those: "
            f"niah judge {path} --judge {rules} --primary."
        )
    return (
        f"{len(reasons)} of {len(asked)} answers got no verdict of {judge}{why}. "
        f"They are kept: {mend}; or "
        f"take rules, which need no model: niah judge {path} --judge auto --primary."
    )


def _say_how_asked(result: RunResult) -> None:
    """What was asked for and not taken, and answers for which there was no room among thoughts."""
    for reader, options in result.contents.config.get("reader_options", {}).items():
        left_out = str(result.contents.readers.get(reader, {}).get("not_sent", "")).split(", ")
        asked = {*options, *options.get("extra_body", {})}
        if gone := sorted(asked.intersection(left_out)):
            click.echo(f"{reader} does not take {', '.join(gone)}: it was asked without.", err=True)
    cut = Counter(
        record.reader for record in result.records if record.outcome == "truncated" and record.thinking_tokens
    )
    _say_cut(result)
    for reader, answers in cut.items():
        room = "thinking_tokens in its config, or --reader-option thinking_tokens=8000, gives it more room"
        cut_off = f"{answers} answers of {reader} were cut among its thoughts or after them"
        click.echo(f"{cut_off}; {room}, in a run of its own.", err=True)


def _say_cut(result: RunResult) -> None:
    """Which readers had too little room for their answers, and how they get more."""
    rooms = {trial.trial_id: trial.max_tokens for trial in result.trials}
    cut: dict[str, list[int]] = {}
    for record in result.records:
        if record.outcome == "truncated" and not record.thinking_tokens:
            cut.setdefault(record.reader, []).append(rooms.get(record.trial_id, 0))
    for reader, own in cut.items():
        asked = sum(each.reader == reader and each.outcome != "not_run" for each in result.records)
        tokens = max(_LEAST_ROOM, 4 * max(own))
        click.echo(
            f"{reader}: {len(own):,} of {asked:,} answers were cut, having no more room, and are in no mean. "
            "--retry truncated asks with the same room again; more gives "
            f"--reader-option max_tokens={tokens} with another --out, or max_tokens: {tokens} of the reader "
            "in the run config.",
            err=True,
        )


def _say_empty(result: RunResult) -> None:
    """Which readers sent answers without a word, where that is no accident."""
    scored = [(each.reader, each.error_type) for each in result.records if each.outcome == "scored"]
    for found in empty_answers(scored):
        click.echo(empty_line(found), err=True)


def _say_differences(result: RunResult) -> None:
    for reader, difference in count_differences(result.contents.samples, result.records).items():
        if abs(difference) > COUNTS_ALIKE:
            more = "more" if difference > 0 else "fewer"
            click.echo(
                f"{reader} reports {abs(difference):.1%} {more} prompt tokens than niah counts with its own "
                "tokenizer. (A chat template adds some to every prompt.)",
                err=True,
            )


def print_results(finished: FinishedRun, path: Path, figures: Path) -> None:
    """Print heatmaps, means and what they come to, then where everything is."""
    from rich.console import Console

    from niah.analysis.cells import cells_of_like_sets
    from niah.analysis.frame import trial_frame
    from niah.analysis.tables.summary import summarise
    from niah.plots.headlines.best_reader import best_reader
    from niah.plots.headlines.headline import headlines
    from niah.plots.terminal.summary_table import print_summary
    from niah.plots.terminal.text_heatmap import print_heatmaps

    console, frame = Console(), trial_frame(finished.result.records)
    print_heatmaps(cells_of_like_sets(frame), console)
    print_summary(summarise(frame), console)
    if readers := best_reader(frame):
        console.print(f"{readers}.", highlight=False, markup=False)
    for line in headlines(frame):
        if line.crossover:
            says = (line.crossover.finding, line.crossover.advice)
            console.print(f"{line.reader}: {'. '.join(filter(None, says))}.", highlight=False, markup=False)
    console.print(f"run file  {path}", highlight=False, soft_wrap=True)
    if finished.heatmaps:
        files = f"{figures}/ ({len(finished.heatmaps)} files)"
        console.print(f"heatmaps  {files}", highlight=False, soft_wrap=True)
    if _is_unanswered(finished.result.records):
        return  # a page of nothing
    console.print(f"niah report {path} makes the page to click through", highlight=False, soft_wrap=True)
