"""What runs in each process of a Ray cluster: one reader, and the trials that it is to ask."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from niah import __version__
from niah.cases.samples import fingerprint_of
from niah.errors import NiahError, UserError
from niah.readers.reader import Reader, Response, Traffic
from niah.runs.execution.executor import PreparedTrial
from niah.runs.execution.local import LocalExecutor
from niah.runs.trial import Trial


@dataclass(frozen=True)
class Refused:
    """What a worker could not do, and the user can. As text: not every exception travels well."""

    message: str
    remedy: str


@dataclass(frozen=True)
class Opened:
    """What a worker says when it is open."""

    version: str
    settings: dict[str, str | int]


class Worker:
    """Lives in a process of the cluster: one reader, and what it is to ask.

    Args:
        reader: closed.
        folder: where the driver works; this process goes there if there is such a folder.
    """

    def __init__(self, reader: Reader, folder: str) -> None:
        with suppress(OSError):
            os.chdir(folder)
        self._here = LocalExecutor(reader, lambda text: None, _check_texts)
        self._opening: asyncio.Task[LocalExecutor] | None = None

    async def open(self) -> Opened | Refused:
        """Open the reader."""
        try:
            await self._opened()
        except NiahError as error:
            return _refused(error)
        return Opened(__version__, self._here.settings)

    async def prepare(self, lane: int, trial: Trial) -> PreparedTrial | Refused:
        """As ``Executor.prepare``; the prompt stays here."""
        try:
            prepared = await (await self._opened()).prepare(lane, trial)
            return replace(prepared, request=replace(prepared.request, prompt=""))
        except NiahError as error:
            return _refused(error)

    async def read(self, lane: int, trial: Trial) -> tuple[Response, bool] | Refused:
        """As ``Executor.read``. One that took another's place prepares first."""
        try:
            here = await self._opened()
            if not here.is_prepared(trial):
                await here.prepare(lane, trial)
            return await here.read(lane, trial)
        except NiahError as error:
            return _refused(error)

    async def traffic(self) -> Traffic:
        """What the reader is at."""
        return self._here.traffic

    def drop(self, trial: Trial) -> None:
        """As ``Executor.drop``."""
        self._here.drop(0, trial)

    async def close(self) -> None:
        """Close the reader."""
        if self._opening is not None:
            await (await self._opening).__aexit__(None, None, None)

    async def _opened(self) -> LocalExecutor:
        """Open once, whoever comes first: a worker that Ray has started again is asked for trials at once."""
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._here.__aenter__())
        return await self._opening


def _check_texts(trial: Trial) -> None:
    sample = trial.sample
    if sample.case is not None and fingerprint_of(sample.case) != sample.fingerprint:
        raise UserError(
            f"a worker in {Path.cwd()} has other texts of {sample.needle_set}, {sample.haystack} "
            f"or {sample.prompt} than the driver.",
            "Share the working folder, or take it along: ray job submit --working-dir . -- niah run ...",
        )


def _refused(error: NiahError) -> Refused:
    return Refused(getattr(error, "message", str(error)), getattr(error, "remedy", ""))
