"""Trials asked: all readers side by side, each in lanes; every answer is judged and committed as it comes."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeVar

from niah.errors import NiahError
from niah.judges.registry import Judge
from niah.readers.batch import BatchReader
from niah.readers.reader import Answer, Failure, Lasting, Response, Traffic, Usage
from niah.readers.retry import FaultStreak, Reader, asked_for
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.estimate import Prefixes, shared_prefixes
from niah.runs.execution.batches import Batching
from niah.runs.execution.cache import ResponseCache, is_repeatable, request_key, system_key
from niah.runs.execution.judging import judged
from niah.runs.execution.prepare import PreparedTrial, as_result, ask_system, failed, prepare, system_result
from niah.runs.file.store import RunStore
from niah.runs.plan import groups, prefix_key
from niah.runs.preparation import BudgetSpent, Preparations, in_pool
from niah.runs.trial import Trial, TrialResult
from niah.strategies.prepared.steps import PreparationFailed
from niah.text.embedding import EmbeddingWatch, watching

_GRACE_S = 3.0  # so long what is under way may still end where a reader is asked no further: it is paid for
_MOST_UNCOMMITTED = 256  # finished trials; a disk that is further behind is waited for

_Done = TypeVar("_Done")


@dataclass
class Block:
    """What a task of a cluster sends back. A mistake is sent as text: not every exception can be pickled."""

    results: list[tuple[str, TrialResult]] = field(default_factory=list)
    readers: dict[str, Mapping[str, str | int]] = field(default_factory=dict)
    stopped: dict[str, Lasting] = field(default_factory=dict)
    mistake: tuple[str, str] | None = None

    def commit(self, finished: Sequence[tuple[Trial, TrialResult]]) -> None:
        """Take in finished trials."""
        self.results += [(trial.trial_id, result) for trial, result in finished]

    def record(self, kind: str, name: str, settings: Mapping[str, str | int]) -> None:
        """Take in how a reader was asked."""
        self.readers[name] = settings


class Progress:
    """Shows how the run goes; this one shows nothing."""

    def say(self, text: str) -> None:
        """Something slow has begun ("loading ...")."""

    def asking(self, traffic: Callable[[], Traffic]) -> None:
        """Readers are asked from now on; ``traffic`` gives what all of them have under way."""

    def paid(self, usage: Usage, usd: Decimal | None) -> None:
        """A strategy has asked a model before a trial's own question."""

    def finished(self, trial: Trial, result: TrialResult) -> None:
        """A trial is finished and committed."""


