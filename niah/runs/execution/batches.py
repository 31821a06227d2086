"""Trials asked in a provider's batches: submitted now, and collected when they have ended.

What is to be sent is in the run file before it is sent, the provider's id as soon as it is known. Where a
kill came between the two, the batch is looked up at the provider: nothing is submitted twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol
from uuid import uuid4

from niah.errors import counted
from niah.readers.batch import WITHOUT, BatchFault, BatchReader
from niah.readers.reader import Answer, Batch, Failure, Lasting, Reader, Request, Response
from niah.runs.cost.budget import BudgetLedger
from niah.runs.execution.prepare import PreparedTrial, as_result
from niah.runs.file.store import BatchRequest, RunStore
from niah.runs.plan import prefix_key
from niah.runs.trial import Trial, TrialResult

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0  # between two looks at what is under way
_NO_SUCH_PLACE, _GONE = (404, 405, 501), (404, 410)


class Work(Protocol):
    """What is done with a trial whichever way it is asked."""

    ledger: BudgetLedger

    async def ready(self, reader: Reader, trial: Trial) -> PreparedTrial | None:
        """What is to be asked; None where the trial came to an outcome before, or is left."""

    def known(self, reader: Reader, request: Request, repeat: int) -> tuple[str, Answer | None]:
        """The request's key in the cache of answers, "" for none, and the answer there."""

    def keep(self, key: str, response: Response) -> None:
        """Put an answer into the cache."""

    async def finish(self, trial: Trial, result: TrialResult) -> None:
        """Judge, and commit soon."""

    async def committed(self) -> None:
        """Wait until all that is finished is in the run file."""


