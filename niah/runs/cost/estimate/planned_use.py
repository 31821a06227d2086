"""What a run will take: each of those that are asked, and all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from niah.cases.left_out import Avoided, LeftOut
from niah.haystacks.structure import Structure
from niah.runs.cost.budget import Budget
from niah.runs.cost.prices.spending import Spending, total_usd
from niah.runs.cost.routed import (
    RoutedTrials,
)


@dataclass(frozen=True)
class PlannedUse:
    """What one model will take for what is left of a run.

    Attributes:
        name: the reader's, the judge's, or the retriever's whose embedder it is.
        calls: one for each trial, or requests of an embedder; retries are not counted.
        prompt_tokens, answer_tokens: expected; an embedder answers nothing.
        thinking_tokens: expected, before answers and not of them.
        usd: expected, without any discount for cached tokens; None where the price is unknown.
        free: whether nothing is paid by nature, or by what anybody has said.
        unpriced: whether the latter: a server of one's own, of which no price is set.
        seconds: None where no pace is known.
        tokenizers: whose tokens these are.
    """

    name: str
    calls: int
    prompt_tokens: int
    answer_tokens: int
    usd: Decimal | None
    free: bool
    seconds: float | None
    tokenizers: tuple[str, ...]
    thinking_tokens: int = field(default=0, kw_only=True)
    unpriced: bool = field(default=False, kw_only=True)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold for it: what is expected."""
        return Spending(self.prompt_tokens + self.answer_tokens + self.thinking_tokens, self.usd)


@dataclass(frozen=True)
class ReaderPlan(PlannedUse):
    """What one reader will take for the trials that are left to ask.

    Attributes:
        trials: of the run.
        kept: of them, those not finished whose answers are kept from earlier runs. All else leaves them out,
            bounds too: an answer may be dropped before the run asks for it, but what a run takes is kept
            within its budget trial by trial.
        prompt_tokens_at_most, answer_tokens_at_most: bounds, the latter with thoughts; as the reader counts,
            where trials showed it.
        thinking_room: the most tokens that it may think before an answer.
        thinking_is_known: whether trials showed how long it thinks; otherwise it is to fill its room.
        usd_at_most: bound; None where the price is unknown.
        counts_own: whether the tokens are the reader's own.
        routed: the trials that may be answered before it reads; None where there are none. ``calls`` and
            what is expected leave out those that are expected to be, bounds do not.
    """

    trials: int
    kept: int
    prompt_tokens_at_most: int
    answer_tokens_at_most: int
    usd_at_most: Decimal | None
    counts_own: bool
    thinking_room: int = 0
    thinking_is_known: bool = False
    routed: RoutedTrials | None = None

    @property
    def left(self) -> int:
        """Trials to ask, also those that are expected to be answered before."""
        return self.calls + (self.routed.trials - self.routed.read_on if self.routed else 0)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold for it: all that it may take."""
        return Spending(self.prompt_tokens_at_most + self.answer_tokens_at_most, self.usd_at_most)


@dataclass(frozen=True)
class LocalEmbedding:
    """What the packaged embedder will take on this machine.

    Attributes:
        tokens: expected, where nothing of it was embedded here before.
        seconds: as fast as it was here the last time; None where it has embedded too little to tell.
    """

    embedder: str
    tokens: int
    seconds: float | None


@dataclass(frozen=True)
class Plan:
    """What a run will take.

    Attributes:
        readers: in the config's order.
        judge: None where no model is asked to judge.
        embedders, rerankers: those that are asked for money or over a network, by name.
        systems: applications of the user's own, by the names of their strategies.
        preparing: models that prepare, by name.
        left_out: cases that cannot be built, where the suite skips them.
        structures: how each haystack's text is built, by its name or path.
        warnings: of what will run, and may not mean what one thinks; one line each.
        avoided: what was left out of the backgrounds of the others.
        reserve: tokens of each context length that are kept for a chat template.
        local_embedding: by the packaged model, which costs time alone; None where no strategy asks for it.
        chat_templates: tokens that readers put around a prompt, by reader, where that may matter.
        budget: of the run; None where it has none.
        refusal: why ``niah run`` would not start with that budget; "" where it would.
        asked_first: questions that are asked without context; what readers know is left out of all else.
    """

    readers: tuple[ReaderPlan, ...]
    judge: PlannedUse | None = None
    embedders: tuple[PlannedUse, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    structures: Mapping[str, Structure] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    avoided: tuple[Avoided, ...] = ()
    reserve: int = 0
    local_embedding: LocalEmbedding | None = None
    chat_templates: Mapping[str, int] = field(default_factory=dict)
    rerankers: tuple[PlannedUse, ...] = ()
    systems: tuple[PlannedUse, ...] = ()
    asked_first: int = 0
    preparing: tuple[PlannedUse, ...] = ()
    budget: Budget | None = None
    refusal: str = ""

    @property
    def retrieving(self) -> tuple[PlannedUse, ...]:
        """Who is asked for retrieval: nobody meters that, nor estimates its time."""
        return (*self.embedders, *self.rerankers)

    @property
    def parts(self) -> tuple[PlannedUse, ...]:
        """All that is asked."""
        judge = (self.judge,) if self.judge else ()
        return (*self.preparing, *self.readers, *self.systems, *judge, *self.retrieving)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all that is asked; None where one price is unknown."""
        return total_usd(part.usd for part in self.parts)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold: readers at most, all others as expected; no system that does not say."""
        amounts = [part.to_budget for part in self.parts if part.usd is not None or part not in self.systems]
        return Spending(sum(each.tokens or 0 for each in amounts), total_usd(each.usd for each in amounts))

    @property
    def seconds(self) -> float | None:
        """One reader after another, each answer judged in its turn; None where a pace is unknown.

        Retrieval and preparation are left out.
        """
        untimed = (*self.retrieving, *self.preparing)
        known = [part.seconds for part in self.parts if part not in untimed]
        return None if None in known else sum(seconds for seconds in known if seconds is not None)
