"""What a user must know of how a run went, a line each, and the exit code that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from niah.analysis.causes import empty_answers
from niah.analysis.frame import trial_frame
from niah.api.closing.unanswered import is_unanswered, unanswered_lines
from niah.api.closing.wording import CommandWording, RemedyWords
from niah.file_mistakes import counted
from niah.judges.metrics import METRICS
from niah.judges.registry import cascade_of, is_cascading
from niah.plots.words import (
    closed_book_lines,
    empty_words,
    preparation_lines,
    unmatched_chunk_lines,
)
from niah.readers.dialect import not_taken_line
from niah.readers.outcomes import LATE
from niah.readers.resolve import find_key
from niah.runs.cost.estimate import count_differences
from niah.runs.cost.prices import Budget, spending_label
from niah.runs.execution.run import RunResult
from niah.runs.retrieval import Say
from niah.runs.trial import Outcome, TrialRecord

STOPPED = 130
UNFINISHED = 3
"""Stopped by its budget, or by a judge that failed on too many answers."""
NO_ANSWERS = 4
"""A reader was stopped, or no trial of the run, of a strategy or of a reader got an answer."""
MANY_JUDGE_ERRORS = 0.1
"""A greater share of answers without a verdict is no accident, and the scores are only of the others."""
COUNTS_ALIKE = 0.02
"""So far may a reader's count of its prompts be from ours without a word."""
_LEAST_ROOM = 512
"""Tokens that answers which had no room are given, at least."""
ASKED_AGAIN: tuple[Outcome, ...] = ("reader_error", "preparation_error", "judge_error")


def _say_own_counts(result: RunResult, say: Say) -> None:
    """Which readers report no usage that could be, where a budget counts what they take."""
    for name, calls in result.ledger.own_counts.items():
        if calls:
            say(
                f"{name} reported no usage of {calls} answers, or less than half of what there is: to the "
                "budget they count by our own tokens."
            )


def _say_unreported(result: RunResult, say: Say) -> None:
    """Which applications report nothing of what a budget counts."""
    for name, answers in result.ledger.unreported.items():
        if answers:
            says = f"{name} did not report what {answers} answers took: the budget does not hold that."
            say(says)


def tell_outcome(
    result: RunResult, budget: Budget | None, path: Path, say: Say, words: RemedyWords | None = None
) -> int:
    """Say what a user must know of how it went; the exit code.

    Args:
        result: what the run file holds.
        budget: of the run.
        path: its file.
        say: is called with each line.
        words: how remedies name what is given; those of the command that was given without it.
    """
    words = words or CommandWording()
    for line in (
        *closed_book_lines(result.contents.closed_book),
        *preparation_lines(result.contents),
    ):
        say(line)
    _say_differences(result, say)
    _say_own_counts(result, say)
    _say_unreported(result, say)
    _say_how_asked(result, words, say)
    _say_empty(result, words, say)
    records = result.records
    for line in unmatched_chunk_lines(records):
        say(line)
    outcomes = Counter(record.outcome for record in records)
    outcomes["judge_error"] -= _say_withheld(result, path, say)
    judge_fails = outcomes["judge_error"] > MANY_JUDGE_ERRORS * len(_put_before_model(result))
    if judge_fails:
        say(_judge_failed(result, path, words))
    for outcome in ASKED_AGAIN:
        if outcomes[outcome] and not (judge_fails and outcome == "judge_error"):
            many = counted(outcomes[outcome], outcome.replace("_", " "))
            say(f"{many}; {words.retry(outcome)} asks again{_longer(records, outcome, words)}.")
    _say_unsure(result, path, say)
    _say_metrics(result, path, say)
    return _say_ending(result, budget, words, say) or (UNFINISHED if judge_fails else 0)


def _say_ending(result: RunResult, budget: Budget | None, words: RemedyWords, say: Say) -> int:
    """Say what kept the run, a reader or a strategy from its answers; the exit code, 0 where nothing did."""
    records = result.records
    unanswered = () if is_unanswered(records) else tuple(unanswered_lines(records, result.stopped_readers))
    for line in unanswered:
        say(line)
    not_run = sum(record.outcome == "not_run" for record in records)
    if result.stopped:
        kept = len(records) - not_run
        say(f"stopped; {kept} of {len(records)} trials are kept. {_capital(words.same)} goes on.")
        return STOPPED
    if budget and result.ledger.stopped:
        spent = spending_label(result.ledger.spent, budget.unit)
        say(
            f"stopped by its budget of {budget}: {spent} spent, "
            f"{not_run} of {len(records)} trials not run. "
            f"A greater {words.option('budget')} goes on."
        )
        return UNFINISHED
    if result.stopped_readers:
        _say_stopped(result, words, say)
        return NO_ANSWERS
    if is_unanswered(records):
        asked = [record for record in records if record.outcome != "not_run"]
        none = f"None of the {len(asked)} trials that were asked got an answer."
        say(none if len(asked) > 1 else "The one trial that was asked got no answer.")
        return NO_ANSWERS
    return NO_ANSWERS if unanswered else 0