class Batching:
    """The trials of one open reader that go in batches; ``stopped`` says why no more of them do."""

    def __init__(
        self,
        reader: BatchReader,
        trials: Sequence[Trial],
        store: RunStore,
        work: Work,
        say: Callable[[str], None],
        wait_s: float | None,
    ) -> None:
        self._reader, self._store, self._work, self._say = reader, store, work, say
        self.stopped: Lasting | None = None
        self._trials, self._wait_s, self._has_learnt = {each.trial_id: each for each in trials}, wait_s, False
        self._left = dict(self._trials)  # not collected by this invocation

    async def run(self) -> None:
        """Collect what has ended, and submit what is in no batch; with ``wait_s`` again until all is over."""
        began, wait_s = time.monotonic(), self._wait_s or 0.0
        waiting = {one.trial_id for asked in self._open().values() for one in asked}
        self._work.ledger.admit_all([each for name, each in self._trials.items() if name in waiting])
        while True:
            await self._collect()
            try:
                if not self.stopped:
                    await self._submit()
            except BatchFault as fault:
                self.stopped = fault.why
            waited_s = time.monotonic() - began
            if self.stopped or waited_s >= wait_s or not self._open():
                break
            pause_s = min(max(_FIRST_PAUSE_S, waited_s / 10), _LONGEST_PAUSE_S)
            await asyncio.sleep(min(pause_s, wait_s - waited_s))
        self._work.ledger.set_aside(self._trials)

    def _open(self) -> dict[Batch, list[BatchRequest]]:
        """The reader's batches that are not over, with the requests that have no outcome."""
        every = self._store.open_batches()
        return {batch: asked for batch, asked in every.items() if batch.reader == self._reader.name}

    # Collecting

    async def _collect(self) -> None:
        """Commit what came of batches that have ended; what keeps one of them back keeps no other."""
        opened = self._open()
        known = {batch.provider_id for batch in opened} - {""}
        for batch, asked in opened.items():
            try:
                batch = batch if batch.provider_id else await self._looked_up(batch, known)
                ended = await self._reader.ended(batch) if batch.provider_id else None
                if ended:
                    await self._take_in(batch, asked, *ended)
            except BatchFault as fault:
                what = f"batch {batch.provider_id or batch.batch_id} of {counted(len(asked), 'request')}"
                remedy = "Set the key that it was submitted with." if fault.status in _GONE else ""
                self.stopped = self.stopped or fault.about(f"{what} cannot be collected", remedy).why

    async def _looked_up(self, batch: Batch, known: set[str]) -> Batch:
        """A batch that a kill came upon, with the provider's id if there is one."""
        found = await self._reader.look_up(batch, known)
        if found:
            batch = replace(batch, provider_id=found)
            self._store.note_batch(batch)
        elif found is not None:
            self._store.forget_batch(batch)
        return batch

    async def _take_in(
        self, batch: Batch, asked: Sequence[BatchRequest], results: Mapping[str, object], problem: str
    ) -> None:
        """Judge and commit all results; then the batch is over."""
        unanswered: list[str] = []

        async def take(one: BatchRequest, trial: Trial) -> None:
            del self._left[one.trial_id]
            request, result = trial.options.request("", trial.room), results.get(_custom_id(batch, one))
            response = await self._reader.reading(result, request) if isinstance(result, dict) else None
            if response is None and result is None and not problem:
                response = Failure("reader_error", f"{batch.provider_id} ended without a result for it")
            if response is None:
                unanswered.append(one.trial_id)
                return
            self._work.keep(one.key, response)
            prepared = PreparedTrial(request, one.context_tokens, one.retrieval)
            await self._work.finish(trial, replace(as_result(prepared, response), latency_s=None))

        own = [(one, self._left[one.trial_id]) for one in asked if one.trial_id in self._left]
        async with asyncio.TaskGroup() as group:
            for one, trial in own:
                group.create_task(take(one, trial))
        await self._work.committed()
        if len(own) == len(asked):  # and none is beyond --limit
            self._store.note_batch(batch, is_over=True)
        if strange := sum(not custom_id.startswith(batch.batch_id) for custom_id in results):
            self._say(f"{batch.provider_id}: left out {counted(strange, 'result')} of no request of ours")
        if unanswered:
            left = f"{batch.provider_id} has no answer to {counted(len(unanswered), 'request')}"
            remedy = f"The same command submits them again. {WITHOUT}"
            self.stopped = self.stopped or Lasting(1, remedy, reason=f"{left} ({problem or 'expired'})")

    # Submitting

    async def _submit(self) -> None:
        """Submit what is in no batch, in as few as the provider takes. Raises BatchFault."""
        waiting = [one for asked in self._open().values() for one in asked]
        names, keys = {one.trial_id for one in waiting}, {one.key for one in waiting}
        free, work = [each for name, each in self._left.items() if name not in names], self._work
        batch_id, lines, asked = uuid4().hex, list[bytes](), list[BatchRequest]()
        for trial in work.ledger.admit_all(free):
            if (prepared := await work.ready(self._reader, trial)) is None:
                del self._left[trial.trial_id]
                continue
            request = replace(prepared.request, prefix_key=prefix_key(trial))
            key, answer = work.known(self._reader, request, trial.repeat)
            if not (answer or self._has_learnt):
                self._has_learnt = True
                if why := await self._reader.learn(request):
                    raise BatchFault(Failure("reader_error", why.reason, lasting=why))
                key, answer = work.known(self._reader, request, trial.repeat)
            if key and key in keys:  # the same is asked already, and its answer will do
                work.ledger.release(trial.trial_id)
                continue
            one = BatchRequest(trial.trial_id, key, prepared.context_tokens, prepared.retrieval)
            line = answer or await self._reader.line(f"{batch_id}-{one.trial_id}", request)
            if not isinstance(line, bytes):
                del self._left[trial.trial_id]
                await work.finish(trial, as_result(prepared, line))
                continue
            keys.add(key)
            lines.append(line)
            asked.append(one)
            if len(lines) == self._reader.most_requests or sum(map(len, lines)) > self._reader.most_bytes:
                await self._send(batch_id, lines, asked)
                batch_id, lines, asked = uuid4().hex, [], []
        if lines:
            await self._send(batch_id, lines, asked)

    async def _send(self, batch_id: str, lines: Sequence[bytes], asked: Sequence[BatchRequest]) -> None:
        """Submit one batch, recorded before and after. Raises BatchFault."""
        digest, store = hashlib.sha256(b"".join(lines)).hexdigest(), self._store
        batch = Batch(batch_id, self._reader.name, digest, len(lines), time.time())
        known = {each.provider_id for each in self._open()} - {""}
        store.intend(batch, asked)
        what = f"a batch of {counted(len(lines), 'request')} was not submitted"
        try:
            batch = await self._reader.upload(batch, lines)
            store.note_batch(batch)
            found = await self._reader.create(batch, lines, known)
        except BatchFault as fault:
            if not fault.is_refused:
                raise fault.about(f"{what}, or no word of it came back") from None
            store.forget_batch(batch)
            if fault.status in _NO_SUCH_PLACE and not batch.file_id:
                raise fault.about("the endpoint has no batches", "Leave out mode: batch.", True) from None
            raise fault.about(what) from None
        store.note_batch(replace(batch, provider_id=found))
        name = found or "a batch whose id is not known yet"
        self._say(f"{self._reader.name}: {counted(len(lines), 'request')} submitted as {name}")


def _custom_id(batch: Batch, one: BatchRequest) -> str:
    return f"{batch.batch_id}-{one.trial_id}"
