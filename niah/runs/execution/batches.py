"""Trials asked in a provider's batches: handed in, submitted together, and collected when they have ended.

What is to be sent is in the run file before it is sent, the provider's id as soon as it is known. Where a
kill came between the two, the batch is looked up at the provider: nothing is submitted twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from niah.errors import Say, counted
from niah.readers.batch import WITHOUT, BatchFault, BatchReader
from niah.readers.reader import Batch, Failure, Lasting, Request, Response, asked_with
from niah.runs.cost.budget import BudgetLedger
from niah.runs.execution.cache import is_repeatable
from niah.runs.execution.prepare import PreparedTrial, as_result
from niah.runs.file.store import BatchRequest, RunStore
from niah.runs.trial import Trial, TrialResult

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0  # between two looks at what is under way
_NO_SUCH_PLACE, _GONE = (404, 405, 501), (404, 410)


@dataclass
class Batching:
    """The batches of one open reader; ``stopped`` says why there are no more of them."""

    reader: BatchReader
    trials: Sequence[Trial]
    store: RunStore
    ledger: BudgetLedger
    say: Say
    keep: Callable[[str, Response], None]  # puts an answer into the cache
    finish: Callable[[Trial, TrialResult], Awaitable[None]]
    committed: Callable[[], Awaitable[None]]  # waits for what is finished
    stopped: Lasting | None = None

    def __post_init__(self) -> None:
        self._left = {trial.trial_id: trial for trial in self.trials}  # to be collected, or handed in
        self._keys, self._has_learnt, self._turn = set[str](), False, asyncio.Lock()
        self._lines, self._asked, self._batch_id = list[bytes](), list[BatchRequest](), uuid4().hex
        self._until = time.monotonic() + asked_with.get().get("limited_s", 0.0)
        self._pause_s, self._size = _FIRST_PAUSE_S, 0

    def _open(self) -> dict[Batch, list[BatchRequest]]:
        """The reader's batches with requests that have no outcome, and these."""
        every = self.store.open_batches()
        return {one: asked for one, asked in every.items() if asked and one.reader == self.reader.name}

    async def collect(self) -> list[Trial]:
        """Commit what came of batches that have ended; the trials that are in no batch, to be handed in."""
        for batch, asked in self._open().items():
            try:
                if not batch.provider_id:  # a kill came upon it
                    known = {each.provider_id for each in self.store.open_batches()}  # of other models too
                    found = await self.reader.look_up(batch, known)
                    if found:
                        batch = replace(batch, provider_id=found)
                        self.store.note_batch(batch)
                    elif found is not None:
                        self.store.forget_batch(batch)
                if batch.provider_id and (ended := await self.reader.ended(batch)):
                    own = [(one, self._left.pop(one.trial_id)) for one in asked if one.trial_id in self._left]
                    await self._take_in(batch, own, *ended)
                    await self.committed()
                    if len(own) == len(asked):  # and none is beyond --limit
                        self.store.note_batch(batch, is_over=True)
            except BatchFault as fault:
                if not fault.is_refused and time.monotonic() < self._until:
                    continue  # it is looked at again
                what = f"batch {batch.provider_id or batch.batch_id} of {counted(len(asked), 'request')}"
                remedy = "Set the key that it was submitted with." if fault.status in _GONE else ""
                self.stopped = self.stopped or fault.about(f"{what} cannot be collected", remedy)
        waiting = {one.trial_id: one.key for asked in self._open().values() for one in asked}
        self._keys = {*waiting.values()}
        for name in waiting.keys() & self._left.keys():
            self.ledger.set_aside(self._left[name])
        free = [] if self.stopped else [name for name in self._left if name not in waiting]
        return [self._left.pop(name) for name in free]

    async def _take_in(
        self,
        batch: Batch,
        asked: Sequence[tuple[BatchRequest, Trial]],
        results: Mapping[str, object],
        problem: str,
    ) -> None:
        """Judge and commit results; say what is strange, and stop where some are lacking."""
        unanswered = 0

        async def take(one: BatchRequest, trial: Trial) -> None:
            nonlocal unanswered
            request = trial.options.request("", trial.room)
            result, response = results.get(f"{batch.batch_id}-{one.trial_id}"), None
            if isinstance(result, dict):
                response = await self.reader.reading(result, request)
            elif not problem:
                response = Failure("reader_error", f"{batch.provider_id} ended without a result for it")
            if response is None:
                unanswered += 1
                return
            self.keep(one.key, response)
            made = as_result(PreparedTrial(request, one.context_tokens, one.retrieval), response)
            await self.finish(trial, replace(made, latency_s=None))

        async with asyncio.TaskGroup() as group:
            for each in asked:
                group.create_task(take(*each))
        if strange := sum(not custom_id.startswith(batch.batch_id) for custom_id in results):
            self.say(f"{batch.provider_id}: left out {counted(strange, 'result')} of no request of ours")
        if unanswered:
            left = f"{batch.provider_id} has no answer to {counted(unanswered, 'request')}"
            remedy = f"The same command submits them again. {WITHOUT}"
            self.stopped = self.stopped or Lasting(1, remedy, reason=f"{left} ({problem or 'expired'})")

    async def hand_in(
        self, trial: Trial, prepared: PreparedTrial, request: Request, key: str
    ) -> Failure | None:
        """Take a request into the next batch; the failure of one that cannot be written."""
        async with self._turn:
            if self.stopped:
                return None
            self._left[trial.trial_id] = trial
            if not self._has_learnt:  # what the endpoint does not take is learnt by asking
                self._has_learnt = True
                await self.reader.read(replace(request, prompt="Say OK.", turns=()))
            key = key if is_repeatable(self.reader, request) else ""
            if key and key in self._keys:  # the same is asked already, and its answer will do
                return None
            line = await self.reader.line(f"{self._batch_id}-{trial.trial_id}", request)
            if isinstance(line, Failure):
                del self._left[trial.trial_id]
                return line
            self._keys.add(key)
            self._lines.append(line)
            self._asked.append(BatchRequest(trial.trial_id, key, prepared.context_tokens, prepared.retrieval))
            self.ledger.set_aside(trial)
            self._size += len(line)
            if self._size > self.reader.most_bytes or len(self._lines) == self.reader.most_requests:
                await self._submit()
        return None

    async def goes_on(self) -> bool:
        """Submit what is handed in; whether anything is waited for, and may have ended by now."""
        if self._lines and not self.stopped:
            await self._submit()
        left_s = self._until - time.monotonic()
        if self.stopped or left_s <= 0 or not self._open():
            return False
        await asyncio.sleep(min(self._pause_s, left_s))
        self._pause_s = min(self._pause_s * 1.2, _LONGEST_PAUSE_S)
        return True

    async def _submit(self) -> None:
        """Submit one batch, recorded before and after."""
        lines, store, n = self._lines, self.store, counted(len(self._lines), "request")
        batch = Batch(self._batch_id, self.reader.name, len(lines), time.time())
        store.intend(batch, self._asked)
        self._lines, self._asked, self._batch_id, self._size = [], [], uuid4().hex, 0
        try:
            batch, body = await self.reader.upload(batch, lines)
            store.note_batch(batch)
            found = await self.reader.create(body)
            store.note_batch(replace(batch, provider_id=found))
            name = found or "a batch whose id is not known yet"
            self.say(f"{self.reader.name}: {n} submitted as {name}")
        except BatchFault as fault:
            if not fault.is_refused:  # it may be there all the same: it is looked up before it is sent again
                self.say(f"{self.reader.name}: no word came back of a batch of {n}: {fault.why.reason}")
                return
            what, remedy = f"a batch of {n} was not submitted", ""
            is_mistake = fault.status in _NO_SUCH_PLACE and not batch.file_id
            if is_mistake:
                what, remedy = "the endpoint has no batches", "Leave out mode: batch."
            store.forget_batch(batch)
            self.stopped = fault.about(what, remedy, is_mistake)
