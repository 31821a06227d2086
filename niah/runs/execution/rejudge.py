"""Stored answers judged again, or by another judge: no reader is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.errors import UserError
from niah.judges.judge import Judge
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure
from niah.runs.cost.prices import Price, cost
from niah.runs.file.store import RunStore
from niah.runs.result import Judging
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class Unjudged:
    """An answer that a judge has not judged yet.

    Attributes:
        trial_id: whose answer.
        case: what it was asked of.
        answer: complete.
    """

    trial_id: str
    case: Case
    answer: str


@dataclass(frozen=True)
class JudgeFailed:
    """An answer that got no verdict."""

    trial_id: str
    reason: str


def unjudged(store: RunStore, judge: Judge) -> list[Unjudged]:
    """The run's answers that lack a verdict of this judge and version, in the order planned."""
    verdicts, cases = store.verdicts(), {case.case_id: case for case in store.cases()}
    return [
        Unjudged(record.trial_id, cases[record.case_id], record.answer)
        for record in store.records()
        if _has_answer(record) and not _has_verdict(verdicts.get(record.trial_id, ()), judge)
    ]


def check_texts(
    answers: Iterable[Unjudged], texts: Iterable[str], fingerprint: Callable[[Case], str]
) -> None:
    """Raise UserError where a needle set is not what it was when its question was asked.

    Args:
        answers: to be judged.
        texts: fingerprints of the run's cases.
        fingerprint: of a case, today.
    """
    known = set(texts)
    for case in dict.fromkeys(answer.case for answer in answers):
        if fingerprint(case) not in known:
            raise UserError(
                f"the texts of {case.case_id} have changed since the run: its answers belong to other ones.",
                "Put the old files of the needle set, haystack and prompt back.",
            )


async def rejudge(
    store: RunStore,
    judge: Judge,
    answers: Sequence[Unjudged],
    price: Price | None,
    advance: Callable[[], None],
) -> list[JudgeFailed]:
    """Judge the answers; each verdict is committed at once, beside those of other judges.

    Args:
        store: the run file.
        judge: closed; opened here.
        answers: to be judged.
        price: the judge's; None is unknown.
        advance: called after each answer.

    Returns the answers that got none. Raises what the judge raises on opening.
    """
    failed: list[JudgeFailed] = []
    waiting = iter(answers)

    async def work() -> None:
        for answer in waiting:
            key = key_of(answer.case.needle_set, answer.case.seed)
            verdict = await judge.judge(answer.answer, key)
            if isinstance(verdict, Failure):
                failed.append(JudgeFailed(answer.trial_id, verdict.reason))
            else:
                took = Judging(judge.name, verdict.usage, verdict.latency_s, cost(price, verdict.usage))
                store.add_verdict(answer.trial_id, verdict, took)
            advance()

    async with judge:
        store.record_judge(judge.name, judge.settings)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(judge.concurrency, len(answers))):
                group.create_task(work())
    return failed


def _has_answer(record: TrialRecord) -> bool:
    return record.outcome in ("scored", "judge_error")


def _has_verdict(verdicts: Iterable[Verdict], judge: Judge) -> bool:
    return any((verdict.judge, verdict.version) == (judge.name, judge.version) for verdict in verdicts)
