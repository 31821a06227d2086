"""Trials prepared and asked by the workers of an existing Ray cluster.

The driver plans, keeps the budget and is the only writer; a worker holds nothing that is not made again.
Ray puts another in the place of one that dies, elsewhere if need be, and the trials it was at are asked
again: what it had sent back is committed, or about to be.

Every node needs the same version of niah and the files that the run names, under the same path or in the
working folder that ``ray job submit --working-dir`` brings along. A worker refuses trials whose texts are not
those of the driver.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from niah import __version__
from niah.errors import UserError
from niah.plugins.optional import require
from niah.readers.reader import Reader, Response, Traffic
from niah.runs.execution.cluster_worker import Opened, Refused, Worker
from niah.runs.execution.executor import PreparedTrial
from niah.runs.trial import Trial

# What a preparing thread and an embedded reader keep busy.
_CPUS_PER_WORKER = 2
# Weights may have to be fetched first.
_START_LIMIT_S = 600.0
_KNOCK_S = 5.0
# A worker is started in seconds; that a node is gone shows after half a minute.
_LOST_S = 30.0
# What killed workers had is free a moment later, unless somebody else takes it.
_FREED_S, _FREED_STEP_S = 10.0, 0.1
# So often workers are asked what they are at, and so long each of them may take to say it.
_LOOK_S = 2.0
_WAITS_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0, 30.0)


class Cluster:
    """Workers of a Ray cluster. ``connect`` comes first.

    Args:
        reader: closed; each worker opens its own copy.
        say: is called with how many workers there are, and when one is lost.
    """

    def __init__(self, reader: Reader, say: Callable[[str], None]) -> None:
        self._reader = reader
        self._say = say
        self._workers: list[Any] = []
        self._settings: dict[str, str | int] = {}
        self._traffic: dict[int, Traffic] = {}
        self._watching: asyncio.Task[None] | None = None
        self._lost_until: dict[int, float] = {}

    @property
    def lanes(self) -> int:
        """Embedded readers: all of the workers'. Others are behind one endpoint, whose limit they share."""
        each = self._reader.concurrency
        return each * len(self._workers) if _is_embedded(self._reader) else each

    @property
    def traffic(self) -> Traffic:
        """What the workers' readers are at, as they said last: who waits for an endpoint is seen to wait."""
        each = self._traffic.values()
        return Traffic(
            running=sum(traffic.running for traffic in each),
            waiting=sum(traffic.waiting for traffic in each),
            retries=sum(traffic.retries for traffic in each),
        )

    @property
    def settings(self) -> dict[str, str | int]:
        """How the reader is asked, by each worker alike."""
        return self._settings

    async def __aenter__(self) -> Self:
        """Start the workers. Raises UserError where none can be, or they differ among themselves."""
        count = _workers_wanted(self._reader)
        self._workers = [_start(self._reader) for _ in range(count)]
        opened = await self._all_opened()
        self._settings = _agreed(opened)
        self._say(f"{count} {'worker' if count == 1 else 'workers'} on the Ray cluster")
        self._watching = asyncio.ensure_future(self._watch())
        return self

    async def __aexit__(self, *exc: object) -> None:
        import ray

        if self._watching:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        closing = [worker.close.remote() for worker in self._workers]
        if closing:
            with suppress(Exception):  # one that has died need not be closed
                await asyncio.to_thread(ray.wait, closing, num_returns=len(closing), timeout=10)
        for worker in self._workers:
            ray.kill(worker)
        await _freed(len(self._workers))
        self._workers = []

    async def prepare_documents(self, trials: Sequence[Trial]) -> None:
        """No strategy that asks a model first is run here."""

    async def prepare(self, lane: int, trial: Trial) -> PreparedTrial:
        """By the lane's worker. Raises NiahError."""
        prepared: PreparedTrial = await self._answered(
            lane, lambda worker: worker.prepare.remote(lane, trial)
        )
        return prepared

    async def read(self, lane: int, trial: Trial) -> tuple[Response, bool]:
        """By the lane's worker."""
        answered: tuple[Response, bool] = await self._answered(
            lane, lambda worker: worker.read.remote(lane, trial)
        )
        return answered

    def drop(self, lane: int, trial: Trial) -> None:
        """Tell the lane's worker; nobody waits for it."""
        self._workers[self._serving(lane)].drop.remote(trial)

    async def _watch(self) -> None:
        """Ask the workers what they are at, again and again; one that is lost is at what it was."""
        from ray.exceptions import RayError

        while True:
            await asyncio.sleep(_LOOK_S)
            for number, worker in enumerate(self._workers):
                with suppress(RayError, TimeoutError):
                    async with asyncio.timeout(_LOOK_S):
                        self._traffic[number] = await worker.traffic.remote()

    async def _all_opened(self) -> list[Opened]:
        try:
            async with asyncio.timeout(_START_LIMIT_S):
                opening = (
                    self._answered(number, lambda worker: worker.open.remote())
                    for number in range(len(self._workers))
                )
                opened: list[Opened] = await asyncio.gather(*opening)
                return opened
        except TimeoutError:
            raise UserError(
                f"the Ray cluster gave no {len(self._workers)} workers within {_START_LIMIT_S:g} s.",
                "See `ray status`: are its CPUs taken?",
            ) from None

    async def _answered(self, lane: int, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        """What the lane's worker answers, or the one that takes its place."""
        from ray.exceptions import RayActorError, RayError, RayTaskError

        for wait_s in _WAITS_S:
            number = self._serving(lane)
            try:
                answer = await ask(self._workers[number])
            except RayActorError:
                self._lose(number)
                await asyncio.sleep(wait_s)
            except RayTaskError:
                raise  # a defect of ours, met in a worker: with its traceback
            except RayError as error:
                raise UserError(f"the Ray cluster failed: {_first_line(error)}.", _KEPT) from None
            else:
                if isinstance(answer, Refused):
                    raise UserError(answer.message, answer.remedy)
                return answer
        raise UserError("the Ray cluster loses its workers again and again.", _KEPT)

    def _serving(self, lane: int) -> int:
        """The lane's own worker, or the next that has not just been lost."""
        count, now = len(self._workers), time.monotonic()
        turns = [(lane + step) % count for step in range(count)]
        return next((number for number in turns if self._lost_until.get(number, 0.0) <= now), turns[0])

    def _lose(self, number: int) -> None:
        """Leave a worker alone for a while: Ray starts it anew, if the cluster has room for it."""
        now = time.monotonic()
        if self._lost_until.get(number, 0.0) <= now:
            self._say("a worker was lost; its trials are asked again")
        self._lost_until[number] = now + _LOST_S


_KEPT = "Finished trials are kept; the same command goes on."


def connect() -> None:
    """Join the cluster at RAY_ADDRESS, or the one that this machine belongs to. Raises UserError."""
    require("ray", "--on ray", extra="ray", instead="run on this machine alone")
    import ray

    address = os.environ.get("RAY_ADDRESS", "auto")
    try:
        _knock(address)
        # Without an address it would start a cluster of its own.
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(
            f"there is no Ray cluster to join ({address}): {_first_line(error)}.",
            "Start one with `ray start --head`, or set RAY_ADDRESS.",
        ) from None


def _knock(address: str) -> None:
    """Raise OSError where nothing listens at HOST:PORT: Ray itself would try for minutes, and then abort."""
    host, _, port = address.rpartition(":")
    if host and "/" not in host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_KNOCK_S).close()


