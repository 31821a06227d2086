"""Run the trials that are not finished yet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from niah.errors import NiahError
from niah.judges.error_types import error_type
from niah.judges.rubric import RubricJudge
from niah.needles.load import load_needle_set
from niah.readers.reader import Answer, Reader, Reading, Traffic
from niah.runs.here import Here
from niah.runs.lanes import Lanes
from niah.runs.place import Place, Ready
from niah.runs.response_cache import ResponseCache, trial_key
from niah.runs.result import Result
from niah.runs.store import RunStore
from niah.runs.trial import Trial
from niah.runs.writer import Writer

Places = Callable[[Reader, Callable[[str], None]], Place]


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

    def finished(self, trial: Trial, result: Result) -> None:
        """A trial is finished and committed."""


async def execute(
    store: RunStore,
    readers: Sequence[Reader],
    trials: Sequence[Trial],
    progress: Progress,
    *,
    cache: ResponseCache | None = None,
    place: Places = Here,
) -> None:
    """Ask every reader its trials, in order; finished trials are committed as they come.

    Args:
        store: the run file, which may admit fewer trials than there are.
        readers: closed; each is opened for its own trials.
        trials: those to run.
        progress: is told how it goes.
        cache: answers of earlier runs, open; None asks every question.
        place: makes the place where a reader's trials are prepared and asked.

    Raises what a reader raises on opening; trials finished so far stay.
    """
    for reader in readers:
        own = [trial for trial in trials if trial.reader == reader.name]
        if own:
            progress.say(f"starting {reader.name}")
            async with place(reader, progress.say) as open_place:
                store.record_reader(reader.name, open_place.settings)
                progress.asking(open_place)
                async with Writer(store, progress.finished) as writer:
                    await _Asking(store, open_place, own, progress, cache, writer).all()


class _Asking:
    """One reader's trials, some of them under way at once."""

    def __init__(
        self,
        store: RunStore,
        place: Place,
        trials: Sequence[Trial],
        progress: Progress,
        cache: ResponseCache | None,
        writer: Writer,
    ) -> None:
        self._store = store
        self._place = place
        self._progress = progress
        self._cache = cache
        self._writer = writer
        self._lane_count = min(place.lanes, len(trials))
        self._lanes = Lanes(trials, self._lane_count)
        self._settled = asyncio.Condition()
        self._stopped = False

    async def all(self) -> None:
        """Until all are finished, or no more may start. Raises NiahError."""
        try:
            async with asyncio.TaskGroup() as group:
                for lane in range(self._lane_count):
                    group.create_task(self._work(lane))
        except* NiahError as errors:
            # Whichever lane met it first speaks for all.
            raise errors.exceptions[0] from None

    async def _work(self, lane: int) -> None:
        while (trial := self._lanes.take(lane)) is not None and await self._admitted(trial):
            self._progress.started(trial)
            ready = await self._place.prepare(lane, trial)
            reading = await self._read(lane, trial, ready)
            await self._writer.finish(trial, judged(trial, ready, reading))
            async with self._settled:
                self._settled.notify_all()

    async def _admitted(self, trial: Trial) -> bool:
        """Whether the trial may start, once it is clear. After the first that may not, none may."""
        # Under the lock, or the last trial to settle could do so between the question and the wait.
        async with self._settled:
            while not self._stopped:
                match self._store.admits(trial):
                    case "yes":
                        return True
                    case "no":
                        self._stopped = True
                    case "later":
                        await self._settled.wait()
            self._settled.notify_all()
        return False

    async def _read(self, lane: int, trial: Trial, ready: Ready) -> Reading:
        """The answer of an earlier run to this very request, or the reader's."""
        kept = self._cache.get(ready.key) if self._cache and ready.key else None
        if kept is not None:
            self._place.drop(lane, trial)
            return kept
        told = await self._place.read(lane, trial)
        if self._cache and ready.key and told.may_be_kept and isinstance(told.reading, Answer):
            self._cache.put(ready.key, told.reading, trial_key(trial.trial_id, ready.reader_settings))
        return told.reading


def judged(trial: Trial, ready: Ready, reading: Reading) -> Result:
    """The reading as a result: an answer gets a verdict, a failure keeps its outcome."""
    common = partial(
        Result,
        answer=reading.text,
        usage=reading.usage,
        latency_s=reading.latency_s,
        context_tokens=ready.context_tokens,
        context_sha256=ready.context_sha256,
        retrieval=ready.retrieval,
    )
    if not isinstance(reading, Answer):
        return common(outcome=reading.outcome, verdict=None, error_type=None, reason=reading.reason)
    verdict = RubricJudge().judge(reading.text, load_needle_set(trial.case.needle_set, trial.case.seed))
    result = common(outcome="scored", verdict=verdict, error_type=error_type(verdict), reason="")
    return replace(result, from_cache=reading.cached)
