"""Stored answers judged again, or by another judge: no reader is asked, and only the run file is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from niah.cases.sample import Sample
from niah.judges.judge import Judge
from niah.readers.reader import Failure
from niah.runs.cost.prices import Price, cost
from niah.runs.file.read_model import RunContents
from niah.runs.file.store import RunStore
from niah.runs.trial import TrialRecord


def unjudged(run: RunContents, judge: Judge) -> list[TrialRecord]:
    """The run's answers that lack a verdict of this judge and version, in the order planned."""
    signature = (judge.name, judge.version)
    return [
        record
        for record in run.records
        if record.outcome in ("scored", "judge_error")
        and signature not in {(verdict.judge, verdict.version) for verdict in record.verdicts}
    ]


async def rejudge(
    store: RunStore,
    judge: Judge,
    answers: Sequence[TrialRecord],
    samples: Mapping[str, Sample],
    price: Price | None,
    advance: Callable[[], None],
) -> list[Failure]:
    """Judge the answers; each verdict is committed at once, beside those of other judges.

    Args:
        store: the run file.
        judge: closed; opened here.
        answers: to be judged.
        samples: of the run, by id.
        price: the judge's; None is unknown.
        advance: called after each answer.

    Returns the failures of answers that got no verdict. Raises what the judge raises on opening.
    """
    failures: list[Failure] = []
    waiting = iter(answers)

    async def work() -> None:
        for record in waiting:
            verdict = await judge.judge(record.answer, samples[record.case_id].key)
            if isinstance(verdict, Failure):
                failures.append(verdict)
            else:
                store.add_verdict(record.trial_id, replace(verdict, cost=cost(price, verdict.usage)))
            advance()

    async with judge:
        store.record_judge(judge.name, judge.settings)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(judge.concurrency, len(answers))):
                group.create_task(work())
    return failures
