"""What a user must know of how a run went, a line each, and the exit code that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from niah.analysis.causes import empty_answers
from niah.analysis.frame import trial_frame
from niah.cases.left_out import contiguous_notes
from niah.file_mistakes import counted
from niah.judges.registry import cascade_of, is_cascading
from niah.plots.labels import money_label
from niah.plots.words import closed_book_lines, empty_words, preparation_lines, unmatched_chunk_lines
from niah.readers.dialect import not_taken_line
from niah.readers.fatal import StoppedReader
from niah.readers.outcomes import LATE
from niah.readers.resolve import find_key
from niah.runs.cost.estimate import count_differences
from niah.runs.cost.prices import Budget, spending_label
from niah.runs.execution.run import RunResult
from niah.runs.trial import TrialRecord

STOPPED = 130
UNFINISHED = 3
"""Stopped by its budget, or by a judge that failed on more than a tenth of the answers."""
NO_ANSWERS = 4
"""A model was stopped, or a strategy or model got no answer at all."""

_MANY_JUDGE_ERRORS = 0.1
_COUNTS_ALIKE = 0.02
_LEAST_ROOM = 512
_UNANSWERED = ("reader_error", "preparation_error")


def closing(
    result: RunResult, budget: Budget | None, path: Path, command: str = "", goes_on: str = ""
) -> tuple[list[str], int]:
    """What is to be said of how a run went, and its exit code.

    Args:
        result: what the run file holds.
        budget: of the run.
        path: its file.
        command: what takes --retry, where that is not the command that was given.
        goes_on: what goes on with the run, where that is not ``command``.
    """
    again = command or "the same command with"
    goes_on = goes_on or command or "the same command"
    judge_lines, judge_code = _of_judge(result, path, again)
    ending, code = _ending(result, budget, again, goes_on)
    if result.stopped:  # who stops a run waits for nothing: niah show tells what it holds
        return ending, code
    lines = [*_facts(result, again), *judge_lines, *_retry_lines(result, again, judge_code), *ending]
    return lines, code or judge_code


def _facts(result: RunResult, again: str) -> Iterator[str]:
    """What was found, counted, cut or not taken on the way."""
    contents, records = result.contents, result.records
    samples = contents.samples.values()
    yield from contiguous_notes((sample.case, sample) for sample in samples if sample.case)
    yield from closed_book_lines(contents.closed_book)
    yield from preparation_lines(contents)
    for reader, difference in count_differences(contents.samples, records).items():
        if abs(difference) > _COUNTS_ALIKE:
            more = "more" if difference > 0 else "fewer"
            yield f"{reader} reports {abs(difference):.1%} {more} prompt tokens than niah counts."
    for name, calls in result.ledger.own_counts.items():
        if calls:
            yield f"{name} reported no plausible usage for {calls} answers: the budget counts our own tokens."
    for name, answers in result.ledger.unreported.items():
        if answers:
            yield f"{name} did not report what {answers} answers took: the budget does not hold that."
    for model, facts in {**contents.judges, **contents.readers}.items():
        if line := not_taken_line(model, facts):
            yield line
    yield from _cut_lines(result, again)
    for found in empty_answers(trial_frame(records)):
        yield f"{found.answers}: {empty_words(found)}; once that is mended, another --out asks again."
    yield from unmatched_chunk_lines(records)


def _cut_lines(result: RunResult, again: str) -> Iterator[str]:
    """Which models had too little room for their answers or thoughts, and how they get more."""
    rooms = {trial.trial_id: trial.max_tokens for trial in result.trials}
    cut: dict[tuple[str, bool], list[TrialRecord]] = {}
    for record in result.records:
        if record.outcome == "truncated":
            cut.setdefault((record.reader, bool(record.thinking_tokens)), []).append(record)
    for (reader, thinks), own in cut.items():
        room = max(_LEAST_ROOM, 4 * max(rooms.get(each.trial_id, 0) for each in own))
        option = "thinking_tokens=8000" if thinks else f"max_tokens={room}"
        yield (
            f"{reader}: {len(own):,} answers were cut, having no more room, and are in no mean. "
            f"--reader-option {option} gives more, in a run file of its own; {again} --retry truncated asks "
            "with the same room again."
        )


def _of_judge(result: RunResult, path: Path, again: str) -> tuple[list[str], int]:
    """What is to be said of answers without a verdict, or with an unsure one; 3 where too many have none."""
    samples, judge = result.contents.samples, result.contents.judge
    judged = [each for each in result.records if each.outcome in ("scored", "judge_error")]
    failed = [each for each in judged if each.outcome == "judge_error"]
    withheld = [each for each in failed if samples[each.case_id].key.withheld]
    lines, code, file = [], 0, quote(str(path))
    if withheld:
        lines.append(
            f"{len(withheld)} answers have no score: what is right is not public. "
            f"niah questions submission {file} writes them as its authors take them."
        )
    cascade = cascade_of(judge)
    asked = [each for each in judged if each.unsure or each in failed] if cascade else judged
    without = [each for each in failed if each not in withheld]
    if len(without) > _MANY_JUDGE_ERRORS * len(asked):
        code = UNFINISHED
        rules, model = cascade or ("auto", judge)
        of = f"answers that {rules} is unsure of" if cascade else "answers"
        lines.append(
            f"{len(without)} of {len(asked)} {of} got no verdict of {model}{_most_often(without)}. Mend the "
            f"judge, then {again} --retry judge_error asks it again; niah judge {file} --judge {rules} "
            "--primary takes rules, which need no model."
        )
    verdicts = [one for each in judged for one in each.verdicts if one.judge == judge]
    if cascade and verdicts:
        models = [one for one in verdicts if one.usage.prompt_tokens != 0]
        costs = [float(one.cost) for one in models if one.cost is not None]
        usd = f", for {money_label(sum(costs))} USD" if len(costs) == len(models) else ""
        about = f"{len(models)} of {len(judged)} answers, of which {cascade[0]} is unsure"
        lines.append(f"{cascade[1]} judged {about}{usd}.")
    unsure = sum(each.unsure is not None for each in judged if each.outcome == "scored")
    if unsure and is_cascading(judge) and find_key("OPENAI_API_KEY"):
        lines.append(
            f"The judge {judge} is unsure of {unsure} of {len(judged)} answers. niah judge {file} "
            f"--judge {judge}+openai/gpt-4o-mini --primary asks a model about those alone."
        )
    return lines, code


def _retry_lines(result: RunResult, again: str, judge_code: int) -> Iterator[str]:
    """Which trials failed, and what asks them again."""
    for outcome in (*_UNANSWERED, *(() if judge_code else ("judge_error",))):
        failed = [record for record in result.records if record.outcome == outcome]
        if outcome == "judge_error":
            failed = [each for each in failed if not result.contents.samples[each.case_id].key.withheld]
        late = any(LATE in record.reason for record in failed)
        longer = ", and a longer --timeout gives replies more time" if late else ""
        if failed:
            many = counted(len(failed), outcome.replace("_", " "))
            yield f"{many}; {again} --retry {outcome} asks again{longer}."


def _ending(result: RunResult, budget: Budget | None, again: str, goes_on: str) -> tuple[list[str], int]:
    """What kept the run, a model or a strategy from its answers; the exit code, 0 where nothing did."""
    records = result.records
    not_run = sum(record.outcome == "not_run" for record in records)
    unanswered = [] if is_unanswered(records) else list(unanswered_lines(records, result.stopped_readers))
    if result.stopped:
        finished = f"stopped; {len(records) - not_run} of {len(records)} trials are finished."
        return [*unanswered, f"{finished} {goes_on[0].upper()}{goes_on[1:]} goes on."], STOPPED
    if budget and result.ledger.stopped:
        spent = spending_label(result.ledger.spent, budget.unit)
        line = (
            f"stopped by its budget of {budget}: {spent} spent, {not_run} of {len(records)} trials not run."
        )
        return [*unanswered, f"{line} A greater --budget goes on."], UNFINISHED
    if result.stopped_readers:
        remedy = f"{goes_on} goes on; {again} --retry reader_error asks what failed."
        stopped = (f"{line} {remedy}" for line in _stopped_lines(records, result.stopped_readers))
        return [*unanswered, *stopped], NO_ANSWERS
    if is_unanswered(records):
        asked = len(records) - not_run
        return [f"None of the {counted(asked, 'trial')} that were asked got an answer."], NO_ANSWERS
    return unanswered, NO_ANSWERS if unanswered else 0


def is_unanswered(records: Sequence[TrialRecord]) -> bool:
    """Whether trials were asked, and none of them got an answer."""
    asked = [record for record in records if record.outcome != "not_run"]
    return bool(asked) and all(record.outcome in _UNANSWERED for record in asked)


def unanswered_lines(records: Sequence[TrialRecord], besides: Collection[str] = ()) -> Iterator[str]:
    """A line for each strategy or model of which no trial got an answer, though others did, with the reason.

    ``besides`` are models and strategies that were stopped, of which other lines tell.
    """
    pairs: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        if record.outcome != "not_run" and not {record.reader, record.strategy} & {*besides}:
            pairs.setdefault((record.strategy, record.reader), []).append(record)
    failed = {pair: own for pair, own in pairs.items() if is_unanswered(own)}
    lines: dict[str, list[TrialRecord]] = {}
    for (strategy, reader), own in failed.items():
        if all(pair in failed for pair in pairs if pair[0] == strategy):
            name = strategy
        elif all(pair in failed for pair in pairs if pair[1] == reader):
            name = reader
        else:
            name = f"{strategy} with {reader}"
        lines.setdefault(name, []).extend(own)
    for name, own in lines.items():
        yield f"{name} got no answer in {counted(len(own), 'trial')}{_most_often(own)}."


def fault_lines(records: Sequence[TrialRecord], stopped: Mapping[str, StoppedReader]) -> Iterator[str]:
    """Which models and strategies gave no answers, and why, for the verdict of a night."""
    yield from _stopped_lines(records, stopped)
    yield from unanswered_lines(records, stopped)


def _stopped_lines(records: Sequence[TrialRecord], stopped: Mapping[str, StoppedReader]) -> Iterator[str]:
    for name, why in stopped.items():
        own = [record for record in records if name in (record.reader, record.strategy)]
        left = sum(record.outcome == "not_run" for record in own)
        times = f", {why.failures} trials in a row" if why.failures > 1 else ""
        not_run = f" ({left} of its {counted(len(own), 'trial')} not run)" if left else ""
        yield f"{name} was asked no further{not_run}{times}: {why.reason.rstrip('.')}. {why.remedy}".rstrip()


def _most_often(records: Sequence[TrialRecord]) -> str:
    """ ": rate limit", of the most frequent reason."""
    reasons = Counter(record.reason for record in records if record.reason)
    if not reasons:
        return ""
    (reason, times), *others = reasons.most_common(2)
    return f" ({f'most often, {times} times: ' if others else ''}{reason.rstrip('.')})"
