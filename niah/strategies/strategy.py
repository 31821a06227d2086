"""What a strategy is, and how users write one.

    RETRIEVER/SCOPE/ORDER[@CHUNKS]  minilm/top-5/norm   mixpr/half/document@100
    RETRIEVER                       bm25   arctic   BAAI/bge-m3   openai/text-embedding-3-small   ./my-model
                                    hybrid:MODEL   random   first   last   bm25+BAAI/bge-reranker-v2-m3
                                    py:./my_rag.py:retrieve   http://127.0.0.1:9000/retrieve
    SCOPE                           top-K | top-auto | top-adaptive | half | full | budget-N
    ORDER                           norm | reverse | document | sides
    CHUNKS                          N | windows | N-M | sentences | sentence-window-N | auto-merging-N
    PRESET[@CHUNKS]                 topk   dos   topk@100   rag-hybrid:MODEL
    lc | oracle | closed-book
    raptor | readagent | tree-index | mixpr-reader | route(FIRST,THEN)
                                    ask a model first, see ``niah.strategies.prepared.names``
    system:REFERENCE                system:py:my_app:answer   system:http://127.0.0.1:9000/answer
    ...+noise-R                     topk+noise-0.5   oracle+noise-0.9
    ...+sentences-N                 dos+sentences-500     the best sentences of what is retrieved
    ...+summary-N                   dos+summary-500       a model's summary of it

Every retriever goes with every scope, order and way to cut. Retrievers may have slashes in their names (see
``niah.retrieval.names``), so a strategy is read from its right end.

``@N`` asks for passages of whole sentences, at most N tokens; ``@windows`` for windows of 600 tokens sharing
at least 100, that start with a paragraph where they can; ``@N-M`` for windows of N tokens sharing M, at equal
steps; ``@sentences`` for sentences of at most 32 words. Without it the chunks are windows, but for mixpr
sentences.

``@sentence-window-N`` asks for single sentences, read with N more to either side; ``@auto-merging-N`` for
passages of N tokens, in whose place 4N or 16N are read where more than half of them is retrieved.

``+noise-R`` at the very end adds random chunks without a needle until they are the share R of all chunks, see
``niah.strategies.noise``. ``+sentences-N`` there sends the best sentences of the chunks retrieved, at most N
tokens of them, and ``+summary-N`` a model's summary of these chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from niah.errors import StrategyError, UnknownName, UserError
from niah.retrieval.brought.reference import as_reference, is_brought
from niah.retrieval.names import BASELINES, describe_retrievers, is_retriever, parse_name, with_reranker
from niah.retrieval.reranking.sources import RERANKERS
from niah.retrieval.sources import RETRIEVERS
from niah.strategies.axes.retrieval_plan import RetrievalPlan, Scope, noise_suffix
from niah.strategies.chunkers import CHUNKERS, default_chunker, parse_chunker, positive_number
from niah.strategies.named import (
    PRESETS,
    RAG_HYBRID,
    STRATEGIES,
    WHOLE_CONTEXT,
    AddedStrategy,
    PreparedPreset,
    Preset,
    WholeContext,
)
from niah.strategies.orders import ORDERS, ChunkOrder
from niah.strategies.prepared.names import FORMS, parse_prepared
from niah.strategies.prepared.steps import PreparedStrategy
from niah.strategies.scopes import SCOPES

_SYSTEM = "system:"
_NOISE = re.compile(r"noise-(0?\.[0-9]{1,6})")
_SENTENCES = re.compile(r"sentences-([0-9]+)")
# The last of them in a name.
_BUDGET = re.compile(r"\b(budget|sentences|summary)-[0-9]+\b(?!.*\b(?:budget|sentences|summary)-[0-9])")
_OWN_NAME = re.compile(r"[\w.-]{1,60}")


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
        return f"{_SYSTEM}{self.reference}"


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

    @property
    def definition(self) -> str:
        """The canonical text: the same for every way to write the same strategy."""
        return str(self.plan)

    @property
    def description(self) -> str:
        """One line for people."""
        if isinstance(self.plan, WholeContext | AddedStrategy | PreparedStrategy):
            return self.plan.description
        preset = _preset(self.name)
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
    """The strategy that ``text`` writes down, by the grammar at the top of this module.

    Cheap: whether a retriever's model can be had is asked by ``get_retriever``.

    Raises UnknownName or StrategyError, naming the part that is wrong.
    """
    name = text.strip()
    if name.startswith(_SYSTEM):
        return Strategy(name, OwnSystem(as_reference(name.removeprefix(_SYSTEM))))
    return Strategy(name, _plan(name))


def parse_brought(
    name: str, reference: str, scope: str, order: str, chunks: str, rerank: str = "", version: str = ""
) -> Strategy:
    """The strategy ``name`` with a retriever of the user's own. Raises UnknownName or StrategyError.

    Args:
        name: the user's.
        reference: of the function or service.
        scope, order, chunks: as of any strategy.
        rerank: the model that ranks its best chunks anew; "" for none.
        version: of what they brought.
    """
    _check_own_name(name)
    retriever = as_reference(reference)
    retriever = with_reranker(retriever, rerank) if rerank else retriever
    return Strategy(name, _plan(f"{retriever}/{scope}/{order}@{chunks}"), version)


def parse_system(name: str, reference: str, version: str = "", at_once: int = 1) -> Strategy:
    """The strategy ``name`` that is an application of the user's own. Raises StrategyError.

    Args:
        name: the user's.
        reference: of the function or service.
        version: of what they brought.
        at_once: how many questions it may be asked at once.
    """
    _check_own_name(name)
    return Strategy(name, OwnSystem(as_reference(reference), at_once), version)


def _check_own_name(name: str) -> None:
    if not _OWN_NAME.fullmatch(name) or name in STRATEGIES.own:
        problem = f"{name!r} is no name for a strategy of your own."
        raise StrategyError(problem, "Take letters, digits, hyphens and full stops, and no name of niah's.")


@lru_cache(maxsize=4096)
def strategy_of(name: str) -> Strategy:
    """The strategy that a run file names. Of a name that this version cannot read, nothing else is known."""
    try:
        return parse(name)
    except UserError:
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


_EMBEDS = frozenset({"minilm", "hybrid", "dos"})
"""What stands in the definitions of ours that embed on this machine."""


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and one line about it."""
    ours = ((name, f"{parse(name).description}{_extra_of(name)}") for name in STRATEGIES.own)
    return [*ours, *map(_described, STRATEGIES.added)]


