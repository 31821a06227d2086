"""What a strategy is: its name, what stands behind it, and what is known of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from niah.errors import UserError
from niah.retrieval.names import BASELINES, RERANKERS, RETRIEVERS, as_reference, parse_name
from niah.strategies.axes.retrieval_plan import RetrievalPlan
from niah.strategies.chunkers import CHUNKERS
from niah.strategies.grammar.unprepared import parse_unprepared
from niah.strategies.named import STRATEGIES, WHOLE_CONTEXT, AddedStrategy, WholeContext, find_preset
from niah.strategies.orders import ORDERS, ChunkOrder
from niah.strategies.prepared.names import parse_prepared
from niah.strategies.prepared.steps import PreparedStrategy
from niah.strategies.scopes import SCOPES

SYSTEM_PREFIX = "system:"
"""What the reference of an application of the user's own stands behind."""

# The last of them in a name.
_BUDGET = re.compile(r"\b(budget|sentences|summary)-[0-9]+\b(?!.*\b(?:budget|sentences|summary)-[0-9])")


@dataclass(frozen=True)
class OwnSystem:
    """A whole application of the user's own, which answers in the reader's place.

    Attributes:
        reference: of the function or service.
        at_once: how many questions it may be asked at once; no answer changes by it.
    """

    reference: str
    at_once: int = field(default=1, compare=False)

    def __str__(self) -> str:
        return f"{SYSTEM_PREFIX}{self.reference}"


@dataclass(frozen=True)
class UnknownPlan:
    """What stands behind a name that this version cannot read."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Strategy:
    """How a prompt is made from a context, and what that makes of its scores.

    Attributes:
        name: what the user wrote.
        plan: what stands behind it.
        version: of a function or service of the user's own, as they say it; "" where they do not.
    """

    name: str
    plan: RetrievalPlan | WholeContext | AddedStrategy | OwnSystem | PreparedStrategy | UnknownPlan
    version: str = ""

    @cached_property
    def definition(self) -> str:
        """The canonical text: the same for every way to write the same strategy."""
        return str(self.plan)

    @property
    def description(self) -> str:
        """One line for people."""
        if isinstance(self.plan, WholeContext | AddedStrategy | PreparedStrategy):
            return self.plan.description
        preset = find_preset(self.name)
        return f"{preset.description}: {self.plan}" if preset else str(self.plan)

    @property
    def retrieval(self) -> RetrievalPlan | None:
        """Its axes; None for one that retrieves nothing."""
        return self.plan if isinstance(self.plan, RetrievalPlan) else None

    @property
    def prepared(self) -> PreparedStrategy | None:
        """What asks a model before the reader is asked; None for a strategy that does not."""
        return self.plan if isinstance(self.plan, PreparedStrategy) else None

    @property
    def compared(self) -> RetrievalPlan | None:
        """The retriever with the chunks that it scores, of a tree its leaves; None where none is asked."""
        return self.prepared.scored if self.prepared else self.retrieval

    @property
    def added(self) -> AddedStrategy | None:
        """What a package makes of contexts; None for a strategy that is written in parts."""
        return self.plan if isinstance(self.plan, AddedStrategy) else None

    @property
    def system(self) -> str | None:
        """The reference of the application that answers in the reader's place; None where the reader does."""
        return self.plan.reference if isinstance(self.plan, OwnSystem) else None

    @property
    def system_at_once(self) -> int:
        """How many questions that application may be asked at once."""
        return self.plan.at_once if isinstance(self.plan, OwnSystem) else 1

    @property
    def retrieves(self) -> bool:
        """Whether a retriever chooses what is read; taken to be so of an application and an unknown plan."""
        return not isinstance(self.plan, WholeContext)

    @property
    def retriever(self) -> str | None:
        """The retriever's canonical name."""
        return self.compared.retriever if self.compared else None

    @property
    def packages(self) -> tuple[str, ...]:
        """What it goes by, with versions: installed packages, packaged models, and what the user states.

        Such as "niah-extras 0.3", "minilm (bfloat16, by sentences)" and "app 2".
        """
        own = (f"{self.name} {self.version}",) if self.version else ()
        if self.added:
            return (STRATEGIES.package(self.name),)
        if self.prepared:
            own = (*own, *self.prepared.goes_by)
        if (plan := self.compared) is None:
            return own
        name = parse_name(plan.retriever)
        parts = (
            RETRIEVERS.package(name.first) if name.kind == "own" else "",
            name.recipe,
            RERANKERS.package(name.reranker.text) if name.reranker and name.reranker.kind == "own" else "",
            SCOPES.package(plan.scope.kind),
            ORDERS.package(plan.order),
            CHUNKERS.package(plan.chunker.kind),
        )
        return tuple(sorted({*own, *parts} - {""}))

    @property
    def is_baseline(self) -> bool:
        """Whether it takes chunks without reading any, by lot or from one end: what retrieval must beat."""
        return self.retriever in BASELINES

    @property
    def noise(self) -> float | None:
        """The share of chunks without a needle that it asks for; None for as many as there are."""
        return self.plan.noise if isinstance(self.plan, RetrievalPlan | WholeContext) else None

    @property
    def order(self) -> str | None:
        """How retrieved chunks stand in the prompt."""
        if self.prepared:
            return self.prepared.order
        return self.plan.order if isinstance(self.plan, RetrievalPlan) else None

    @property
    def budget(self) -> int | None:
        """Tokens that it says it sends at most; None where it says none."""
        return self.prepared.budget if self.prepared else self.retrieval.budget if self.retrieval else None

    @property
    def system_line(self) -> str:
        """What strategies share that differ in their budget alone: "minilm/budget-N/norm@100"."""
        if self.budget is None:
            return self.name
        return _BUDGET.sub(r"\1-N", self.definition)

    @property
    def _order(self) -> ChunkOrder | None:
        return ORDERS.find(self.order, "order") if self.order is not None else None

    @property
    def best_first(self) -> bool:
        """Whether the best chunk stands farthest from the question."""
        return self._order is not None and self._order.best == "first"

    @property
    def best_last(self) -> bool:
        """Whether the best chunk stands next to the question."""
        return self._order is not None and self._order.best == "last"

    @property
    def keeps_places(self) -> bool:
        """Whether what the reader sees stands in the order of the context, whole or in part."""
        return self.sends_context or (self._order is not None and self._order.keeps_places)

    @property
    def sends_context(self) -> bool:
        """Whether the reader gets all of the context: what retrieval is compared with."""
        return isinstance(self.plan, WholeContext) and self.plan.sends_context

    @property
    def is_ceiling(self) -> bool:
        """Whether it sends the needles and nothing that need not be: no other can do better."""
        return self.sends_needles and self.noise is None

    @property
    def sends_needles(self) -> bool:
        """Whether it sends the chunks that hold needles, whatever a retriever would choose."""
        return isinstance(self.plan, WholeContext) and self.plan.sends_needles

    @property
    def needs_evidence(self) -> bool:
        """Whether it is told where the needles are: nobody can ship it, and somebody has to know."""
        return self.sends_needles or self.noise is not None

    @property
    def is_floor(self) -> bool:
        """Whether the reader sees nothing of the context."""
        return isinstance(self.plan, WholeContext) and self.plan.is_floor

    @property
    def is_deployable(self) -> bool:
        """Whether it stands for choice: nobody can ship what needs the evidence, or would ship a floor."""
        return not (self.needs_evidence or self.is_floor)


