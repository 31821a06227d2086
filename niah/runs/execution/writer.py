"""Finished trials on their way into the run file.

A commit waits for the disk: half a millisecond and more, as long as a fast endpoint takes to answer. So one
thread commits while the readers go on, and what finishes meanwhile goes into the next commit: the group
commit of DeWitt et al., "Implementation techniques for main memory database systems" (1984). A trial is
reported as finished only once it is on the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from niah.runs.file.store import RunStore
from niah.runs.trial import Trial, TrialResult

# A disk that is so far behind is waited for.
_MOST_WAITING = 256


class Writer:
    """Commits finished trials, in order. Opened with ``async with``, which ends when all are committed.

    Args:
        store: the run file, which nobody else writes meanwhile.
        report: hears of each trial that is committed.
    """

    def __init__(self, store: RunStore, report: Callable[[Trial, TrialResult], None]) -> None:
        self._store = store
        self._report = report
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._waiting: list[tuple[Trial, TrialResult]] = []
        self._committing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._all_committed()
        finally:
            self._thread.shutdown()

    async def finish(self, trial: Trial, result: TrialResult) -> None:
        """Commit the trial soon. Raises what an earlier commit raised."""
        self._waiting.append((trial, result))
        if self._committing is None or self._committing.done():
            await self._all_committed()  # raises, where the last commit failed
            self._committing = asyncio.create_task(self._commit())
        elif len(self._waiting) >= _MOST_WAITING:
            await asyncio.shield(self._committing)

    async def _all_committed(self) -> None:
        if self._committing is not None:
            await asyncio.shield(self._committing)

    async def _commit(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await loop.run_in_executor(self._thread, self._store.commit, batch)
            for trial, result in batch:
                self._report(trial, result)
