"""Answers judged: as they come, and again later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from niah.cases.sample import Sample
from niah.event_loop import run_to_end
from niah.judges.registry import Judge, find_rule_judge, second_judge
from niah.judges.verdict import RuleJudge
from niah.readers.reader import Failure, Usage
from niah.runs.closed_book import judge_of
from niah.runs.cost.prices import Price, cost
from niah.runs.file.read import RunContents
from niah.runs.file.store import JudgedAnswer, RunStore
from niah.runs.trial import Trial, TrialResult, rows_of


async def judged(trial: Trial, result: TrialResult, judge: Judge) -> TrialResult:
    """The result with its verdicts, where it has an answer; judge_error where the judge, open, fails."""
    if result.outcome != "scored":
        return result
    key = trial.sample.key
    if trial.asks_first:
        rule = find_rule_judge(judge_of(trial.sample, judge.name))
        return replace(result, verdicts=(rule.verdict(result.answer, key),))
    verdict = await judge.judge(result.answer, key)
    second = second_judge(judge, key)
    others = (second.verdict(result.answer, key),) if second else ()
    if isinstance(verdict, Failure):
        failed = replace(result, outcome="judge_error", reason=verdict.reason, judge_failure=verdict)
        return replace(failed, verdicts=others)
    return replace(result, verdicts=(verdict, *others))


def answered_before(run: RunContents) -> dict[str, TrialResult]:
    """The trials that have an answer and lack a verdict of the judge whose score counts, by id."""
    before = TrialResult("scored", "", "", Usage(0, 0), None, None, cost=Decimal(0), answered_before=True)
    records = rows_of(run.trials[run.trials["outcome"] == "judge_error"])
    return {record.trial_id: replace(before, answer=record.answer) for record in records}


def unjudged(run: RunContents, judge: Judge) -> list[Any]:
    """The run's answers that lack a verdict of this judge and version, in the order planned."""
    return [
        record
        for record in rows_of(run.trials)
        if record.outcome in ("scored", "judge_error")
        and not any((one.judge, one.version) == (judge.name, judge.version) for one in record.verdicts)
    ]


def judge_by_metrics(store: RunStore, run: RunContents, metrics: Sequence[RuleJudge]) -> list[str]:
    """Store verdicts of judges by rules on answers that they suit and have not judged; a line for each judge
    that failed, with its first reason."""
    lines, keys = [], {id: sample.key for id, sample in run.samples.items()}
    for judge in metrics:
        suited = [one for one in unjudged(run, judge) if not judge.unsuited(keys[one.case_id])]
        failures = run_to_end(rejudge(store, judge, suited, run.samples, None, lambda: None))
        lines += [failure.reason for failure in failures[:1]]
    return lines


async def rejudge(
    store: RunStore,
    judge: Judge,
    answers: Sequence[Any],
    samples: Mapping[str, Sample],
    price: Price | None,
    advance: Callable[[], None],
) -> list[Failure]:
    """Judge the answers; the failures of those that got no verdict. What is paid is committed at once,
    verdicts of rules at the end."""
    failures, made, waiting = list[Failure](), list[JudgedAnswer](), iter(answers)

    def commit() -> None:
        store.add_verdicts(made)
        made.clear()

    async def work() -> None:
        for record in waiting:
            await asyncio.sleep(0)  # rules wait for nothing, and would not hear Ctrl-C
            key = samples[record.case_id].key
            verdict = await judge.judge(record.answer, key)
            if isinstance(verdict, Failure):
                failures.append(verdict)
            else:
                priced = replace(verdict, cost=cost(price, verdict.usage))
                made.append((record.trial_id, priced, record.answer, key))
                if verdict.usage.prompt_tokens != 0:
                    commit()
            advance()

    async with judge:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(judge.concurrency, len(answers))):
                    group.create_task(work())
        finally:
            commit()
            if judge.needs_model:
                store.record("judges", judge.name, judge.settings)
    return failures
