"""Models asked before the reader is: every document that a strategy prepares, once, then each question.

A call is answered from the cache or by the model, within the budget; calls that are alike are paid once.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from niah.cases.samples import context_of
from niah.errors import OutsideError, Say, counted
from niah.readers.reader import Answer, Failure, Lasting, Request, Usage
from niah.readers.retry import FaultStreak, Reader
from niah.retrieval.registry import get_retriever
from niah.runs.config import Preparer
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.prices import cost
from niah.runs.execution.cache import ResponseCache, request_key
from niah.runs.retrieval import context_for, selection_of
from niah.runs.trial import PreparationCall, Trial, asked_question
from niah.strategies.facts import Selection, at_needles
from niah.strategies.prepared.steps import (
    Chosen,
    ModelCall,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    Steps,
)
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer

_Value = TypeVar("_Value")

_DOCUMENTS_IN_MEMORY = 64
_CUT, _BY_TOOLS = "cut", "by tools"  # the sources of a reply that filled its room, and of calls of tools
_STEP = "step "  # before the keys of such replies in the cache


class BudgetSpent(Exception):
    """The budget does not hold one more call."""


async def in_pool(pool: ThreadPoolExecutor, work: Callable[..., _Value], *arguments: Any) -> _Value:
    """What ``work`` returns, in a thread that sees this task's context variables."""
    return await asyncio.get_running_loop().run_in_executor(pool, copy_context().run, work, *arguments)