def _extra_of(name: str) -> str:
    """What of ours has to be installed besides the core."""
    named = STRATEGIES[name]
    definition = named.definition if isinstance(named, Preset | PreparedPreset) else ""
    return "; needs niah[local]" if _EMBEDS.intersection(re.split(r"[/:(,]", definition)) else ""


def _described(name: str) -> tuple[str, str]:
    """Of a package's, whose definition may be wrong."""
    try:
        return name, parse(name).description
    except UserError as error:
        return name, str(error)


def describe_axes() -> list[tuple[str, str]]:
    """Every part that a strategy can be made of, and one line about it."""
    return [
        (
            "RETRIEVER/SCOPE/ORDER[@CHUNKS]",
            "any combination of these: bm25/top-5/norm, mixpr/half/document@100",
        ),
        (f"{_SYSTEM}REFERENCE", "an application of your own: py:MODULE:FUNCTION, or http://HOST/PATH"),
        *FORMS.items(),
        ("...+sentences-N", "at the end of any that retrieves: the best sentences of it, at most N tokens"),
        *((f"RETRIEVER {name}", says) for name, says in describe_retrievers()),
        *((f"SCOPE {kind.form}", kind.description) for _, kind in SCOPES.items()),
        *((f"ORDER {name}", order.description) for name, order in ORDERS.items()),
        *((f"@CHUNKS {kind.form}", kind.description) for kind in CHUNKERS.values()),
        (
            "+noise-R",
            "at the end of any but lc and closed-book: random chunks without a needle make a share R of all",
        ),
    ]


def _before_chunks(name: str) -> tuple[str, str, str]:
    """The parts before, at and after an ``@`` in the last of the axes; a model's name may hold one too."""
    axes, slash, last = name.rpartition("/")
    order, at, chunks = last.partition("@")
    return axes + slash + order, at, chunks


def _plan(name: str) -> RetrievalPlan | WholeContext | AddedStrategy | PreparedStrategy:
    return parse_prepared(name, lambda part: Strategy(part, _unprepared(part))) or _unprepared(name)


