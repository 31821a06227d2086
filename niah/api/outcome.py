"""What a user must know of how a run went, a line each, and the exit code that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from niah.analysis.causes import empty_answers
from niah.analysis.frame import trial_frame
from niah.cases.samples import contiguous_notes
from niah.file_mistakes import counted
from niah.judges.registry import cascade_of, is_cascading
from niah.plots.labels import money_label
from niah.plots.words import closed_book_lines, empty_words, preparation_lines, unmatched_chunk_lines
from niah.readers.dialect import not_taken_line
from niah.readers.fatal import StoppedReader
from niah.readers.resolve import find_key
from niah.runs.cost.prices import Budget, spending_label
from niah.runs.execution.run import RunResult
from niah.runs.trial import TrialRecord

STOPPED = 130
UNFINISHED = 3
"""Stopped by its budget, or by a judge that failed on more than a tenth of the answers."""
NO_ANSWERS = 4
"""A model was stopped, or a strategy or model got no answer at all."""

_MANY_JUDGE_ERRORS = 0.1
_LEAST_ROOM = 512
_CUT = 0.7  # tokenizers differ by language and kind of text, yet hardly by more than that
_UNANSWERED = ("reader_error", "preparation_error")


def closing(
    result: RunResult, budget: Budget | None, path: Path, again: str = "", goes_on: str = ""
) -> tuple[list[str], int]:
    """What is to be said of how a run went, and its exit code.

    ``path`` is the run file. ``again`` is the command that takes --retry, and ``goes_on`` the one that goes
    on, where they are not the command that was given.
    """
    again, goes_on = again or "the same command with", goes_on or "the same command"
    ending, code = _ending(result, budget, again, goes_on)
    if result.stopped:  # who stops a run waits for nothing: niah show prints what it holds
        return ending, code
    judge_lines, judge_code = _of_judge(result, path, again)
    failed = [record for record in result.records if record.outcome in _UNANSWERED]
    retries = [
        f"{counted(times, outcome.replace('_', ' '))}; {again} --retry {outcome} asks again."
        for outcome, times in Counter(record.outcome for record in failed).items()
    ]
    return [*_facts(result, again), *judge_lines, *retries, *ending], code or judge_code


def _facts(result: RunResult, again: str) -> Iterator[str]:
    """What was found, counted, cut or not taken on the way."""
    contents, records = result.contents, result.records
    yield from contiguous_notes((each.case, each) for each in contents.samples.values() if each.case)
    yield from closed_book_lines(contents.closed_book)
    yield from preparation_lines(contents)
    own, unreported = result.ledger.own_counts, result.ledger.unreported
    for name, n in own.items():
        if n:
            yield f"{name} reported no plausible usage for {n} answers: the budget counts our own tokens."
    for name, n in unreported.items():
        if n:
            yield f"{name} did not report what {n} answers took: the budget does not count them."
    models = {**contents.judges, **contents.readers}
    yield from filter(None, (not_taken_line(model, facts) for model, facts in models.items()))
    cut = [(each.reader, bool(each.thinking_tokens)) for each in records if each.outcome == "truncated"]
    for (reader, thinks), answers in Counter(cut).items():
        room = max(_LEAST_ROOM, 4 * max(each.max_tokens for each in result.trials if each.reader == reader))
        option = "thinking_tokens=8000" if thinks else f"max_tokens={room}"
        yield (
            f"{reader}: {counted(answers, 'answer')} cut, having no more room, in no mean. "
            f"--reader-option {option} gives more, in a run file of its own; {again} --retry truncated asks "
            "with the same room again."
        )
    yield from _cut_prompts(records)
    for found in empty_answers(trial_frame(records)):
        yield f"{found.answers}: {empty_words(found)}; once that is mended, another --out asks again."
    yield from unmatched_chunk_lines(records)


def _cut_prompts(records: Sequence[TrialRecord]) -> Iterator[str]:
    """Models whose server counts too few tokens for some prompts, as one that cuts them does."""
    shares: dict[str, list[float]] = {}
    for each in records:
        if each.own_prompt_tokens and each.prompt_tokens:
            shares.setdefault(each.reader, []).append(each.prompt_tokens / each.own_prompt_tokens)
    for reader, own in shares.items():
        if few := sum(share < _CUT * max(own) for share in own):
            yield (
                f"{reader}: its server counts {few} of {len(own)} prompts at less than {_CUT:.0%} of the "
                "tokens of others: it may cut them. Give it a larger window (Ollama: num_ctx)."
            )


def _of_judge(result: RunResult, path: Path, again: str) -> tuple[list[str], int]:
    """What is to be said of answers without a verdict, or with an unsure one; 3 where too many have none."""
    judge = result.contents.judge
    judged = [each for each in result.records if each.outcome in ("scored", "judge_error")]
    failed = [each for each in judged if each.outcome == "judge_error"]
    unsure = sum(each.unsure is not None for each in judged if each.outcome == "scored")
    lines, code, file, cascade = [], 0, quote(str(path)), cascade_of(judge)
    if failed:
        asked = unsure + len(failed) if cascade else len(judged)
        code = UNFINISHED if len(failed) > _MANY_JUDGE_ERRORS * asked else 0
        rules, model = cascade or ("auto", judge)
        lines.append(
            f"{len(failed)} of {asked} answers got no verdict of {model}{_most_often(failed)}. {again} "
            f"--retry judge_error asks it again; niah judge {file} --judge {rules} --primary asks no model."
        )
    verdicts = [one for each in judged for one in each.verdicts if one.judge == judge]
    if cascade and (asked_of := [one for one in verdicts if one.usage.prompt_tokens != 0]):
        usd = sum(float(one.cost or 0) for one in asked_of)
        about = f"{len(asked_of)} of {len(judged)} answers, of which {cascade[0]} is unsure"
        lines.append(f"{cascade[1]} judged {about}, for {money_label(usd)} USD.")
    if unsure and is_cascading(judge) and find_key("OPENAI_API_KEY"):
        lines.append(
            f"The judge {judge} is unsure of {unsure} of {len(judged)} answers. niah judge {file} "
            f"--judge {judge}+openai/gpt-4o-mini --primary asks a model about those alone."
        )
    return lines, code


def _ending(result: RunResult, budget: Budget | None, again: str, goes_on: str) -> tuple[list[str], int]:
    """What kept the run, a model or a strategy from its answers; the exit code, 0 where nothing did."""
    records = result.records
    not_run = sum(record.outcome == "not_run" for record in records)
    if result.stopped:
        finished = f"stopped; {len(records) - not_run} of {len(records)} trials are finished."
        return [f"{finished} {goes_on[0].upper()}{goes_on[1:]} goes on."], STOPPED
    if budget and result.ledger.stopped:
        spent = spending_label(result.ledger.spent, budget.unit)
        left = f"{spent} spent, {not_run} of {len(records)} trials not run"
        return [f"stopped by its budget of {budget}: {left}. A greater --budget goes on."], UNFINISHED
    lines = list(fault_lines(records, result.stopped_readers))
    if result.stopped_readers:
        lines.append(f"Once mended, {goes_on} goes on; {again} --retry reader_error asks what failed.")
    elif _got_no_answer(records):
        lines = [f"None of the {counted(len(records) - not_run, 'trial')} that were asked got an answer."]
    return lines, NO_ANSWERS if lines else 0


def fault_lines(records: Sequence[TrialRecord], stopped: Mapping[str, StoppedReader]) -> Iterator[str]:
    """Which models and strategies gave no answers, and why."""
    for name, why in stopped.items():
        own = [record for record in records if name in (record.reader, record.strategy)]
        left = sum(record.outcome == "not_run" for record in own)
        times = f", {why.failures} trials in a row" if why.failures > 1 else ""
        not_run = f" ({left} of its {counted(len(own), 'trial')} not run)" if left else ""
        yield f"{name} was asked no further{not_run}{times}: {why.reason.rstrip('.')}. {why.remedy}".rstrip()
    rest = [each for each in records if not {each.reader, each.strategy} & {*stopped}]
    for kind in ("reader", "strategy"):
        for name in dict.fromkeys(getattr(each, kind) for each in rest):
            own = [each for each in rest if getattr(each, kind) == name]
            if _got_no_answer(own):
                asked = [each for each in own if each.outcome != "not_run"]
                yield f"{name} got no answer in {counted(len(asked), 'trial')}{_most_often(asked)}."
                rest = [each for each in rest if getattr(each, kind) != name]


def _got_no_answer(records: Collection[TrialRecord]) -> bool:
    """Whether trials were asked, and none of them got an answer."""
    outcomes = {record.outcome for record in records} - {"not_run"}
    return bool(outcomes) and outcomes <= {*_UNANSWERED}


def _most_often(records: Sequence[TrialRecord]) -> str:
    """ " (rate limit)", of the most frequent reason."""
    reasons = Counter(record.reason for record in records if record.reason)
    if not reasons:
        return ""
    (reason, times), *others = reasons.most_common(2)
    return f" ({f'most often, {times} times: ' if others else ''}{reason.rstrip('.')})"