@dataclass
class Preparations:
    """What models prepare for the trials of one run."""

    readers: Mapping[str, Reader]  # opened by others; each prepares where no other model is named
    preparer: Preparer | None  # the other model; opened by others too
    cache: ResponseCache  # replies on disk, open
    ledger: BudgetLedger
    record: Callable[[PreparationCall], None]  # gets each call as it is answered; in a thread
    say: Say  # gets a line where something slow begins

    def __post_init__(self) -> None:
        # Steps are run in one thread, and whatever retrieves: retrieval models are not safe to share.
        self.thread = ThreadPoolExecutor(max_workers=1)
        self.answers: dict[str, Answer] = {}  # by trial, the latest reply that may be its answer
        self._made: dict[tuple[str, ...], Any] = {}
        self._failed: dict[tuple[str, ...], PreparationFailed] = {}
        self._replies: dict[str, Answer] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._streaks: defaultdict[str, FaultStreak] = defaultdict(FaultStreak)
        self._without_tools = set[str]()  # trials whose search began without calls of tools, and goes on so

    async def documents(self, reader: Reader, trials: Sequence[Trial]) -> Lasting | None:
        """Prepare all documents of a reader; why the model was asked no further. Raises BudgetSpent."""
        firsts = {_key(trial): trial for trial in trials if trial.strategy.prepared}
        if not firsts:
            return None
        model = self.preparer.reader if self.preparer else reader
        self.say(f"preparing {counted(len(firsts), 'document')} by {model.name}")
        turns = asyncio.Semaphore(max(1, model.concurrency))

        async def prepare(trial: Trial) -> None:
            async with turns:
                try:
                    await self._material(trial)
                except PreparationFailed as failed:
                    self._failed[_key(trial)] = failed

        _raise_first(await asyncio.gather(*map(prepare, firsts.values()), return_exceptions=True))
        return self._streaks[model.name].stopped

    async def chosen(self, trial: Trial) -> Chosen:
        """What the strategy gives the reader for a trial. Raises PreparationFailed and BudgetSpent."""
        if failed := self._failed.get(_key(trial)):
            raise failed
        material = await self._material(trial)
        strategy, document = await in_pool(self.thread, self._prepared, trial)
        question = asked_question(trial, document, lambda other: self._selected(trial, other))
        steps = strategy.question(question, material)
        chosen: Chosen = await self._run(steps, trial, trial.trial_id)
        reply = self.answers.get(trial.trial_id)
        return replace(chosen, seconds=reply.latency_s) if reply else chosen

    async def _material(self, trial: Trial) -> Any:
        """What the strategy makes of the trial's document."""
        if (key := _key(trial)) in self._made:
            return self._made[key]
        strategy, document = await in_pool(self.thread, self._prepared, trial)
        made = await self._run(strategy.document(document), trial, "")
        if len(self._made) >= _DOCUMENTS_IN_MEMORY:
            del self._made[next(iter(self._made))]  # the oldest
        self._made[key] = made
        return made

    def _selected(self, trial: Trial, definition: str) -> Selection:
        """What a strategy that asks no model makes of the trial's context. Raises PreparationFailed."""
        strategy = strategy_of(definition)
        context = context_for(trial.sample, trial.truncation if strategy.sends_context else None)
        try:
            return selection_of(trial.sample, context, strategy, self.say)
        except OutsideError as error:
            raise PreparationFailed(error.message, "reader_error") from None

    def _prepared(self, trial: Trial) -> tuple[PreparedStrategy, PreparedDocument]:
        strategy, tokenizer = trial.strategy.prepared, get_tokenizer(trial.sample.tokenizer)
        assert strategy
        text, retriever = context_of(trial.sample).text, strategy.scored.retriever if strategy.scored else ""
        return strategy, PreparedDocument(text, tokenizer, lambda: get_retriever(retriever, self.say))

    async def _run(self, steps: Steps[_Value], trial: Trial, trial_id: str) -> _Value:
        """Run steps to their end: in the thread, but for calls, of which all of a list are made at once."""
        replies: Sequence[str] | None = None
        while True:
            calls, ended = await in_pool(self.thread, _advance, steps, replies)
            if calls is None:
                value: _Value = ended
                return value
            asked = (self._reply(call, trial, trial_id) for call in calls)
            answers = await asyncio.gather(*asked, return_exceptions=True)
            _raise_first(answers)
            replies = [answer for answer in answers if isinstance(answer, str)]

    async def _reply(self, call: ModelCall, trial: Trial, trial_id: str) -> str:
        """What the model says to the call; recorded. Raises PreparationFailed and BudgetSpent."""
        own = Preparer(self.readers[trial.reader], trial.options)
        preparer = own if call.by_reader else self.preparer or own
        request = preparer.options.request(call.prompt, call.max_tokens + preparer.options.thinking_room)
        if trial_id not in self._without_tools:
            request = replace(request, tools=tuple(call.tools), messages=tuple(call.messages))
        if call.is_answer:  # asked as the trial is
            request = replace(request, seed=trial.seed)
        else:
            request = replace(request, temperature=0.0, top_p=None, system="", stop=())
        key = request_key(preparer.reader, request, trial.repeat if call.is_answer else 0)
        if request.temperature != 0:  # trials that share a prompt share no luck
            key = f"{key} {trial_id}"
        with self.ledger.waiting(trial.trial_id):
            async with self._turns[key]:
                known = self._replies.get(key) or self.cache.get(_STEP + key)
                answer = known or await self._asked(key, call, request, preparer.reader, trial)
                self._replies[key] = answer
        if call.is_answer:
            self.answers[trial_id] = answer
        model, sources = preparer.reader.name, answer.sources or ()
        is_cut = _CUT in sources
        if call.tools and _BY_TOOLS not in sources:
            self._without_tools.add(trial_id)
        uses = await in_pool(self.thread, call.uses, answer.text)
        made = PreparationCall(
            definition=trial.strategy.definition,
            document=trial.sample.sha256,
            trial_id=trial_id,
            key=key,
            step=f"{call.step} {_BY_TOOLS}" if _BY_TOOLS in sources else call.step,
            model=model,
            usage=answer.usage,
            cost=Decimal(0) if known else cost(self.ledger.prices.get(model), answer.usage),
            from_cache=known is not None,
            is_understood=call.is_understood(answer.text),
            is_cut=is_cut,
            reused_from=answer.reused_from,
            turn=call.turn,
            uses=tuple(at_needles(use, trial.sample.needles) for use in uses),
        )
        await asyncio.to_thread(self.record, made)
        if is_cut and call.is_answer and not call.turn:
            raise PreparationFailed(f"the answer fills its {request.max_tokens:,} tokens", "truncated")
        return answer.text

    async def _asked(
        self, key: str, call: ModelCall, request: Request, reader: Reader, trial: Trial
    ) -> Answer:
        """The model's reply, with ``_CUT`` and ``_BY_TOOLS``; stored before anything else happens."""
        model, streak = reader.name, self._streaks[reader.name]
        tokenizer = get_tokenizer(trial.sample.tokenizer)
        own = count(tokenizer, request.text)
        if not await self.ledger.admit_call(
            key, model, own, request.max_tokens, lambda: bool(streak.stopped)
        ):
            if streak.stopped:
                raise PreparationFailed(f"{model}: {streak.stopped.reason.rstrip('.')}")
            raise BudgetSpent
        response = await reader.read(request)
        streak.note(response)
        usage = response.usage
        if usage.prompt_tokens is None and response.text:
            usage = Usage(own, count(tokenizer, response.text))
        self.ledger.settle_call(key, model, own, request.max_tokens, usage)
        is_cut = isinstance(response, Failure) and response.outcome == "truncated"
        if isinstance(response, Failure) and not (is_cut and response.text.strip()):
            failed = f"{call.step} by {model}: {response.reason.rstrip('.')}"
            if call.is_answer and response.outcome != "judge_error":
                raise PreparationFailed(failed, response.outcome)
            raise PreparationFailed(failed)
        by_tools = isinstance(response, Answer) and response.by_tools
        sources = (_CUT if is_cut else "whole", *([_BY_TOOLS] if by_tools else []))
        answer = Answer(response.text, usage, response.latency_s, sources=sources)
        if call.is_understood(answer.text):  # others may be understood when they are asked for again
            self.cache.put(_STEP + key, answer)
        return answer


def _advance(steps: Steps[Any], replies: Sequence[str] | None) -> tuple[Sequence[ModelCall] | None, Any]:
    """The next calls; None and what came of the steps at their end. Raises PreparationFailed."""
    try:
        return (next(steps) if replies is None else steps.send(replies)), None
    except StopIteration as end:
        return None, end.value
    except OutsideError as error:
        raise PreparationFailed(error.message, "reader_error") from None


def _raise_first(results: Sequence[object]) -> None:
    """Raise what went wrong, once all are done: what is under way is paid for, and stored."""
    errors = [result for result in results if isinstance(result, BaseException)]
    if errors:
        raise next((error for error in errors if isinstance(error, BudgetSpent)), errors[0])


def _key(trial: Trial) -> tuple[str, ...]:
    return trial.strategy.definition, trial.sample.sha256, trial.reader
