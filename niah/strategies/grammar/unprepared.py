"""How strategies are written, and what stands behind those that ask no model first.

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
from dataclasses import replace

from niah.errors import StrategyError, UnknownName
from niah.retrieval.names import is_retriever, is_user, parse_name
from niah.strategies.axes.retrieval_plan import RetrievalPlan, Scope, noise_suffix
from niah.strategies.chunkers import default_chunker, parse_chunker, positive_number
from niah.strategies.named import (
    PRESETS,
    RAG_HYBRID,
    STRATEGIES,
    WHOLE_CONTEXT,
    AddedStrategy,
    PreparedPreset,
    Preset,
    WholeContext,
    find_preset,
)
from niah.strategies.orders import ORDERS
from niah.strategies.scopes import SCOPES

_NOISE = re.compile(r"noise-(0?\.[0-9]{1,6})")
_SENTENCES = re.compile(r"sentences-([0-9]+)")


def parse_unprepared(name: str) -> RetrievalPlan | WholeContext | AddedStrategy:
    """What stands behind the name of such a strategy. Raises UnknownName or StrategyError."""
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


def _before_chunks(name: str) -> tuple[str, str, str]:
    """The parts before, at and after an ``@`` in the last of the axes; a model's name may hold one too."""
    axes, slash, last = name.rpartition("/")
    order, at, chunks = last.partition("@")
    return axes + slash + order, at, chunks


def _named_plan(body: str) -> RetrievalPlan | WholeContext | AddedStrategy | None:
    """What a name stands for, rag-hybrid's with the model behind a colon, if any; None for no name."""
    name, colon, model = body.partition(":")
    if colon and name == RAG_HYBRID:
        return _axes_of(PRESETS[name].definition.replace("hybrid/", f"hybrid:{model}/", 1))
    if preset := find_preset(body):
        return _axes_of(preset.definition)
    named = WHOLE_CONTEXT.get(body) or ("/" not in body and STRATEGIES.added.get(body)) or None
    return None if isinstance(named, Preset | PreparedPreset) else named


def _axes_of(definition: str) -> RetrievalPlan:
    body, at, chunks = _before_chunks(definition)
    plan = _axes(body)
    return replace(plan, chunker=parse_chunker(definition, chunks)) if at else plan


def _axes(body: str) -> RetrievalPlan:
    parts = body.rsplit("/", 2)
    brought, _, behind = body.rpartition("/")
    if is_user(brought) and _is_scope(behind):
        raise StrategyError(f"{body} has a scope, and no order.", f"Add one: {body}/norm.")
    if is_retriever(body) or (is_user(body) and not _has_axes(parts)):
        raise StrategyError(f"{body} is a retriever alone.", f"Add scope and order: {body}/top-5/norm.")
    if len(parts) == 1:
        unknown = UnknownName("strategy", body, [*STRATEGIES])
        if ":" in body:
            unknown.remedy += f" A Python function is py:{body}/top-5/norm."
        raise STRATEGIES.failure(body, "strategy") or unknown
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
    return parts[-1] in ORDERS or _is_scope(parts[-2] if len(parts) > 1 else "")


def _is_scope(text: str) -> bool:
    return text in SCOPES or text.rpartition("-")[0] in SCOPES


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
