"""Who prepares, and what one call took."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from niah.readers.options import PLAIN, ReaderOptions
from niah.readers.reader import Reader, Request, Usage
from niah.runs.cost.prices.spending import Spending, spending_of
from niah.strategies.prepared.steps import ModelCall


@dataclass(frozen=True)
class Preparer:
    """A model that prepares, closed, and how it is asked."""

    reader: Reader
    options: ReaderOptions = PLAIN


@dataclass(frozen=True)
class PreparationCall:
    """A call as the run file holds it.

    Attributes:
        definition: of the strategy.
        document: digest of the context.
        trial_id: whose question it was for; "" where it was for all questions on the document.
        key: of the request in the cache of preparations.
        step: what it was for.
        model: that was asked.
        usage: as reported, also where the reply was taken from the cache.
        cost: US dollars, 0 where it was cached; None where it is unknown.
        from_cache: whether nothing was paid for it now.
        is_understood: whether the reply said what was asked for.
        is_cut: whether it ends where its room does.
        reused_from: when an earlier run got the reply, UTC; "" of this run's own.
    """

    definition: str
    document: str
    trial_id: str
    key: str
    step: str
    model: str
    usage: Usage
    cost: Decimal | None
    from_cache: bool
    is_understood: bool
    is_cut: bool
    reused_from: str = ""

    @property
    def spending(self) -> Spending:
        """What was paid for it in its run: nothing where it was cached."""
        return Spending(0, Decimal(0)) if self.from_cache else spending_of(self.usage, self.cost)


def request_of(call: ModelCall, options: ReaderOptions, seed: int = 0) -> Request:
    """The request of a call: greedy, so that the same call is the same for every run.

    A call whose reply may be the reader's answer is asked as its trials are, with their ``seed``.
    """
    request = Request(
        prompt=call.prompt,
        max_tokens=call.max_tokens + options.thinking_room,
        thinking_tokens=options.thinking_tokens,
        reasoning_effort=options.reasoning_effort or "",
        extra_body=options.extra_body,
        mode=options.mode,
    )
    if not call.is_answer:
        return request
    return replace(
        request,
        temperature=options.temperature,
        seed=seed,
        system=options.system,
        top_p=options.top_p,
        stop=options.stops,
    )