def _start(reader: Reader) -> Any:
    import ray

    actor = ray.remote(Worker).options(
        num_cpus=_cpus_per_worker(), max_restarts=-1, max_concurrency=1024, scheduling_strategy="SPREAD"
    )
    return actor.remote(reader, str(Path.cwd()))


async def _freed(workers: int) -> None:
    """Wait until what so many workers had is free again: the next reader may be opened at once."""
    for _ in range(int(_FREED_S / _FREED_STEP_S)):
        if _free() >= workers:
            return
        await asyncio.sleep(_FREED_STEP_S)


def _free() -> int:
    """For how many workers there are CPUs."""
    import ray

    return int(ray.available_resources().get("CPU", 0)) // _cpus_per_worker()


def _workers_wanted(reader: Reader) -> int:
    """As many as find CPUs that are free; no more than an endpoint is asked at once."""
    free = _free()
    if not free:
        raise UserError("the Ray cluster has no free CPUs.", "See `ray status`, or wait.")
    return free if _is_embedded(reader) else min(free, reader.concurrency)


def _cpus_per_worker() -> int:
    import ray

    sizes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    return min([_CPUS_PER_WORKER, *(size for size in sizes if size)])


def _agreed(opened: list[Opened]) -> dict[str, str | int]:
    """The settings of all workers' readers."""
    for worker in opened:
        if worker.version != __version__:
            raise UserError(
                f"a worker runs niah {worker.version}, the driver {__version__}.",
                "Install the same version on every node.",
            )
        if worker.settings != opened[0].settings:
            different = sorted(name for name, _ in opened[0].settings.items() ^ worker.settings.items())
            raise UserError(
                f"the workers' readers differ in {', '.join(dict.fromkeys(different))}.",
                "Give every node the same model and the same versions.",
            )
    return opened[0].settings


def _is_embedded(reader: Reader) -> bool:
    return reader.settings.get("provider") == "embedded"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
