"""The phase before a reader's trials: every document that a strategy prepares, once. Then each question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from niah.cases.samples import context_of
from niah.errors import OutsideError
from niah.readers.fatal import StoppedReader
from niah.readers.reader import Reader
from niah.recently_used import RecentlyUsed
from niah.retrieval.registry import get_retriever
from niah.retrieval.retriever import Retriever
from niah.runs.preparation.asking import BudgetSpent, PreparationAsking
from niah.runs.preparation.preparer import Preparer
from niah.runs.preparation.question import asked_question
from niah.runs.retrieval import context_for, selection_of
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import (
    Chosen,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    Steps,
)
from niah.strategies.select import Selection
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import get_tokenizer

_Value = TypeVar("_Value")

_DOCUMENTS_KEPT = 64
"""In memory. Others are made again of replies that are kept on disk."""


@dataclass(frozen=True)
class _End:
    value: Any


class Preparations:
    """What is prepared for one reader.

    Args:
        reader: open; it prepares, too, where no other model is named.
        preparer: the other model, closed; None for the reader itself.
        asking: answers calls.
        thread: where steps are run, and whatever retrieves.
        say: is called with a line where something slow begins.
    """

    def __init__(
        self,
        reader: Reader,
        preparer: Preparer | None,
        asking: PreparationAsking,
        thread: ThreadPoolExecutor,
        say: Callable[[str], None],
    ) -> None:
        self._reader = reader
        self._preparer = preparer
        self._asking = asking
        self._thread = thread
        self._say = say
        self._opened = False
        self._made: RecentlyUsed[tuple[str, str], Any] = RecentlyUsed(room=_DOCUMENTS_KEPT, size=lambda _: 1)
        self._failed: dict[tuple[str, str], PreparationFailed] = {}

    async def documents(self, trials: Sequence[Trial]) -> StoppedReader | None:
        """Prepare every document of the trials, several at once. Raises BudgetSpent.

        Returns why the preparing model was asked no further, where it was not. What fails for one document is
        raised by ``chosen`` for its trials.
        """
        firsts = {_key(trial): trial for trial in trials if trial.strategy.prepared}
        if not firsts:
            return None
        if self._preparer and not self._opened:
            await self._preparer.reader.__aenter__()
            self._opened = True
        documents = "1 document" if len(firsts) == 1 else f"{len(firsts)} documents"
        self._say(f"preparing {documents} by {(self._preparer or Preparer(self._reader)).reader.name}")
        turns = asyncio.Semaphore(max(1, (self._preparer or Preparer(self._reader)).reader.concurrency))

        async def prepare(trial: Trial) -> None:
            async with turns:
                try:
                    await self._material(trial)
                except PreparationFailed as failed:
                    self._failed[_key(trial)] = failed

        results = await asyncio.gather(*map(prepare, firsts.values()), return_exceptions=True)
        _raise_first(results)
        return self._asking.streak.stopped

    async def close(self) -> None:
        """Close the other model."""
        if self._preparer and self._opened:
            self._opened = False
            await self._preparer.reader.__aexit__(None, None, None)

    async def chosen(self, trial: Trial) -> Chosen:
        """What the strategy gives the reader for a trial. Raises PreparationFailed and BudgetSpent."""
        if failed := self._failed.get(_key(trial)):
            raise failed
        strategy = _strategy(trial)
        material = await self._material(trial)
        document = await self._on_thread(_document, trial)
        began = time.monotonic()
        question = asked_question(trial, lambda other: self._selected(trial, other))
        steps = strategy.question(document, material, question, self._retriever(strategy))
        chosen = await self._run(steps, lambda call: self._reply(call, trial, trial.trial_id))
        return replace(chosen, seconds=time.monotonic() - began)

    def _selected(self, trial: Trial, definition: str) -> Selection:
        """What a strategy that asks nobody makes of the trial's context. Raises PreparationFailed."""
        strategy = strategy_of(definition)
        context = context_for(trial.sample, trial.truncation if strategy.sends_context else None)
        try:
            return selection_of(trial.sample, context, strategy, self._say)
        except OutsideError as error:
            raise PreparationFailed(error.message, "reader_error") from None

    async def _material(self, trial: Trial) -> Any:
        key = _key(trial)
        if (made := self._made.get(key)) is None:
            strategy = _strategy(trial)
            document = await self._on_thread(_document, trial)
            steps = strategy.document(document, self._retriever(strategy))
            made = (await self._run(steps, lambda call: self._reply(call, trial, "")),)
            self._made.put(key, made)
        return made[0]

    async def _reply(self, call: ModelCall, trial: Trial, trial_id: str) -> str:
        own = Preparer(self._reader, trial.options)
        return await self._asking.reply(
            call,
            own if call.by_reader else self._preparer or own,
            get_tokenizer(trial.sample.tokenizer),
            definition=trial.strategy.definition,
            document=trial.sample.sha256,
            trial_id=trial_id,
            seed=trial.seed,
            repeat=trial.repeat,
        )

    def _retriever(self, strategy: PreparedStrategy) -> Callable[[], Retriever]:
        return lambda: get_retriever(strategy.scored.retriever if strategy.scored else "", self._say)

    async def _run(self, steps: Steps[_Value], reply: Callable[[ModelCall], Awaitable[str]]) -> _Value:
        """Run steps to their end: in the thread, but for calls, of which all of a list are made at once."""
        replies: Sequence[str] | None = None
        while True:
            calls = await self._on_thread(_advance, steps, replies)
            if isinstance(calls, _End):
                value: _Value = calls.value
                return value
            answers = await asyncio.gather(*map(reply, calls), return_exceptions=True)
            _raise_first(answers)
            replies = [answer for answer in answers if isinstance(answer, str)]

    async def _on_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)


def _advance(steps: Steps[Any], replies: Sequence[str] | None) -> Sequence[ModelCall] | _End:
    try:
        return next(steps) if replies is None else steps.send(replies)
    except StopIteration as end:
        return _End(end.value)


def _raise_first(results: Sequence[object]) -> None:
    """Raise what went wrong, once all are done: what is under way is paid for, and kept."""
    errors = [result for result in results if isinstance(result, BaseException)]
    if errors:
        raise next((error for error in errors if isinstance(error, BudgetSpent)), errors[0])


def _key(trial: Trial) -> tuple[str, str]:
    return trial.strategy.definition, trial.sample.sha256


def _strategy(trial: Trial) -> PreparedStrategy:
    assert trial.strategy.prepared
    return trial.strategy.prepared


def _document(trial: Trial) -> PreparedDocument:
    return PreparedDocument(context_of(trial.sample).text, get_tokenizer(trial.sample.tokenizer))
