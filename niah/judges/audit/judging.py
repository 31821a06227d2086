"""Puts answers with a known truth to a judge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from niah.judges.audit.probe import Probe
from niah.judges.judge import Judge
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure


@dataclass(frozen=True)
class Judged:
    """A probe, and what the judge made of it: a verdict, or a failure, which has no number."""

    probe: Probe
    result: Verdict | Failure


async def put(judge: Judge, probes: Sequence[Probe], done: Callable[[], object]) -> list[Judged]:
    """What ``judge``, which this opens and closes, makes of each probe; in the probes' order.

    Args:
        judge: asked as many at once as it takes.
        probes: the answers.
        done: called after each.
    """
    turn = asyncio.Semaphore(judge.concurrency)

    async def one(probe: Probe) -> Judged:
        async with turn:
            result = await judge.judge(probe.answer, probe.key)
        done()
        return Judged(probe, result)

    async with judge, asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(probe)) for probe in probes]
    return [task.result() for task in tasks]
