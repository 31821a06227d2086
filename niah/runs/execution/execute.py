"""Run the trials that are not finished yet."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Protocol, TypeVar

from niah.cases.samples import context_of
from niah.errors import NiahError
from niah.judges.registry import default_judge, resolve_judge
from niah.judges.verdict import Judge
from niah.readers.fatal import FaultStreak, StoppedReader
from niah.readers.log import asked_for
from niah.readers.reader import Answer, Reader, Response, Traffic
from niah.retrieval.user import StrategyFaults
from niah.runs.cost.ledger import BudgetLedger
from niah.runs.execution.executor import Executor, PreparedTrial
from niah.runs.execution.judging import judged
from niah.runs.execution.local import LocalExecutor
from niah.runs.execution.response_cache import ResponseCache, trial_key
from niah.runs.execution.worker_queues import WorkerQueues
from niah.runs.execution.writer import Writer
from niah.runs.file.store import RunStore
from niah.runs.preparation.asking import BudgetSpent
from niah.runs.telemetry.spans import trial_span
from niah.runs.trial import Trial, TrialResult
from niah.strategies.systems import source_facts

# Where a reader is asked no further, what it is at may still come to an end, paid for as it is; for so long.
_GRACE_S = 3.0

_READER = ""
"""In place of a strategy's name: the reader itself."""

_Done = TypeVar("_Done")
MakeExecutor = Callable[[Reader, Callable[[str], None]], Executor]


class HasTraffic(Protocol):
    """Whoever can say what a reader is at."""

    @property
    def traffic(self) -> Traffic:
        """What it is at."""
        ...


class Progress(Protocol):
    """Who is told how the run goes."""

    def say(self, text: str) -> None:
        """Something slow has begun ("loading ...")."""

    def asking(self, reader: HasTraffic) -> None:
        """A reader is open; its trials follow, and its ``traffic`` tells how it is getting on."""

    def started(self, trial: Trial) -> None:
        """A trial is under way."""

    def finished(self, trial: Trial, result: TrialResult) -> None:
        """A trial is finished and committed."""


async def execute(
    store: RunStore,
    readers: Sequence[Reader],
    trials: Sequence[Trial],
    progress: Progress,
    *,
    judge: Judge | None = None,
    cache: ResponseCache | None = None,
    make_executor: MakeExecutor = LocalExecutor,
    ledger: BudgetLedger | None = None,
    answered: Mapping[str, TrialResult] | None = None,
) -> dict[str, StoppedReader]:
    """Ask every reader its trials, in order; finished trials are committed as they come.

    A reader that no trial can get an answer of is asked no further, and so is a strategy of the user's own;
    others go on.

    Args:
        store: the run file.
        readers: closed; each is opened for its own trials.
        trials: those to run.
        progress: is told how it goes.
        judge: whose score counts, closed; the rubric without it.
        cache: answers of this run, and of earlier ones where they are reused, open; None asks every question.
        make_executor: makes what prepares and asks a reader's trials.
        ledger: fills in what trials cost, and lets them start only within the budget.
        answered: trials that have an answer and lack its verdict, by id: only the judge is asked.

    Returns why readers and strategies were asked no further, by name. Raises what a reader raises on opening;
    trials finished so far stay.
    """
    stopped: dict[str, StoppedReader] = {}
    faults = StrategyFaults()
    judge = judge or resolve_judge(default_judge(given=False))
    async with judge:
        if judge.needs_model:
            store.record_judge(judge.name, judge.settings)
        for reader in readers:
            own = [trial for trial in trials if trial.reader == reader.name]
            if own:
                progress.say(f"starting {reader.name}")
                async with make_executor(reader, progress.say) as executor:
                    settings = executor.settings
                    store.record_reader(reader.name, settings)
                    progress.asking(executor)
                    async with Writer(store, progress.finished) as writer:
                        why = await _Asking(
                            executor, own, progress, judge, cache, writer, ledger, answered or {}, faults
                        ).all()
                    if executor.settings != settings:  # what an endpoint does not take is learnt by asking
                        store.record_reader(reader.name, executor.settings)
                    if why:
                        stopped[reader.name] = why
        if judge.needs_model:
            store.record_judge(judge.name, judge.settings)
    return stopped | faults.stopped


@dataclass(frozen=True)
class _Upcoming:
    """A trial that a lane has taken, and the preparation that is under way."""

    trial: Trial
    preparing: asyncio.Future[PreparedTrial] | None


