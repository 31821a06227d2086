"""What a strategy is: its name, what stands behind it, and what is known of it from its name alone."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

from niah.errors import UserError
from niah.retrieval.names import BASELINES, RECIPES, RERANKERS, RETRIEVERS, parse_name
from niah.strategies.chunkers import CHUNKERS
from niah.strategies.grammar import OwnSystem, Plan, parse_plan
from niah.strategies.parts import ORDERS, STRATEGIES, RetrievalPlan, WholeContext
from niah.strategies.prepared.steps import PreparedStrategy, template_of

# The last of them in a definition.
_BUDGET = re.compile(
    r"\b(budget-|sentences-|summary-|agent-\d+@)\d+\b(?!.*\b(?:budget|sentences|summary)-\d)"
)
_OWN_NAME = re.compile(r"[\w.-]{1,60}")
_WHOLE_NUMBER = re.compile(r"(?<![\d.])\d+")  # what stands behind a point is no number of its own


@dataclass(frozen=True)
class Strategy:
    """How a prompt is made from a context."""

    name: str  # what the user wrote
    plan: Plan | None = field(repr=False)  # what stands behind it; None where this version cannot read it
    version: str = ""  # of a function or service of the user's own, as they say it
    definition: str = field(kw_only=True)  # canonical: the same for every way to write the same strategy
    family: str = field(kw_only=True)  # shared by all but for their budgets: "minilm/budget-N/norm@100"
    retriever: str | None = None
    scope: str | None = None
    order: str | None = None
    budget: int | None = None  # tokens that it says it sends at most
    noise: float | None = None  # the share of chunks without a needle that it asks for; None: as there are
    retrieves: bool = True  # whether a retriever chooses what is read; taken to be so of an application
    sends_context: bool = False  # whether the reader gets all of the context: what retrieval is compared with
    sends_needles: bool = False  # whether it sends the chunks with needles, whatever a retriever would choose
    needs_evidence: bool = False  # whether it is given the places of the needles: it cannot be shipped
    is_oracle: bool = False  # whether it sends the needles and nothing else: no other can do better
    is_closed_book: bool = False  # whether the reader sees nothing of the context
    is_deployable: bool = True  # whether it can be recommended: it needs no evidence, and is no floor
    is_baseline: bool = False  # whether it takes chunks without reading any: what retrieval must beat
    best_first: bool = False  # whether the best chunk is farthest from the question
    best_last: bool = False  # whether it is next to it
    keeps_places: bool = False  # whether what the reader sees is in the order of the context
    retrieval: RetrievalPlan | None = field(default=None, repr=False)  # its parts, if it is written in parts
    prepared: PreparedStrategy | None = field(default=None, repr=False)  # what asks a model first, if any
    system: str | None = None  # the reference of the application that answers in the reader's place
    system_at_once: int = 1  # questions that it may be asked at once

    @property
    def packages(self) -> tuple[str, ...]:
        """What it goes by, with versions: "niah-extras 0.3", "minilm (int8 onnx, by sentences)", "app 2"."""
        own = {f"{self.name} {self.version}"} if self.version else set()
        return tuple(sorted(own | _packages_of(self.plan)))


def _packages_of(plan: Plan | None) -> set[str]:
    """Installed packages and packaged models that a plan goes by, with versions."""
    if isinstance(plan, PreparedStrategy):
        own = {template_of(name).identity for name in plan.templates} | {*plan.packages}
        return own.union(_packages_of(plan.scored), *map(_packages_of, plan.sources))
    if not isinstance(plan, RetrievalPlan):
        return set()
    name = parse_name(plan.retriever)
    parts = {
        RECIPES.get(name.embedder or "", ""),
        RETRIEVERS.package(name.first) if name.kind == "own" else "",
        RERANKERS.package(name.reranker.text) if name.reranker else "",
        ORDERS.package(plan.order),
        CHUNKERS.package(plan.chunker.kind),
    }
    return parts - {""}


def parse(text: str) -> Strategy:
    """The strategy that ``text`` is, in a form of ``describe``. Raises UnknownName, UserError."""
    return _strategy(text.strip(), parse_plan(text.strip()))


def _strategy(name: str, plan: Plan, version: str = "") -> Strategy:
    """The strategy with all that is known of it."""
    definition, whole = str(plan), plan.name if isinstance(plan, WholeContext) else ""
    retrieval = plan if isinstance(plan, RetrievalPlan) else None
    prepared = plan if isinstance(plan, PreparedStrategy) else None
    made, parts = retrieval or prepared, prepared.scored if prepared else retrieval
    order = ORDERS.find(made.order, "order") if made else None
    noise = plan.noise if isinstance(plan, RetrievalPlan | WholeContext) else None
    family = name
    if made and made.budget is not None:  # N takes its place: in the user's own name, else the definition
        family = re.sub(rf"(?<!\d){made.budget}(?!\d)", "N", name)
        if family == name or name in STRATEGIES.own or not _OWN_NAME.fullmatch(name):
            family = _BUDGET.sub(r"\1N", definition)
    needs_evidence = whole == "oracle" or noise is not None
    return Strategy(
        name,
        plan,
        version,
        retrieval=retrieval,
        prepared=prepared,
        definition=definition,
        family=family,
        retriever=parts.retriever if parts else None,
        scope=str(parts.scope) if parts else None,
        order=made.order if made else None,
        budget=made.budget if made else None,
        noise=noise,
        retrieves=not whole,
        sends_context=whole == "lc",
        sends_needles=whole == "oracle",
        needs_evidence=needs_evidence,
        is_oracle=whole == "oracle" and noise is None,
        is_closed_book=whole == "closed-book",
        is_deployable=not needs_evidence and whole != "closed-book",
        is_baseline=parts is not None and parts.retriever in BASELINES,
        best_first=order is not None and order.best == "first",
        best_last=order is not None and order.best == "last",
        keeps_places=whole == "lc" or (order is not None and order.keeps_places),
        system=plan.reference if isinstance(plan, OwnSystem) else None,
    )


def parse_own(name: str, text: str, version: str = "", at_once: int = 1) -> Strategy:
    """A strategy under a name of the user's own; without one under its definition. Raises UserError."""
    plan = parse_plan(text)
    if name and (not _OWN_NAME.fullmatch(name) or name in STRATEGIES.own):
        problem = f"{name!r} is no name for a strategy of your own."
        raise UserError(problem, "Take letters, digits, hyphens and full stops, and no name of niah's.")
    return replace(_strategy(name or str(plan), plan, version), system_at_once=at_once)


@lru_cache(maxsize=4096)
def strategy_of(name: str, definition: str = "") -> Strategy:
    """The strategy that a run file names; of a name and definition that cannot be read, nothing is known."""
    for text in filter(None, (definition, name)):
        with suppress(UserError):
            return _strategy(name, parse_plan(text))
    return Strategy(name, None, definition=name, family=name)


def display_name(strategy: str) -> str:
    """A strategy as people say it: "full context" for lc."""
    return "full context" if strategy_of(strategy).sends_context else strategy


def strategy_place(name: str) -> tuple[int, str]:
    """What strategies sort by: lc, oracle and closed-book, then the others by name, budgets rising."""
    place = {"lc": 0, "oracle": 1, "closed-book": 2}.get(name, 3)
    return place, _WHOLE_NUMBER.sub(lambda number: number[0].zfill(9), name)
