"""Run the trials that are not finished yet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

from niah.errors import NiahError
from niah.judges.error_types import error_type
from niah.judges.rubric import RubricJudge
from niah.needles.load import load_needle_set
from niah.readers.reader import Answer, Reader, Reading, Request
from niah.runs.prepare import Prepared, prepare
from niah.runs.response_cache import ResponseCache, may_be_kept, request_key
from niah.runs.result import Result
from niah.runs.store import RunStore
from niah.runs.trial import Trial


class Progress(Protocol):
    """Who is told how the run goes."""

    def say(self, text: str) -> None:
        """Something slow has begun ("loading ...")."""

    def asking(self, reader: Reader) -> None:
        """A reader is open; its trials follow, and its ``traffic`` tells how it is getting on."""

    def started(self, trial: Trial) -> None:
        """A trial is under way."""

    def finished(self, trial: Trial, result: Result) -> None:
        """A trial is finished and committed."""


async def execute(
    store: RunStore,
    readers: Sequence[Reader],
    trials: Sequence[Trial],
    progress: Progress,
    *,
    cache: ResponseCache | None = None,
) -> None:
    """Ask every reader its trials, in order; each finished trial is committed at once.

    Args:
        store: the run file, which may admit fewer trials than there are.
        readers: closed; each is opened for its own trials.
        trials: those to run.
        progress: is told how it goes.
        cache: answers of earlier runs, open; None asks every question.

    Raises what a reader raises on opening; trials finished so far stay.
    """
    # One thread prepares: retrieval models are not safe to share, and one is ahead of any reader.
    with ThreadPoolExecutor(max_workers=1) as preparing:
        for reader in readers:
            own = [trial for trial in trials if trial.reader == reader.name]
            if own:
                progress.say(f"starting {reader.name}")
                async with reader:
                    store.record_reader(reader.name, reader.settings)
                    progress.asking(reader)
                    await _ask_all(store, reader, own, progress, preparing, cache)


async def _ask_all(
    store: RunStore,
    reader: Reader,
    trials: list[Trial],
    progress: Progress,
    preparing: ThreadPoolExecutor,
    cache: ResponseCache | None,
) -> None:
    loop = asyncio.get_running_loop()
    waiting = store.admitted(trials)

    async def work() -> None:
        for trial in waiting:  # one iterator for all workers: trials start as planned
            progress.started(trial)
            prepared = await loop.run_in_executor(preparing, partial(prepare, trial, progress.say))
            reading = await _read(reader, prepared.request, trial.repeat, cache)
            result = judged(trial, prepared, reading)
            store.finish(trial, result)
            progress.finished(trial, result)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(reader.concurrency, len(trials))):
                group.create_task(work())
    except* NiahError as errors:
        # Whichever worker met it first speaks for all.
        raise errors.exceptions[0] from None


async def _read(reader: Reader, request: Request, repeat: int, cache: ResponseCache | None) -> Reading:
    """The answer of an earlier run to this very request, or the reader's."""
    if cache is None:
        return await reader.read(request)
    key = request_key(reader, request, repeat)
    kept = cache.get(key) if may_be_kept(reader, request) else None
    if kept is not None:
        return kept
    reading = await reader.read(request)
    if isinstance(reading, Answer) and may_be_kept(reader, request):
        cache.put(key, reading)
    return reading


def judged(trial: Trial, prepared: Prepared, reading: Reading) -> Result:
    """The reading as a result: an answer gets a verdict, a failure keeps its outcome."""
    common = partial(
        Result,
        usage=reading.usage,
        latency_s=reading.latency_s,
        context_tokens=prepared.context_tokens,
        context_sha256=prepared.context_sha256,
        retrieval=prepared.retrieval,
        answer=reading.text,
        from_cache=isinstance(reading, Answer) and reading.cached,
    )
    if isinstance(reading, Answer):
        verdict = RubricJudge().judge(reading.text, load_needle_set(trial.case.needle_set, trial.case.seed))
        return common(
            outcome="scored",
            verdict=verdict,
            error_type=error_type(verdict),
            reason="",
            from_cache=reading.cached,
        )
    return common(outcome=reading.outcome, verdict=None, error_type=None, reason=reading.reason)