class _Asking:
    """One reader's trials, some of them under way at once."""

    def __init__(
        self,
        executor: Executor,
        trials: Sequence[Trial],
        progress: Progress,
        judge: Judge,
        cache: ResponseCache | None,
        writer: Writer,
        ledger: BudgetLedger | None,
        answered: Mapping[str, TrialResult],
        faults: StrategyFaults,
    ) -> None:
        self._executor = executor
        self._progress = progress
        self._judge = judge
        self._cache = cache
        self._ledger = ledger
        self._answered = answered
        self._writer = writer
        self._unanswered = [trial for trial in trials if trial.trial_id not in answered]
        self._lane_count = min(executor.lanes, len(trials))
        self._lanes = WorkerQueues(trials, self._lane_count)
        self._settled = asyncio.Condition()
        self._streak = FaultStreak()
        self._faults = faults
        self._stopped = False
        self._waiting: dict[asyncio.Task[object], str] = {}
        """Lanes that wait, and the strategy that they wait for; "" is the reader."""
        self._broken_off: set[asyncio.Task[object]] = set()

    async def all(self) -> StoppedReader | None:
        """Until all are finished, or no more may start; why the reader stopped. Raises NiahError."""
        try:
            if stopped := await self._executor.prepare_documents(self._unanswered):
                return stopped
        except BudgetSpent:
            return None
        try:
            async with asyncio.TaskGroup() as group:
                for lane in range(self._lane_count):
                    group.create_task(self._work(lane))
        except* NiahError as errors:
            # Whichever lane met it first speaks for all.
            raise errors.exceptions[0] from None
        return self._streak.stopped

    async def _work(self, lane: int) -> None:
        upcoming = self._taken(lane)
        try:
            while upcoming is not None and await self._admitted(upcoming.trial):
                trial = upcoming.trial
                asked_for.set(trial.trial_id)
                self._progress.started(trial)
                with trial_span(trial, lambda: self._executor.settings) as span:
                    prepared = await self._prepared(lane, upcoming)
                    # Many lanes keep the preparing thread busy as it is.
                    upcoming = self._taken(lane) if self._lane_count == 1 else None
                    result = await self._result(lane, trial, prepared)
                    if result is not None:
                        result = await judged(trial, result, self._judge)
                        if self._ledger is not None:
                            result = self._ledger.settle(trial, result)
                        await self._writer.finish(trial, result)
                    elif self._ledger is not None:
                        self._ledger.release(trial)
                    span.finish(result)
                async with self._settled:
                    if self._streak.stopped and not self._stopped:
                        self._stopped = True
                        self._progress.say(
                            f"{trial.reader} is asked no further: {self._streak.stopped.reason}"
                        )
                        asyncio.get_running_loop().call_later(_GRACE_S, self._break_off, _READER)
                    self._settled.notify_all()
                upcoming = upcoming or self._taken(lane)
        except BudgetSpent:
            assert upcoming is not None
            await self._stop(upcoming.trial)
        finally:
            if upcoming is not None and upcoming.preparing is not None:
                upcoming.preparing.cancel()
                await asyncio.gather(upcoming.preparing, return_exceptions=True)

    async def _stop(self, trial: Trial) -> None:
        """Let no more trials start; this one stays not run."""
        async with self._settled:
            if self._ledger is not None:
                self._ledger.release(trial)
            self._stopped = True
            self._settled.notify_all()

    def _taken(self, lane: int) -> _Upcoming | None:
        """The lane's next trial. A single lane has it prepared while the reader is at the one before."""
        trial = self._lanes.take(lane)
        while trial is not None and self._is_left(trial):
            trial = self._lanes.take(lane)
        if trial is None:
            return None
        ahead = self._lane_count == 1 and trial.trial_id not in self._answered
        return _Upcoming(trial, asyncio.ensure_future(self._executor.prepare(lane, trial)) if ahead else None)

    def _is_left(self, trial: Trial) -> bool:
        """Whether it is not run: its strategy is asked no further."""
        has_stopped = self._faults.why_stopped(trial.strategy.name) is not None
        return has_stopped and trial.trial_id not in self._answered

    async def _prepared(self, lane: int, upcoming: _Upcoming) -> PreparedTrial | None:
        """What the reader can be asked; None where it has answered before, or its strategy has stopped."""
        trial = upcoming.trial
        if trial.trial_id in self._answered:
            return None
        if self._is_left(trial):
            if upcoming.preparing:
                upcoming.preparing.cancel()
            return None
        return await self._unless_broken_off(
            trial.strategy.name, upcoming.preparing or self._executor.prepare(lane, trial)
        )

    async def _admitted(self, trial: Trial) -> bool:
        """Whether the trial may start, once it is clear. After the first that may not, none may."""
        # Under the lock, or the last trial to settle could do so between the question and the wait.
        async with self._settled:
            while not self._stopped:
                match self._ledger.admits(trial) if self._ledger else "yes":
                    case "yes":
                        return True
                    case "no":
                        self._stopped = True
                    case "later":
                        await self._settled.wait()
            self._settled.notify_all()
        return False

    async def _result(self, lane: int, trial: Trial, prepared: PreparedTrial | None) -> TrialResult | None:
        """What became of it; None where it only met what the reader or its strategy was stopped for."""
        if prepared is None:
            return self._answered.get(trial.trial_id)
        if prepared.response is not None:
            if self._tells_nothing(trial, prepared.response):
                return None
            return replace(_as_result(prepared, prepared.response), was_asked=False, cost=Decimal(0))
        if not trial.strategy.system:
            self._tells_nothing(trial, None)
        response = await self._read(lane, trial, prepared)
        if response is None:
            return None
        if trial.strategy.system:
            if self._tells_nothing(trial, response):
                return None
            return await asyncio.to_thread(_system_result, trial, prepared, response)
        return None if self._streak.note(response) else _as_result(prepared, response)

    def _tells_nothing(self, trial: Trial, response: Response | None) -> bool:
        """Take in what a strategy came to; whether it is only what the strategy was stopped for before.

        Where that stops it, it is said, and what it is at ends: at once what it would retrieve, after a while
        what it may be about to answer.
        """
        strategy = trial.strategy
        was_stopped = self._is_left(trial)
        tells_nothing = self._faults.note(strategy.name, response)
        why = self._faults.why_stopped(strategy.name)
        if why and not was_stopped:
            self._progress.say(f"{strategy.name} is asked no further: {why.reason}")
            grace = _GRACE_S if strategy.system else 0.0
            asyncio.get_running_loop().call_later(grace, self._break_off, strategy.name)
        return tells_nothing

    async def _read(self, lane: int, trial: Trial, prepared: PreparedTrial) -> Response | None:
        """The cached answer to this very request, or the reader's; None where it was broken off."""
        kept = self._cache.get(prepared.key) if self._cache and prepared.key else None
        if kept is not None:
            self._executor.drop(lane, trial)
            return kept
        system = trial.strategy.name if trial.strategy.system else _READER
        if self._is_left(trial) if system else self._streak.stopped:
            return None  # who would answer is asked no further
        asked = await self._unless_broken_off(system, self._executor.read(lane, trial))
        if asked is None:
            return None
        response, may_be_kept = asked
        if self._cache and prepared.key and may_be_kept and isinstance(response, Answer):
            self._cache.put(prepared.key, response, trial_key(trial.trial_id, prepared.reader_settings))
        return response

    async def _unless_broken_off(self, strategy: str, work: Awaitable[_Done]) -> _Done | None:
        """What comes of it; None where it is no longer waited for."""
        lane = asyncio.current_task()
        assert lane
        self._waiting[lane] = strategy
        try:
            return await work
        except asyncio.CancelledError:
            if lane in self._broken_off and not lane.uncancel():
                return None
            raise
        finally:
            del self._waiting[lane]
            self._broken_off.discard(lane)

    def _break_off(self, strategy: str) -> None:
        """End what lanes still wait for a strategy or the reader for; their trials stay not run."""
        for lane, waited_for in self._waiting.items():
            if waited_for == strategy and lane not in self._broken_off:
                self._broken_off.add(lane)
                lane.cancel()


def _system_result(trial: Trial, prepared: PreparedTrial, response: Response) -> TrialResult:
    """What a system made of a trial: it alone knows what that cost, of a kept answer nobody."""
    result = replace(_as_result(prepared, response), was_asked=False)
    if not isinstance(response, Answer):
        return result
    facts = source_facts(response, trial.sample, context_of(trial.sample))
    return replace(result, retrieval=facts, cost=response.cost)


def _as_result(prepared: PreparedTrial, response: Response) -> TrialResult:
    """The response as a result; an answer still lacks its verdict."""
    return TrialResult(
        outcome="scored" if isinstance(response, Answer) else response.outcome,
        answer=response.text,
        reason="" if isinstance(response, Answer) else response.reason,
        usage=response.usage,
        latency_s=response.latency_s,
        context_tokens=prepared.context_tokens,
        retrieval=prepared.retrieval,
        from_cache=isinstance(response, Answer) and response.cached,
        reused_from=response.reused_from if isinstance(response, Answer) else "",
    )
