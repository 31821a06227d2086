"""``--on ray``: blocks of trials are tasks of an existing Ray cluster; the answers come into one run file.

The driver plans, keeps the budget, judges and is the only writer; a task opens its reader and asks its block.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from niah import __version__
from niah.cases.samples import fingerprint_of
from niah.errors import NiahError, UserError
from niah.event_loop import within
from niah.readers.reader import Lasting, Transport, asked_with
from niah.readers.retry import Reader
from niah.registry import error_line, require
from niah.runs.config import RunConfig
from niah.runs.cost.budget import BudgetLedger
from niah.runs.execution.ask import Asking, Block, Progress, first_error
from niah.runs.execution.cache import ResponseCache
from niah.runs.execution.judging import judged
from niah.runs.file.store import RunStore
from niah.runs.trial import Trial, TrialResult

_CPUS = 2  # what the preparing thread and an embedded reader keep busy
_BLOCK = 16  # trials of one task: what is lost with the driver, and asked again
_KNOCK_S = 5.0


def connect(config: RunConfig) -> None:
    """Join the cluster at RAY_ADDRESS, or the one that this machine belongs to. Raises UserError."""
    alone = [strategy.name for strategy in config.strategies if strategy.prepared]  # asks a model first
    alone += [reader.name for reader in config.readers if reader.settings.get("mode") == "batch"]
    alone += [name for name, asked in config.options.items() if asked.cache]  # asked in turn
    if alone:
        raise UserError(f"{', '.join(alone)}: asked from one process alone.", "Leave out --on ray.")
    require("ray", "--on ray", extra="ray", instead="run on this machine alone")
    import ray

    address = os.environ.get("RAY_ADDRESS", "auto")
    host, _, port = address.rpartition(":")
    try:
        if host and "/" not in host and port.isdecimal():  # Ray itself would try for minutes, and then abort
            socket.create_connection((host, int(port)), timeout=_KNOCK_S).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
    except (OSError, ValueError, RuntimeError) as error:
        problem = f"there is no Ray cluster to join ({address}): {error_line(error)}."
        raise UserError(problem, "Start one with `ray start --head`, or set RAY_ADDRESS.") from None


async def ask_on_ray(
    store: RunStore,
    config: RunConfig,
    todo: Sequence[Trial],
    progress: Progress,
    ledger: BudgetLedger,
    answered: Mapping[str, TrialResult],
    *,
    reuse: bool,
) -> dict[str, Lasting]:
    """Ask the trials on the cluster; why readers were asked no further, by name. Raises UserError."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    sizes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    cpus = min([_CPUS, *(size for size in sizes if size)])
    tasks = max(1, int(ray.cluster_resources().get("CPU", 0)) // cpus)
    progress.say(f"{tasks} tasks at once on the Ray cluster")
    task = ray.remote(num_cpus=cpus, scheduling_strategy="SPREAD")(_ask_block)
    about = (__version__, config.transport, str(Path.cwd()), store.run_id, reuse)
    stopped: dict[str, Lasting] = {}

    async def work(reader: Reader, trials: deque[Trial], lanes: int) -> None:
        """Have one block after another asked; the budget decides how large it may be."""
        while trials and reader.name not in stopped:
            trial = trials.popleft()  # at once: while it waits, the other tasks take the next ones
            if not await ledger.admit(trial):
                break
            block = {trial.trial_id: trial}
            while trials and len(block) < _BLOCK and ledger.admits(trials[0]) == "yes":
                trial = trials.popleft()
                block[trial.trial_id] = trial
            known = {trial_id: answered[trial_id] for trial_id in block if trial_id in answered}
            reference = task.remote(reader, list(block.values()), known, lanes, about)
            try:
                made: Block = await reference
            except asyncio.CancelledError:
                ray.cancel(reference)
                raise
            except RayError as error:
                if isinstance(error, RayTaskError):  # a defect of ours, with its traceback
                    raise
                remedy = "Finished trials are stored; the same command goes on."
                raise UserError(f"the Ray cluster failed: {error_line(error)}.", remedy) from None
            asked = [block[trial_id] for trial_id, _ in made.results]
            judging = (judged(block[trial_id], result, config.judge) for trial_id, result in made.results)
            scored = zip(asked, await asyncio.gather(*judging), strict=True)
            settled = [(trial, ledger.settle(trial, result)) for trial, result in scored]
            await asyncio.to_thread(store.commit, settled)
            for name, settings in made.readers.items():
                store.record("readers", name, settings)
            for trial, result in settled:
                progress.finished(trial, result)
            if made.mistake:
                raise UserError(*made.mistake)
            for trial_id in block.keys() - dict(made.results).keys():  # these were not asked
                ledger.release(trial_id)
            stopped.update(made.stopped)

    try:
        async with config.judge, asyncio.TaskGroup() as group:
            for reader in config.readers:
                own = deque(trial for trial in todo if trial.reader == reader.name)
                embedded = reader.settings.get("provider") == "embedded"
                at_once = tasks if embedded else min(tasks, reader.concurrency)
                lanes = 1 if embedded else reader.concurrency // at_once
                for _ in range(at_once):
                    group.create_task(work(reader, own, lanes))
    except BaseExceptionGroup as errors:
        raise first_error(errors) from None
    if config.judge.needs_model:
        store.record("judges", config.judge.name, config.judge.settings)
    return stopped


def _ask_block(
    reader: Reader,
    trials: list[Trial],
    answered: Mapping[str, TrialResult],
    lanes: int,
    about: tuple[str, Transport, str, str, bool],
) -> Block:
    """On a node: ask a block of trials."""
    version, transport, folder, run_id, reuse = about
    with suppress(OSError):
        os.chdir(folder)
    block = Block()
    try:
        if version != __version__:
            problem = f"a node of the cluster runs niah {__version__}, the driver {version}."
            raise UserError(problem, "Install the same version on every node.")
        for sample in {trial.sample.sample_id: trial.sample for trial in trials}.values():
            if sample.case is not None and fingerprint_of(sample.case) != sample.fingerprint:
                problem = f"a node in {Path.cwd()} has other texts of {sample.sample_id} than the driver."
                remedy = "Share the folder, or bring it: ray job submit --working-dir . -- niah run ..."
                raise UserError(problem, remedy)
        with ResponseCache(run_id, reuse=reuse) as cache, within(asked_with, transport):
            asking = Asking(block, Progress(), None, cache=cache, answered=answered)
            block.stopped = asyncio.run(asking.ask([reader], trials, lanes))
    except NiahError as error:
        block.mistake = getattr(error, "message", str(error)), getattr(error, "remedy", "")
    return block