class _Writer:
    """Commits finished trials in order, in a thread; what finishes meanwhile goes into the next commit.
    (Group commit: DeWitt et al., "Implementation techniques for main memory database systems", 1984.)"""

    def __init__(self, sink: RunStore | Block, report: Callable[[Trial, TrialResult], None]) -> None:
        self._sink, self._report = sink, report
        self._waiting: list[tuple[Trial, TrialResult]] = []
        self._committing: asyncio.Task[None] | None = None

    async def finish(self, trial: Trial, result: TrialResult) -> None:
        """Commit the trial soon. Raises what an earlier commit raised."""
        self._waiting.append((trial, result))
        if self._committing is None or self._committing.done():
            await self.all_committed()  # raises, where the last commit failed
            self._committing = asyncio.create_task(self._commit())
        elif len(self._waiting) >= _MOST_UNCOMMITTED:
            await asyncio.shield(self._committing)

    async def all_committed(self) -> None:
        """Wait until all that is finished is durable. Raises what a commit raised."""
        if self._committing is not None:
            await asyncio.shield(self._committing)

    async def _commit(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await asyncio.to_thread(self._sink.commit, batch)
            for trial, result in batch:
                self._report(trial, result)


class Lanes:
    """One reader's trials, handed out to lanes that run side by side, each with a prompt cache of its own: a
    group whose prompts begin alike, then the next, then the later half of what the most laden lane has."""

    def __init__(self, reader: Reader, trials: Sequence[Trial], count: int) -> None:
        self.reader, self.count = reader, min(count, len(trials))
        self.streak = FaultStreak(len(trials))  # the reader's
        self.is_over = False  # whether no more trials may start
        self._untouched = deque(groups(trials))
        self._waiting: list[deque[Trial]] = [deque() for _ in range(self.count)]

    def take(self, lane: int) -> Trial | None:
        """The lane's next trial; None where nothing waits."""
        waiting = self._waiting[lane]
        if not waiting:
            if self._untouched:
                waiting.extend(self._untouched.popleft())
            else:
                longest = max(self._waiting, key=len)
                waiting.extend([longest.pop() for _ in range((len(longest) + 1) // 2)][::-1])
        return waiting.popleft() if waiting else None


@dataclass
class Asking:
    """Asks readers and a judge that are closed, and commits what is finished as it comes."""

    sink: RunStore | Block  # where finished trials go
    progress: Progress
    judge: Judge | None  # None for no verdicts
    ledger: BudgetLedger = field(default_factory=lambda: BudgetLedger({}))
    cache: ResponseCache | None = None  # open
    answered: Mapping[str, TrialResult] = field(default_factory=dict)  # trials that only the judge is asked
    preparations: Preparations | None = None

    def __post_init__(self) -> None:
        # One thread: retrieval models are not safe to share, and one is ahead of any reader.
        own = self.preparations.thread if self.preparations else None
        self.thread, self.watch = own or ThreadPoolExecutor(max_workers=1), EmbeddingWatch()
        self.writer = _Writer(self.sink, self.progress.finished)
        self.batchings: dict[str, Batching] = {}  # by reader
        self.systems: dict[str, ThreadPoolExecutor] = {}  # by strategy
        self.stopped = dict[str, Lasting]()
        self.faults: defaultdict[str, FaultStreak] = defaultdict(FaultStreak)  # of strategies, by name
        self.turns: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)
        # By ("reader" or "strategy", name): set when what it is asked is no longer waited for.
        self.given_up: defaultdict[tuple[str, str], asyncio.Event] = defaultdict(asyncio.Event)
        self.prefixes = Prefixes()
        self.stored: dict[object, asyncio.Event] = {}  # by prefix: set when its first prompt is answered

    async def ask(
        self, readers: Sequence[Reader], trials: Sequence[Trial], most_lanes: int | None = None
    ) -> dict[str, Lasting]:
        """Ask every reader its trials; by name, why readers and the user's own strategies were stopped."""
        unanswered = [trial for trial in trials if trial.trial_id not in self.answered]
        self.prefixes = shared_prefixes(unanswered, readers)
        self.progress.asking(lambda: self._traffic(readers))
        watching.set(self.watch)
        try:
            preparer = self.preparations.preparer if self.preparations else None
            prepares = preparer.reader if preparer else nullcontext()
            async with self.judge or nullcontext(), prepares, asyncio.TaskGroup() as group:
                for reader in readers:
                    if own := [trial for trial in trials if trial.reader == reader.name]:
                        group.create_task(self._read_all(reader, own, most_lanes or reader.concurrency))
        except BaseExceptionGroup as errors:
            raise first_error(errors) from None
        finally:
            try:
                await self.writer.all_committed()
                if self.judge and self.judge.needs_model:
                    self.sink.record("judges", self.judge.name, self.judge.settings)
            finally:  # what waits for a thread is not begun
                self.watch.is_stopped = True
                for thread in (self.thread, *self.systems.values()):
                    thread.shutdown(cancel_futures=True)
        return self.stopped | {name: each.stopped for name, each in self.faults.items() if each.stopped}

    def _traffic(self, readers: Sequence[Reader]) -> Traffic:
        """What the readers have under way, and what is embedded for them."""
        each = [reader.traffic for reader in readers]
        running, waiting = sum(one.running for one in each), sum(one.waiting for one in each)
        return Traffic(running, waiting, sum(one.retries for one in each), self.watch.label)

    async def _read_all(self, reader: Reader, trials: Sequence[Trial], count: int) -> None:
        """Open one reader, and ask its trials, ``count`` at once or in batches."""
        # This machine answers one embedded model at a time, an engine one way of asking it.
        is_embedded = reader.settings.get("provider") == "embedded"
        place = "" if is_embedded else reader.settings.get("api_base")
        in_turn = is_embedded or trials[0].options.cache
        batched = [trial for trial in trials if trial.batched]
        lanes = Lanes(reader, [trial for trial in trials if not trial.batched], count)
        async with self.turns[place] if in_turn else nullcontext():
            self.progress.say(f"starting {reader.name}")
            async with reader:
                settings = dict(reader.settings)
                self.sink.record("readers", reader.name, settings)
                unanswered = [trial for trial in trials if trial.trial_id not in self.answered]
                try:
                    stopped = self.preparations and await self.preparations.documents(reader, unanswered)
                except BudgetSpent:
                    return
                if not stopped:
                    async with asyncio.TaskGroup() as group:
                        group.create_task(self._run_lanes(lanes))
                        if isinstance(self.sink, RunStore) and isinstance(reader, BatchReader):
                            group.create_task(self._run_batches(reader, batched, self.sink, count))
                if reader.settings != settings:  # what an endpoint does not take is learnt by asking
                    self.sink.record("readers", reader.name, reader.settings)
                if why := stopped or lanes.streak.stopped:
                    self.stopped[reader.name] = why

    async def _run_batches(
        self, reader: BatchReader, trials: Sequence[Trial], store: RunStore, count: int
    ) -> None:
        """Collect what has ended, and submit what is in no batch; as long as the user waits."""
        say, committed = self.progress.say, self.writer.all_committed
        own = Batching(reader, trials, store, self.ledger, say, self._keep, self._finish, committed)
        self.batchings[reader.name], goes_on = own, True
        while goes_on:
            lanes = Lanes(reader, await own.collect(), count)
            await self._run_lanes(lanes)
            goes_on = await own.goes_on() and not lanes.is_over
        if why := own.stopped or lanes.streak.stopped:
            self.stopped[reader.name] = why

    async def _run_lanes(self, lanes: Lanes) -> None:
        async with asyncio.TaskGroup() as group:
            for lane in range(lanes.count):
                group.create_task(self._run_lane(lanes, lane))

    async def _run_lane(self, lanes: Lanes, lane: int) -> None:
        """Ask one trial after another. A single lane has the next one prepared while the reader is at one."""
        preparing: asyncio.Future[PreparedTrial] | None = None
        trial = self._next(lanes, lane)
        try:
            while trial is not None and await self.ledger.admit(trial, lambda: lanes.is_over):
                asked_for.set(trial.trial_id)
                prepared, preparing = await self._prepared(trial, preparing), None
                following = self._next(lanes, lane) if lanes.count == 1 else None
                if following and following.trial_id not in self.answered:
                    preparing = asyncio.ensure_future(self._prepare(following))
                result = await self._result(lanes, lane, trial, prepared)
                if result is None:
                    self.ledger.release(trial.trial_id)
                else:
                    await self._finish(trial, result)
                if (why := lanes.streak.stopped) and not lanes.is_over:
                    self._end(lanes)
                    self._give_up("reader", lanes.reader.name, why, _GRACE_S)
                trial = following or self._next(lanes, lane)
            if trial is not None:
                self._end(lanes)
        except BudgetSpent:
            assert trial is not None
            self.ledger.release(trial.trial_id)
            self._end(lanes)
        finally:
            if preparing:
                preparing.cancel()
                await asyncio.gather(preparing, return_exceptions=True)

    async def _finish(self, trial: Trial, result: TrialResult) -> None:
        result = await judged(trial, result, self.judge) if self.judge else result
        await self.writer.finish(trial, self.ledger.settle(trial, result))

    def _end(self, lanes: Lanes) -> None:
        """Let no more trials of a reader start, waiting ones neither."""
        lanes.is_over = True
        self.ledger.wake()

    def _give_up(self, kind: str, name: str, why: Lasting, after_s: float) -> None:
        self.progress.say(f"{name} is asked no further: {why.reason}")
        asyncio.get_running_loop().call_later(after_s, self.given_up[kind, name].set)

    def _next(self, lanes: Lanes, lane: int) -> Trial | None:
        """The lane's next trial whose strategy has not been stopped."""
        while (trial := lanes.take(lane)) is not None and self._is_left(trial):
            pass
        return trial

    def _is_left(self, trial: Trial) -> bool:
        """Whether it stays not run: its strategy is asked no further."""
        is_stopped = self.faults[trial.strategy.name].stopped is not None
        return is_stopped and trial.trial_id not in self.answered

    # From a trial to what is asked

    async def _prepared(
        self, trial: Trial, preparing: asyncio.Future[PreparedTrial] | None
    ) -> PreparedTrial | None:
        """What can be asked; None where only the judge is asked, or the strategy has stopped."""
        if trial.trial_id in self.answered or self._is_left(trial):
            if preparing:
                preparing.cancel()
            return None
        return await self._unless_given_up("strategy", trial.strategy.name, preparing or self._prepare(trial))

    async def _prepare(self, trial: Trial) -> PreparedTrial:
        """Prepare in the thread. Raises NiahError and BudgetSpent."""
        say, earlier = self.progress.say, self.preparations
        if not (trial.strategy.prepared and earlier):
            return await in_pool(self.thread, prepare, trial, say)
        try:
            chosen = await earlier.chosen(trial)
        except PreparationFailed as error:
            return failed(trial, Failure(error.outcome, error.reason))
        reply = earlier.answers.pop(trial.trial_id, None)
        return await in_pool(self.thread, prepare, trial, say, chosen, reply.reused_from if reply else "")

    # From what is asked to what came of it

    async def _result(
        self, lanes: Lanes, lane: int, trial: Trial, prepared: PreparedTrial | None
    ) -> TrialResult | None:
        """What became of a trial; None where it met only what its reader or strategy was stopped for."""
        if prepared is None:
            return self.answered.get(trial.trial_id)
        if prepared.response is not None:
            if self._is_no_news(trial, prepared.response):
                return None
            return replace(as_result(prepared, prepared.response), was_asked=False, cost=Decimal(0))
        if trial.strategy.system:
            answer = await self._answer_of_system(trial, prepared.request.prompt)
            if answer is None or self._is_no_news(trial, answer):
                return None
            return await asyncio.to_thread(system_result, trial, prepared, answer)
        self._is_no_news(trial, None)
        response = await self._answer(lanes, lane, trial, prepared)
        return None if response is None or lanes.streak.note(response) else as_result(prepared, response)

    async def _answer(
        self, lanes: Lanes, lane: int, trial: Trial, prepared: PreparedTrial
    ) -> Response | None:
        """The cached answer to this very request, or the reader's; None where it was given up."""
        reader = lanes.reader
        # A provider keeps one lane's prompts together, as one slot of a server does.
        alike = "" if trial.options.cache == "cold" else f"{prefix_key(trial)}-{lane}"
        request = replace(prepared.request, prefix_key=alike)
        prefix, _ = self.prefixes.get(trial.trial_id, ((), 0))
        if prefix:
            request = replace(request, breakpoint=prepared.context_end)
        key = ""
        if self.cache and is_repeatable(reader, request):
            key = request_key(reader, request, trial.repeat)
            if known := self.cache.get(key):
                return known
        if trial.batched and (batching := self.batchings.get(reader.name)):
            failed = await batching.hand_in(trial, prepared, request, key)
            lanes.streak.stopped = lanes.streak.stopped or batching.stopped
            return failed
        if prefix and prefix in self.stored:  # what one prompt stores, the others read
            await self.stored[prefix].wait()
        if lanes.streak.stopped:
            return None
        answered = self.stored.setdefault(prefix, asyncio.Event())
        try:
            response = await self._unless_given_up("reader", reader.name, reader.read(request))
        finally:
            answered.set()
        if is_repeatable(reader, request):
            self._keep(key, response)
        return response

    async def _answer_of_system(self, trial: Trial, document: str) -> Response | None:
        """What a system of the user's own, or the cache, answers in the reader's place."""
        strategy, key = trial.strategy, system_key(trial, document)
        if self.cache and (known := self.cache.get(key)):
            return known
        if self._is_left(trial):
            return None
        threads = self.systems.setdefault(strategy.name, ThreadPoolExecutor(strategy.system_at_once))
        asked = in_pool(threads, ask_system, trial, document)
        response = await self._unless_given_up("strategy", strategy.name, asked)
        self._keep(key, response)
        return response

    def _keep(self, key: str, response: Response | None) -> None:
        if key and self.cache and isinstance(response, Answer):
            self.cache.put(key, response)

    def _is_no_news(self, trial: Trial, response: Response | None) -> bool:
        """Note what a strategy came to; whether it is only what the strategy was stopped for before."""
        strategy, was_stopped = trial.strategy, self._is_left(trial)
        is_no_news = self.faults[strategy.name].note(response)
        if (why := self.faults[strategy.name].stopped) and not was_stopped:
            # What it is at ends: retrieval at once, answers after a while.
            self._give_up("strategy", strategy.name, why, _GRACE_S if strategy.system else 0.0)
        return is_no_news

    async def _unless_given_up(self, kind: str, name: str, work: Awaitable[_Done]) -> _Done | None:
        """What comes of the work; None where it is no longer waited for."""
        task = asyncio.ensure_future(work)
        given_up = asyncio.ensure_future(self.given_up[kind, name].wait())
        try:
            await asyncio.wait((task, given_up), return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            for each in (task, given_up):
                each.cancel()
            await asyncio.gather(task, given_up, return_exceptions=True)


def first_error(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first mistake of the user's in a group; the group where there is none."""
    found: BaseException | None = errors.subgroup(NiahError)
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found or errors
