"""Preparation calls answered: from the cache, or by the model, within the budget; each paid once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from decimal import Decimal

from niah.readers.fatal import FaultStreak
from niah.readers.reader import Answer, Failure, Reader, Request, Usage
from niah.runs.cost.ledger import BudgetLedger
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import Spending, cost, spending_of
from niah.runs.execution.response_cache import ResponseCache, request_key
from niah.runs.preparation.preparer import PreparationCall, Preparer, request_of
from niah.strategies.prepared.steps import ModelCall, PreparationFailed
from niah.text.tokenizer import Tokenizer, count

_PROMPT_SLACK = 32
"""Joints, and the roles of a chat."""
_OF_A_CUT_REPLY = "cut"
_WHOLE = "whole"


class BudgetSpent(Exception):
    """The budget does not hold one more call."""


class PreparationAsking:
    """Asks preparing models. Calls that are alike, of whatever document, are asked once.

    Args:
        cache: replies on disk, open.
        ledger: of the run.
        prices: of every model asked, by name.
        record: is given each call as it is answered; in a thread.
    """

    def __init__(
        self,
        cache: ResponseCache,
        ledger: BudgetLedger | None,
        prices: Mapping[str, Price | None],
        record: Callable[[PreparationCall], None],
    ) -> None:
        self._cache = cache
        self._ledger = ledger
        self._prices = prices
        self._record = record
        self._replies: dict[str, tuple[Answer, bool]] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._settled = asyncio.Condition()
        self._most_counted: defaultdict[str, float] = defaultdict(lambda: 1.0)
        self._most_written: defaultdict[str, float] = defaultdict(lambda: 1.0)
        self.streak = FaultStreak()
        self.reused_answers: dict[str, str] = {}
        """By trial whose answer came with such a call, when an earlier run got it."""

    async def reply(
        self,
        call: ModelCall,
        preparer: Preparer,
        tokenizer: Tokenizer,
        *,
        definition: str,
        document: str,
        trial_id: str = "",
        seed: int = 0,
        repeat: int = 0,
    ) -> str:
        """What the model says to the call. Raises PreparationFailed and BudgetSpent.

        Args:
            call: to be answered.
            preparer: open.
            tokenizer: what we count by.
            definition, document, trial_id: whose call it is, for the run file.
            seed, repeat: of the trial; a call whose reply may be the answer is asked anew for each.
        """
        request = request_of(call, preparer.options, seed)
        key = request_key(preparer.reader, request, repeat if call.is_answer else 0)
        async with self._turns[key]:
            known = self._replies.get(key) or self._kept(key)
            answer, is_cut = known or await self._asked(key, call, request, preparer.reader, tokenizer)
            self._replies[key] = answer, is_cut
        if call.is_answer and answer.reused_from:
            self.reused_answers[trial_id] = answer.reused_from
        price = self._prices.get(preparer.reader.name)
        await asyncio.to_thread(
            self._record,
            PreparationCall(
                definition=definition,
                document=document,
                trial_id=trial_id,
                key=key,
                step=call.step,
                model=preparer.reader.name,
                usage=answer.usage,
                cost=Decimal(0) if known else cost(price, answer.usage),
                from_cache=known is not None,
                is_understood=call.is_understood(answer.text),
                is_cut=is_cut,
                reused_from=answer.reused_from,
            ),
        )
        if is_cut and call.is_answer:
            raise PreparationFailed(f"the answer fills its {request.max_tokens:,} tokens", "truncated")
        return answer.text

    def _kept(self, key: str) -> tuple[Answer, bool] | None:
        kept = self._cache.get(key)
        return None if kept is None else (kept, kept.sources == (_OF_A_CUT_REPLY,))

    async def _asked(
        self, key: str, call: ModelCall, request: Request, reader: Reader, tokenizer: Tokenizer
    ) -> tuple[Answer, bool]:
        """The model's reply, stored before anything else happens."""
        own = count(tokenizer, request.text)
        await self._admitted(key, reader.name, own, request.max_tokens)
        response = await reader.read(request)
        self.streak.note(response)
        usage = response.usage
        if usage.prompt_tokens is None and response.text:
            usage = Usage(own, count(tokenizer, response.text))
        self._most_counted[reader.name] = max(
            self._most_counted[reader.name], (usage.prompt_tokens or 0) / (own + _PROMPT_SLACK)
        )
        self._most_written[reader.name] = max(
            self._most_written[reader.name], (usage.completion_tokens or 0) / request.max_tokens
        )
        await self._settle(key, spending_of(usage, cost(self._prices.get(reader.name), usage)))
        is_cut = isinstance(response, Failure) and response.outcome == "truncated"
        if isinstance(response, Failure) and not (is_cut and response.text.strip()):
            reason = response.reason.rstrip(".")
            failed = f"{call.step} by {reader.name}: {reason}"
            if call.is_answer and response.outcome != "judge_error":
                raise PreparationFailed(failed, response.outcome)
            raise PreparationFailed(failed)
        marks = (_OF_A_CUT_REPLY if is_cut else _WHOLE,)
        answer = Answer(response.text, usage, response.latency_s, sources=marks)
        if call.is_understood(answer.text):  # others may be understood when they are asked for again
            self._cache.put(key, answer, trial_key="")
        return answer, is_cut

    async def _admitted(self, key: str, model: str, prompt: int, room: int) -> None:
        """Wait until the call may be made. Raises BudgetSpent; PreparationFailed where nobody answers."""
        price = self._prices.get(model)
        async with self._settled:
            while True:
                if stopped := self.streak.stopped:
                    raise PreparationFailed(f"{model}: {stopped.reason.rstrip('.')}")
                # Anew each time: calls that end in between show what they take.
                bound = int((prompt + _PROMPT_SLACK) * self._most_counted[model]) + 1
                written = int(room * self._most_written[model]) + 1
                most = Spending(bound + written, price.at_most(bound, written) if price else None)
                match self._ledger.admits_call(key, model, most) if self._ledger else "yes":
                    case "yes":
                        return
                    case "no":
                        raise BudgetSpent
                    case "later":
                        await self._settled.wait()

    async def _settle(self, key: str, taken: Spending) -> None:
        async with self._settled:
            if self._ledger:
                self._ledger.settle_call(key, taken)
            self._settled.notify_all()
