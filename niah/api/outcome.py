"""What a user must know of how a run went, a line each, and the exit code that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import starmap
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from niah.analysis.causes import empty_answers
from niah.analysis.frame import trial_frame
from niah.cases.samples import contiguous_notes
from niah.errors import counted
from niah.judges.registry import cascade_of, is_cascading
from niah.plots.labels import money_label
from niah.plots.words import closed_book_lines, preparation_lines, unmatched_chunk_lines
from niah.readers.credentials import find_key
from niah.readers.dialect import not_taken_line
from niah.readers.retry import StoppedReader
from niah.runs.cost.prices import Budget, spending_label
from niah.runs.execution.run import RunResult

if TYPE_CHECKING:
    from pandas import DataFrame

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
    result: RunResult,
    budget: Budget | None,
    path: Path,
    again: str = "the same command with",
    goes_on: str = "the same command",
) -> tuple[list[str], int]:
    """Lines on how a run went, and its exit code.

    ``path`` is the run file; ``again`` is the command that takes --retry, and ``goes_on`` the one that goes
    on, where they are not the command that was given.
    """
    trials = result.contents.trials
    ending, code = _ending(result, trials, budget, again, goes_on)
    if result.stopped:  # who stops a run waits for nothing
        return ending, code
    judge_lines, judge_code = _of_judge(trials, result.contents.judge, quote(str(path)), again)
    retries = [
        f"{counted(times, outcome.replace('_', ' '))}; {again} --retry {outcome} asks again."
        for outcome, times in Counter(trials["outcome"]).items()
        if outcome in _UNANSWERED
    ]
    return [*_facts(result, trials, again), *judge_lines, *retries, *ending], code or judge_code


def _facts(result: RunResult, trials: DataFrame, again: str) -> Iterator[str]:
    """What was found, counted, cut or not taken on the way."""
    contents, ledger = result.contents, result.ledger
    yield from contiguous_notes((each.case, each) for each in contents.samples.values() if each.case)
    yield from closed_book_lines(contents.closed_book)
    yield from preparation_lines(contents)
    counts = "{} reported no plausible usage for {} answers: the budget counts our own tokens."
    misses = "{} did not report what {} answers took: the budget does not count them."
    for words, numbers in ((counts, ledger.own_counts), (misses, ledger.unreported)):
        yield from (words.format(name, n) for name, n in numbers.items() if n)
    yield from filter(None, starmap(not_taken_line, {**contents.judges, **contents.readers}.items()))
    cut = trials[trials["outcome"] == "truncated"]
    thinks = cut["thinking_tokens"].astype(float) > 0
    for (reader, is_thinking), answers in Counter(zip(cut["reader"], thinks, strict=True)).items():
        room = max(_LEAST_ROOM, 4 * max(each.max_tokens for each in result.trials if each.reader == reader))
        option = "thinking_tokens=8000" if is_thinking else f"max_tokens={room}"
        yield (
            f"{reader}: {counted(answers, 'answer')} cut, having no more room, in no mean. "
            f"--reader-option {option} gives more, in a run file of its own; {again} --retry truncated asks "
            "with the same room again."
        )
    # A server that cuts prompts counts too few tokens for some.
    counted_here = trials["own_prompt_tokens"].astype(float)
    share = (trials["prompt_tokens"].astype(float) / counted_here)[counted_here > 0]
    for reader, own in share[share > 0].groupby(trials["reader"], sort=False):
        if few := int((own < _CUT * own.max()).sum()):
            yield (
                f"{reader}: its server counts {few} of {len(own)} prompts at less than {_CUT:.0%} of the "
                "tokens of others: it may cut them. Give it a larger window (Ollama: num_ctx)."
            )
    for found in empty_answers(trial_frame(trials)):
        empty = f"{found.empty:,} of {found.scored:,} answers are empty"
        yield f"{found.answers}: {empty}; once that is mended, another --out asks again."
    yield from unmatched_chunk_lines(trials)


def _of_judge(trials: DataFrame, judge: str, file: str, again: str) -> tuple[list[str], int]:
    """What is to be said of answers without a verdict, or with an unsure one; 3 where too many have none."""
    judged = trials[trials["outcome"].isin(["scored", "judge_error"])]
    has_failed = judged["outcome"] == "judge_error"
    failed, unsure = int(has_failed.sum()), int((judged["unsure"].notna() & ~has_failed).sum())
    lines, code, cascade = [], 0, cascade_of(judge)
    if failed:
        asked = unsure + failed if cascade else len(judged)
        code = UNFINISHED if failed > _MANY_JUDGE_ERRORS * asked else 0
        rules, model = cascade or ("auto", judge)
        lines.append(
            f"{failed} of {asked} answers got no verdict of {model}{_most_often(judged[has_failed])}. {again}"
            f" --retry judge_error asks it again; niah judge {file} --judge {rules} --primary asks no model."
        )
    verdicts = [one for own in judged["verdicts"] for one in own if one.judge == judge]
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


def _ending(
    result: RunResult, trials: DataFrame, budget: Budget | None, again: str, goes_on: str
) -> tuple[list[str], int]:
    """What kept the run, a model or a strategy from its answers; the exit code, 0 where nothing did."""
    of, not_run = f"of {len(trials)} trials", int((trials["outcome"] == "not_run").sum())
    if result.stopped:
        finished = f"stopped; {len(trials) - not_run} {of} are finished."
        return [f"{finished} {goes_on[0].upper()}{goes_on[1:]} goes on."], STOPPED
    if budget and result.ledger.stopped:
        left = f"{spending_label(result.ledger.spent, budget.unit)} spent, {not_run} {of} not run"
        return [f"stopped by its budget of {budget}: {left}. A greater --budget goes on."], UNFINISHED
    lines = list(fault_lines(trials, result.stopped_readers))
    if result.stopped_readers:
        lines.append(f"Once mended, {goes_on} goes on; {again} --retry reader_error asks what failed.")
    elif _got_no_answer(trials):
        lines = [f"None of the {counted(len(trials) - not_run, 'trial')} that were asked got an answer."]
    return lines, NO_ANSWERS if lines else 0


def fault_lines(trials: DataFrame, stopped: Mapping[str, StoppedReader]) -> Iterator[str]:
    """Which models and strategies gave no answers, and why."""
    rest = trials
    for name, why in stopped.items():
        is_own = (trials["reader"] == name) | (trials["strategy"] == name)
        rest = rest[~is_own[rest.index]]
        left = int((trials["outcome"][is_own] == "not_run").sum())
        times = f", {why.failures} trials in a row" if why.failures > 1 else ""
        not_run = f" ({left} of its {counted(int(is_own.sum()), 'trial')} not run)" if left else ""
        yield f"{name} was asked no further{not_run}{times}: {why.reason.rstrip('.')}. {why.remedy}".rstrip()
    for kind in ("reader", "strategy"):
        for one, own in rest.groupby(kind, sort=False):
            if _got_no_answer(own):
                asked = own[own["outcome"] != "not_run"]
                yield f"{one} got no answer in {counted(len(asked), 'trial')}{_most_often(asked)}."
                rest = rest[rest[kind] != one]


def _got_no_answer(trials: DataFrame) -> bool:
    """Whether trials were asked, and none of them got an answer."""
    asked = trials["outcome"][trials["outcome"] != "not_run"]
    return len(asked) > 0 and bool(asked.isin(_UNANSWERED).all())


def _most_often(trials: DataFrame) -> str:
    """ " (rate limit)", of the most frequent reason."""
    if not (found := Counter(filter(None, trials["reason"])).most_common(2)):
        return ""
    (reason, times), *others = found
    return f" ({f'most often, {times} times: ' if others else ''}{reason.rstrip('.')})"
