"""Trials prepared and asked in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Self

from niah.errors import OutsideError
from niah.readers.fatal import StoppedReader
from niah.readers.reader import Answer, Failure, Reader, Request, Response, Traffic
from niah.retrieval.user import failure_of
from niah.runs.execution.executor import PreparedTrial
from niah.runs.execution.prepare import prepare
from niah.runs.execution.response_cache import may_be_kept, request_key, system_key, system_settings
from niah.runs.prefix_order import prefix_key
from niah.runs.preparation.asking import PreparationAsking
from niah.runs.preparation.phase import Preparations
from niah.runs.preparation.preparer import Preparer
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import Chosen, PreparationFailed
from niah.strategies.strategy import Strategy
from niah.strategies.systems import system_answer, system_question
from niah.text.embedding import EmbeddingWatch, watched


class LocalExecutor:
    """This process: one thread prepares, the event loop asks.

    Args:
        reader: closed; opened and closed with this place.
        say: is called with a line where something is loaded first.
        check: raises NiahError for a trial that must not be prepared here.
        asking: answers the calls of strategies that ask a model first; None where none is planned.
        preparer: whom they ask; None for the reader itself.
    """

    def __init__(
        self,
        reader: Reader,
        say: Callable[[str], None],
        check: Callable[[Trial], None] | None = None,
        asking: PreparationAsking | None = None,
        preparer: Preparer | None = None,
    ) -> None:
        self._reader = reader
        self._say = say
        self._check = check
        # One thread: retrieval models are not safe to share, and one is ahead of any reader.
        self._preparing = ThreadPoolExecutor(max_workers=1)
        # One for each application, with as many threads as it may be asked questions at once.
        self._systems: dict[str, ThreadPoolExecutor] = {}
        self._watch = EmbeddingWatch(say)
        self._requests: dict[str, Request] = {}
        self._model_asking = asking
        self._preparations = asking and Preparations(reader, preparer, asking, self._preparing, say)

    @property
    def lanes(self) -> int:
        """How many trials may be under way at once."""
        return self._reader.concurrency

    @property
    def traffic(self) -> Traffic:
        """What the reader is at, and what is prepared for it."""
        return replace(self._reader.traffic, preparing=self._watch.label)

    @property
    def settings(self) -> dict[str, str | int]:
        """How the reader is asked."""
        return self._reader.settings

    async def __aenter__(self) -> Self:
        await self._reader.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._watch.stop()
        if self._preparations:
            await self._preparations.close()
        self._preparing.shutdown(cancel_futures=True)
        for asking in self._systems.values():
            asking.shutdown(cancel_futures=True)
        await self._reader.__aexit__(*exc)

    async def prepare_documents(self, trials: Sequence[Trial]) -> StoppedReader | None:
        """Where strategies ask a model first."""
        return await self._preparations.documents(trials) if self._preparations else None

    async def prepare(self, lane: int, trial: Trial) -> PreparedTrial:
        """In the thread. Raises NiahError."""
        loop = asyncio.get_running_loop()
        chosen: Chosen | None = None
        if trial.strategy.prepared:
            assert self._preparations
            try:
                chosen = await self._preparations.chosen(trial)
            except PreparationFailed as failed:
                response = Failure(failed.outcome, failed.reason)
                return PreparedTrial(Request("", trial.room), 0, None, response=response)
        in_context = partial(copy_context().run, self._in_thread, trial, chosen)
        prepared = await loop.run_in_executor(self._preparing, in_context)
        if prepared.response is not None:
            earlier = self._model_asking and self._model_asking.reused_answers.get(trial.trial_id)
            if earlier and isinstance(prepared.response, Answer):
                reused = replace(prepared.response, cached=True, reused_from=earlier)
                return replace(prepared, response=reused)
            return prepared
        if trial.strategy.system:
            self._requests[trial.trial_id] = prepared.request
            of_system = system_key(trial, prepared.request.prompt)
            return replace(prepared, key=of_system, reader_settings=system_settings(trial))
        # A provider keeps one lane's prompts together, as one slot of a server does.
        request = replace(prepared.request, prefix_key=f"{prefix_key(trial)}-{lane}")
        self._requests[trial.trial_id] = request
        key = request_key(self._reader, request, trial.repeat) if may_be_kept(self._reader, request) else None
        return replace(prepared, request=request, key=key, reader_settings=self._reader.settings)

    async def read(self, lane: int, trial: Trial) -> tuple[Response, bool]:
        """Ask the reader, or a system in its place."""
        request = self._requests.pop(trial.trial_id)
        if trial.strategy.system:
            loop = asyncio.get_running_loop()
            asking = self._asking(trial.strategy)
            return await loop.run_in_executor(asking, self._ask_system, trial, request.prompt), True
        response = await self._reader.read(request)
        return response, may_be_kept(self._reader, request)

    def is_prepared(self, trial: Trial) -> bool:
        """Whether the trial can be read."""
        return trial.trial_id in self._requests

    def drop(self, lane: int, trial: Trial) -> None:
        """Forget the prompt."""
        self._requests.pop(trial.trial_id, None)

    def _asking(self, strategy: Strategy) -> ThreadPoolExecutor:
        if strategy.name not in self._systems:
            self._systems[strategy.name] = ThreadPoolExecutor(max_workers=strategy.system_at_once)
        return self._systems[strategy.name]

    def _ask_system(self, trial: Trial, document: str) -> Response:
        assert trial.strategy.system
        try:
            with watched(self._watch):
                return system_answer(trial.strategy.system, system_question(trial.sample), document)
        except OutsideError as error:
            return failure_of(error)

    def _in_thread(self, trial: Trial, chosen: Chosen | None) -> PreparedTrial:
        if self._check:
            self._check(trial)
        with watched(self._watch):
            return prepare(trial, self._say, chosen)
