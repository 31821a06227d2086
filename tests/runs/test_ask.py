"""Readers that are asked side by side share a budget."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.readers.reader import Answer, Reader, Request, Response, Traffic, Usage
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.prices import FREE, parse_budget
from niah.runs.execution.ask import ask
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse

SAMPLE = sample_of(Case("three-gates", "essays", 600, 50))
LIMIT_S = 60.0


class Scripted:
    """A reader of one lane whose replies a function makes."""

    concurrency = 1
    traffic = Traffic()

    def __init__(self, name: str, reply: Callable[[], Any], provider: str = "scripted") -> None:
        self.name, self.reply = name, reply
        self.settings = {"provider": provider}

    async def __aenter__(self) -> Scripted:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def read(self, request: Request) -> Response:
        reply = self.reply()
        return cast(Response, await reply if asyncio.iscoroutine(reply) else reply)


class Results(list[tuple[str, str]]):
    """Readers and outcomes, as they are committed; shows nothing."""

    def commit(self, finished: Sequence[tuple[Trial, TrialResult]]) -> None:
        self.extend((trial.reader, result.outcome) for trial, result in finished)

    def record(self, kind: str, name: str, settings: Mapping[str, str | int]) -> None: ...


PROGRESS = SimpleNamespace(**dict.fromkeys(("say", "asking", "started", "finished"), lambda *_: None))
ANSWER = Answer("50317", Usage(600, 3), 0.1)


def run(readers: Sequence[Scripted], repeats: int = 1, **more: Any) -> tuple[Counter[tuple[str, str]], Any]:
    """What became of so many trials of each reader, and which readers were stopped."""
    trials = [Trial(SAMPLE, parse("lc"), each.name, n, 80) for each in readers for n in range(repeats)]
    results = Results()
    asking = ask(results, cast(list[Reader], readers), trials, PROGRESS, None, **more)
    stopped = asyncio.run(asyncio.wait_for(asking, LIMIT_S))
    return Counter(results), stopped


def test_a_budget_is_shared_by_readers_that_are_asked_side_by_side() -> None:
    # Each trial takes 600 prompt tokens and 3 of the answer; at most 632 and 80 are reserved for it.
    ledger = BudgetLedger({"one": FREE, "two": FREE}, None, parse_budget("4ktok"))
    results, _ = run([Scripted(name, lambda: ANSWER) for name in ("one", "two")], repeats=9, ledger=ledger)
    assert ledger.spent == 603 * results.total() <= 4000
    assert results.total() == 6  # 6 x 603 + 712 is above it
    assert ledger.stopped