def parse(text: str) -> Strategy:
    """The strategy that ``text`` writes down, by the grammar at the top of ``grammar/unprepared.py``.

    Cheap: whether a retriever's model can be had is asked by ``get_retriever``.

    Raises UnknownName or StrategyError, naming the part that is wrong.
    """
    name = text.strip()
    if name.startswith(SYSTEM_PREFIX):
        return Strategy(name, OwnSystem(as_reference(name.removeprefix(SYSTEM_PREFIX))))
    return Strategy(name, parse_plan(name))


def parse_plan(name: str) -> RetrievalPlan | WholeContext | AddedStrategy | PreparedStrategy:
    """What stands behind a name, but for an application of the user's own. Raises as ``parse`` does."""
    return parse_prepared(name, lambda part: Strategy(part, parse_unprepared(part))) or parse_unprepared(name)


@lru_cache(maxsize=4096)
def strategy_of(name: str, definition: str = "") -> Strategy:
    """The strategy that a run file names. Of a name that this version cannot read, nothing else is known.

    Args:
        name: as people call it.
        definition: what the run file says is behind the name, which may be the user's own; "" where nobody
            says so.
    """
    for text in filter(None, (definition, name)):
        try:
            return Strategy(name, parse(text).plan)
        except UserError:
            continue
    return Strategy(name, UnknownPlan(name))


def spoken(strategy: str, *, first: bool = False) -> str:
    """A strategy as people say it: "full context" for lc; with a capital where it comes ``first``."""
    if not strategy_of(strategy).sends_context:
        return strategy
    return "Full context" if first else "full context"


def strategy_place(name: str) -> tuple[int, str]:
    """What strategies sort by: those without retrieval as listed, then the others by name, budgets rising."""
    whole = tuple(WHOLE_CONTEXT)
    return (whole.index(name) if name in whole else len(whole)), _WHOLE_NUMBER.sub(_wide, name)


# What stands behind a point is no number of its own.
_WHOLE_NUMBER = re.compile(r"(?<![\d.])\d+")


def _wide(number: re.Match[str]) -> str:
    return number[0].zfill(9)