def _capital(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


def _longer(records: Sequence[TrialRecord], outcome: Outcome, words: RemedyWords) -> str:
    """What gives replies more time, where that ran out."""
    late = any(LATE in record.reason for record in records if record.outcome == outcome)
    return f", and a longer {words.timeout} gives replies more time" if late else ""


def _say_withheld(result: RunResult, path: Path, say: Say) -> int:
    """Say how many answers nobody here can score; their number."""
    samples = result.contents.samples
    answered = [record for record in result.records if record.outcome == "judge_error"]
    withheld = sum(samples[record.case_id].key.withheld for record in answered)
    if withheld:
        say(
            f"{withheld} answers have no score: what is right is not public. "
            f"niah questions submission {quote(str(path))} writes them as its authors take them."
        )
    return withheld


def _say_stopped(result: RunResult, words: RemedyWords, say: Say) -> None:
    """Which readers and strategies were asked no further, why, and what to do."""
    for name, why in result.stopped_readers.items():
        own = [record for record in result.records if name in (record.reader, record.strategy)]
        left = sum(record.outcome == "not_run" for record in own)
        times = f", {why.failures} trials in a row" if why.failures > 1 else ""
        on = (
            f"{left} of its {counted(len(own), 'trial')} {'is' if left == 1 else 'are'} not run: "
            f"{words.goes_on} goes on with them{words.failed_too}."
            if left
            else f"{_capital(words.asking_again('reader_error'))} asks again what failed."
        )
        say(f"{name} stopped{times}: {why.reason.rstrip('.')}. {why.remedy} {on}")


def _say_unsure(result: RunResult, path: Path, say: Say) -> None:
    """That a model could be asked about what the rules could not decide, where there is a key for one."""
    scored = [record for record in result.records if record.outcome == "scored"]
    unsure = sum(record.unsure is not None for record in scored)
    rules = result.contents.judge
    if unsure and is_cascading(rules) and find_key("OPENAI_API_KEY"):
        judge = f"--judge {rules}+openai/gpt-4o-mini"
        say(
            f"the judge {rules} is unsure of {unsure} of {len(scored)} answers. "
            f"niah judge {quote(str(path))} {judge} --primary asks a model about those alone; "
            f"niah run or niah nightly with {judge} does so from the start."
        )


def _say_metrics(result: RunResult, path: Path, say: Say) -> None:
    """Where the values of the run config's own metrics are."""
    if not result.contents.invocations:
        return
    judges = result.contents.invocations[-1].settings.get("metrics", {}).get("value")
    metrics = [name for name in judges or () if name in METRICS]
    if metrics:
        command = f"niah judge metrics {quote(str(path))} --metrics {','.join(metrics)}"
        say(f"values of {', '.join(metrics)}: {command}; niah report has tables of them.")


def _put_before_model(result: RunResult) -> list[TrialRecord]:
    """The answers that the judge should have judged; of a cascade those that its model was asked about."""
    judged = [record for record in result.records if record.outcome in ("scored", "judge_error")]
    if not cascade_of(result.contents.judge):
        return judged
    return [record for record in judged if record.unsure or record.outcome == "judge_error"]


def _judge_failed(result: RunResult, path: Path, words: RemedyWords) -> str:
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
    mend = f"mend the judge, then {words.asking_again('judge_error')} asks it again"
    if cascade := cascade_of(judge):
        rules, model = cascade
        return (
            f"{len(reasons)} of the {len(asked)} answers that {rules} is unsure of got no verdict of {model}"
            f"{why}. The verdicts of {rules} on them are kept, with their bounds: {mend}; or count those: "
            f"niah judge {quote(str(path))} --judge {rules} --primary."
        )
    return (
        f"{len(reasons)} of {len(asked)} answers got no verdict of {judge}{why}. "
        f"They are kept: {mend}; or "
        f"take rules, which need no model: niah judge {quote(str(path))} --judge auto --primary."
    )


def _say_how_asked(result: RunResult, words: RemedyWords, say: Say) -> None:
    """What was asked for and not taken, and answers for which there was no room among thoughts."""
    for model, facts in {**result.contents.judges, **result.contents.readers}.items():
        if line := not_taken_line(model, facts):
            say(line)
    cut = Counter(
        record.reader for record in result.records if record.outcome == "truncated" and record.thinking_tokens
    )
    _say_cut(result, words, say)
    for reader, answers in cut.items():
        more = words.reader_option("thinking_tokens", 8000)
        room = f"thinking_tokens in its config, or {more}, gives it more room"
        cut_off = f"{answers} answers of {reader} were cut among its thoughts or after them"
        say(f"{cut_off}; {room}, in a run of its own.")


def _say_cut(result: RunResult, words: RemedyWords, say: Say) -> None:
    """Which readers had too little room for their answers, and how they get more."""
    rooms = {trial.trial_id: trial.max_tokens for trial in result.trials}
    cut: dict[str, list[int]] = {}
    for record in result.records:
        if record.outcome == "truncated" and not record.thinking_tokens:
            cut.setdefault(record.reader, []).append(rooms.get(record.trial_id, 0))
    for reader, own in cut.items():
        asked = sum(each.reader == reader and each.outcome != "not_run" for each in result.records)
        tokens = max(_LEAST_ROOM, 4 * max(own))
        say(
            f"{reader}: {len(own):,} of {asked:,} answers were cut, having no more room, and are in no mean. "
            f"{words.retry('truncated')} asks with the same room again; more gives "
            f"{words.reader_option('max_tokens', tokens)} with {words.elsewhere}, "
            f"or max_tokens: {tokens} of the reader "
            "in the run config."
        )


def _say_empty(result: RunResult, words: RemedyWords, say: Say) -> None:
    """Which readers and applications gave answers without a word, where that is no accident."""
    for found in empty_answers(trial_frame(result.records)):
        say(f"{found.answers}: {empty_words(found)}; once that is mended, {words.elsewhere} asks again.")


def _say_differences(result: RunResult, say: Say) -> None:
    for reader, difference in count_differences(result.contents.samples, result.records).items():
        if abs(difference) > COUNTS_ALIKE:
            more = "more" if difference > 0 else "fewer"
            say(
                f"{reader} reports {abs(difference):.1%} {more} prompt tokens than niah counts with its own "
                "tokenizer. (A chat template adds some to every prompt.)"
            )