def _unprepared(name: str) -> RetrievalPlan | WholeContext | AddedStrategy:
    # A folder or model may have a plus in its name, but not behind its last slash: there the axes stand.
    axes, slash, last = name.rpartition("/")
    last, plus, noise = last.partition("+")
    plan = _without_noise(axes + slash + last)
    if not plus:
        return plan
    if sized := _SENTENCES.fullmatch(noise):
        if not isinstance(plan, RetrievalPlan):
            problem = f"{plan} retrieves nothing, but {name!r} asks for the best sentences of it."
            raise StrategyError(problem, "Write dos+sentences-500.")
        return replace(plan, sentences=positive_number(name, sized[1]))
    if isinstance(plan, AddedStrategy) or (isinstance(plan, WholeContext) and not plan.sends_needles):
        remedy = f"Write {plan}, or oracle+noise-0.5 for the needles among noise."
        raise StrategyError(f"{plan} takes no noise, but {name!r} asks for some.", remedy)
    ratio = _noise(name, noise)
    if isinstance(plan, RetrievalPlan) and plan.chunker.known.expand:
        problem = f"{name!r} asks for noise beside chunks that are read with their neighbours."
        raise StrategyError(problem, f"Write {plan}, or another way to cut, as @100.")
    if isinstance(plan, RetrievalPlan):
        return replace(plan, noise=ratio)
    says = f"the chunks that hold needles, with noise at {ratio:g}, in document order"
    return replace(plan, name=f"{plan}{noise_suffix(ratio)}", description=says, noise=ratio)


def _without_noise(name: str) -> RetrievalPlan | WholeContext | AddedStrategy:
    body, at, chunks = _before_chunks(name)
    plan = _named_plan(body) or _axes(body)
    if not at:
        return plan
    if not isinstance(plan, RetrievalPlan):
        raise StrategyError(f"{body} takes no chunk size, but {name!r} has one.", f"Write {body}.")
    return replace(plan, chunker=parse_chunker(name, chunks))


def _named_plan(body: str) -> RetrievalPlan | WholeContext | AddedStrategy | None:
    """What a name stands for, rag-hybrid's with the model behind a colon, if any; None for no name."""
    name, colon, model = body.partition(":")
    if colon and name == RAG_HYBRID:
        return _axes_of(PRESETS[name].definition.replace("hybrid/", f"hybrid:{model}/", 1))
    if preset := _preset(body):
        return _axes_of(preset.definition)
    named = WHOLE_CONTEXT.get(body) or ("/" not in body and STRATEGIES.added.get(body)) or None
    return None if isinstance(named, Preset | PreparedPreset) else named


def _axes_of(definition: str) -> RetrievalPlan:
    body, at, chunks = _before_chunks(definition)
    plan = _axes(body)
    return replace(plan, chunker=parse_chunker(definition, chunks)) if at else plan


def _preset(name: str) -> Preset | None:
    preset = PRESETS.get(name) or ("/" not in name and STRATEGIES.added.get(name)) or None
    return preset if isinstance(preset, Preset) else None


def _axes(body: str) -> RetrievalPlan:
    parts = body.rsplit("/", 2)
    if is_retriever(body) or (is_brought(body) and not _has_axes(parts)):
        raise StrategyError(f"{body} is a retriever alone.", f"Add scope and order: {body}/top-5/norm.")
    if len(parts) == 1:
        raise STRATEGIES.failure(body, "strategy") or UnknownName("strategy", body, [*STRATEGIES])
    if len(parts) == 2:
        raise StrategyError(
            f"strategy {body!r} has two parts.",
            "It needs three, RETRIEVER/SCOPE/ORDER: for example minilm/top-5/norm.",
        )
    first, middle, last = parts
    order, scope = _order(last), _scope(middle)
    retriever = parse_name(first).text
    return RetrievalPlan(retriever, scope, order, default_chunker(retriever))


def _has_axes(parts: Sequence[str]) -> bool:
    """Whether the last of them are meant as scope and order: an address may have as many parts alone."""
    scope = parts[-2] if len(parts) > 1 else ""
    return parts[-1] in ORDERS or scope in SCOPES or scope.rpartition("-")[0] in SCOPES


def _scope(text: str) -> Scope:
    name, _, number = text.rpartition("-")
    if number.isascii() and number.isdigit() and (kind := SCOPES.get(name)) and kind.sized:
        return Scope(name, positive_number(text, number))
    if (kind := SCOPES.get(text)) and not kind.sized:
        return Scope(text)
    raise UnknownName("scope", text, [kind.form for _, kind in SCOPES.items()])


def _order(text: str) -> str:
    return ORDERS.find(text, "order").name


def _noise(whole: str, text: str) -> float:
    found = _NOISE.fullmatch(text)
    if found is None or float(found[1]) == 0:
        raise StrategyError(
            f"{whole!r} has {'+' + text!r} behind it, which is no share of noise above 0 and below 1.",
            "Write +noise-0.5 at the very end, for one chunk in two without a needle.",
        )
    return float(found[1])
