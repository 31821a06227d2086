"""How strategies are written: from a name to what stands behind it. The forms are those of ``describe``.

Retrievers may have slashes in their names, so a strategy is read from its right end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeAlias

from niah.errors import UnknownName, UserError
from niah.registry import require
from niah.retrieval.names import (
    BASELINES,
    as_reference,
    describe_retrievers,
    is_retriever,
    parse_form,
    parse_name,
)
from niah.strategies.chunkers import CHUNKERS, PASSAGES, default_chunker, parse_chunker, positive_number
from niah.strategies.parts import (
    ORDERS,
    SCOPES,
    STRATEGIES,
    Preset,
    RetrievalPlan,
    Scope,
    SentPlan,
    WholeContext,
)

if TYPE_CHECKING:
    from niah.strategies.prepared.steps import PreparedStrategy

SYSTEM_PREFIX = "system:"  # what the reference of an application of the user's own stands behind

_RAPTOR = "raptor-pca:minilm/budget-2000/norm"
_MIXPR_READER = "mixpr-reader, mixpr-reader-a0.3 or mixpr-reader/top-100/document"


@dataclass(frozen=True)
class OwnSystem:
    """A whole application of the user's own, which answers in the reader's place."""

    reference: str

    def __str__(self) -> str:
        return f"{SYSTEM_PREFIX}{self.reference}"


# What is behind a name; its text is the canonical definition.
Plan: TypeAlias = "SentPlan | OwnSystem | PreparedStrategy"


def parse_plan(text: str) -> Plan:
    """What ``text`` stands for. Raises UnknownName or UserError, naming the part that is wrong."""
    preset = STRATEGIES[text] if text in STRATEGIES.own else None
    name = preset.definition if isinstance(preset, Preset) else text
    if name.startswith(SYSTEM_PREFIX):
        return OwnSystem(as_reference(name.removeprefix(SYSTEM_PREFIX)))
    for form, make in _PREPARED:
        if found := re.fullmatch(form, name):
            return make(text, found)
    return _sent(name)


def _wrong(text: str, what: str, write: str) -> UserError:
    return UserError(f"strategy {text!r} {what}.", f"Write {write}.")


# Strategies that ask a model first, each imported when it is asked for: most runs and lists have none.


def _route(text: str, found: re.Match[str]) -> PreparedStrategy:
    sources = tuple(_source(text, part.strip()) for part in found[1].split(","))
    if len(sources) != 2 or sources[0] == sources[1] or not found[0].endswith(")"):
        raise _wrong(text, "needs two different strategies in brackets", '"route(dos,lc)"')
    first, then = sources
    scored = first if isinstance(first, RetrievalPlan) else None
    order = scored.order if scored else "document"
    from niah.strategies.prepared.one_call import SelfRoute

    return SelfRoute(f"route({first},{then})", scored, sources, order, reads=str(then))


def _summary(text: str, found: re.Match[str]) -> PreparedStrategy:
    source, tokens = _source(text, found[1]), positive_number(text, found[2], 100_000)
    scored = source if isinstance(source, RetrievalPlan) else None
    from niah.strategies.prepared.one_call import Summarised

    return Summarised(f"{source}+summary-{tokens}", scored, (source,), budget=tokens)


def _source(text: str, part: str) -> SentPlan:
    """A strategy that sends some of the context, is not given the evidence, and asks no model."""
    match parse_plan(part):
        case RetrievalPlan(noise=None) | WholeContext(name="lc") as plan:
            return plan
    raise _wrong(text, f"takes no {part}", "lc, or one that retrieves, such as dos")


def _raptor(text: str, found: re.Match[str]) -> PreparedStrategy:
    plan, umap = parse_plan(found[2]) if found[2] else None, found[1] == "umap"
    if not isinstance(plan, RetrievalPlan) or plan.noise is not None or plan.sentences is not None:
        raise _wrong(text, "needs RETRIEVER/SCOPE/ORDER behind a colon, without noise", _RAPTOR)
    if parse_name(plan.retriever).embedder != plan.retriever:
        raise _wrong(text, f"clusters embeddings, and {plan.retriever} does not embed", _RAPTOR)
    if umap:
        require("umap", "raptor-umap", extra="umap", instead="write raptor-pca")
    plan = replace(plan, chunker=PASSAGES) if plan.chunker == default_chunker(plan.retriever) else plan
    from niah.strategies.prepared.raptor import Raptor

    return Raptor(
        f"raptor-{found[1]}:{plan}",
        scored=plan,
        order=plan.order,
        budget=plan.budget,
        packages=(f"umap-learn {version('umap-learn')}",) if umap else (),
        reduction="umap" if umap else "pca",
    )


def _mixpr_reader(text: str, found: re.Match[str]) -> PreparedStrategy:
    axes = found[2] if found[2].startswith("/") else f"/top-100/document{found[2]}"
    plan, form = parse_plan(f"mixpr{found[1]}{axes}"), parse_form(f"mixpr{found[1]}")
    if not isinstance(plan, RetrievalPlan) or plan.noise is not None or not form or form.alpha is not None:
        raise _wrong(text, "takes neither -alpha- nor noise", _MIXPR_READER)
    definition = str(plan).replace("mixpr", "mixpr-reader", 1)
    from niah.strategies.prepared.one_call import MixPRByReader

    return MixPRByReader(definition, plan, order=plan.order, budget=plan.budget, reads=str(plan))


def _look_up(text: str, found: re.Match[str]) -> PreparedStrategy:
    from niah.strategies.prepared.look_up import CHILDREN, ReadAgent, TreeIndex

    name, is_tree = found[1], found[1] == "tree-index"
    number = positive_number(text, found[2], CHILDREN if is_tree else 1_000)
    if is_tree:
        return TreeIndex(f"{name}-{number}", branches=number)
    return ReadAgent(f"{name}-{number}", pages=number, sequential=name.endswith("sequential"))


def _agent(text: str, found: re.Match[str]) -> PreparedStrategy:
    from niah.strategies.prepared.agent import TOKENS, TURNS, Agent

    turns = TURNS if found[1] is None else positive_number(text, found[1], 100)
    tokens = TOKENS if found[2] is None else positive_number(text, found[2], 10**7)
    definition, scored = f"agent-{turns}@{tokens}", None
    if found[3] is not None:
        name = parse_name(found[3])
        if name.kind == "user" or name.text in BASELINES:
            raise _wrong(text, f"cannot search by {name.text}", "agent+bm25, or another retriever of niah's")
        # A model's words are the query; how much is shown goes by its calls.
        scored = RetrievalPlan(name.text, Scope("full"), "document", default_chunker(name.text))
        definition += f"+{name.text}"
    return Agent(definition, scored, budget=tokens, turns=turns)


def _grep(text: str, found: re.Match[str]) -> PreparedStrategy:
    if found[1] is None:
        raise _wrong(text, "is no form of grep/top-K/document", "grep/top-20/document")
    from niah.strategies.prepared.agent import Grep

    size = positive_number(text, found[1], 1_000)
    return Grep(f"grep/top-{size}/document", size=size)


_PREPARED: tuple[tuple[str, Callable[[str, re.Match[str]], PreparedStrategy]], ...] = (
    (r"(.+)\+summary-([0-9]{1,6})", _summary),
    (r"route\(([^()]*)\)?", _route),
    (r"raptor(?:-(pca|umap):(.+)|(?:-\w+)?[:/].*)", _raptor),
    (r"mixpr-reader([^/@+]*)(.*)", _mixpr_reader),
    (r"(readagent|readagent-sequential|tree-index)-([0-9]{1,4})", _look_up),
    (r"agent(?:-([^-@+/]*))?(?:@([^-@+/]*))?(?:\+(.*))?", _agent),
    (r"grep(?:/top-([0-9]+)/document|/.*)?", _grep),
)


# Strategies that ask no model first.


def _sent(name: str) -> SentPlan:
    """A strategy with what may stand behind it: chunks, and noise or the best sentences."""
    # A folder or model may have a plus or @ in its name, but not behind its last slash: there the order is.
    axes, slash, last = name.rpartition("/")
    last, plus, more = last.partition("+")
    order, at, chunks = last.partition("@")
    plan = _named(axes + slash + order) or _axes(axes + slash + order)
    if isinstance(plan, RetrievalPlan):
        plan = replace(plan, chunker=parse_chunker(name, chunks)) if at else plan
        if sized := re.fullmatch(r"sentences-([0-9]+)", more):
            return replace(plan, sentences=positive_number(name, sized[1]))
    elif at or (plus and plan.name != "oracle"):
        raise _wrong(name, f"has more behind it than {plan} takes", f"{plan} alone")
    if not plus:
        return plan
    ratio = re.fullmatch(r"noise-(0?\.[0-9]{1,6})", more)
    if ratio is None or float(ratio[1]) == 0:
        what = f"has {'+' + more!r} behind it, which is no share of noise above 0 and below 1"
        raise _wrong(name, what, "+noise-0.5 at the very end, for one chunk in two without a needle")
    if isinstance(plan, RetrievalPlan) and plan.chunker.known.expand:
        what = "asks for noise next to chunks that are read with their neighbours"
        raise _wrong(name, what, f"{plan}, or another way to cut, as @100")
    return replace(plan, noise=float(ratio[1]))


def _named(body: str) -> SentPlan | None:
    """What a name stands for, rag-hybrid's with the model behind a colon; None for no name."""
    name, colon, model = body.partition(":")
    if colon and name == "rag-hybrid":
        return _sent(f"hybrid:{model}/top-100/document@sentences")
    named = STRATEGIES.get(body) if "/" not in body else None
    if not isinstance(named, Preset):
        return named
    if any(re.fullmatch(form, named.definition) for form, _ in _PREPARED):
        raise _wrong(body, "takes nothing behind its name", f"{named.definition} in its place")
    try:
        return _sent(named.definition)
    except UserError as error:  # a package's
        whose = f"the strategy {body!r} of {STRATEGIES.package(body)} is {named.definition!r}"
        raise UserError(f"{whose}: {error.message}", error.remedy) from None


def _axes(body: str) -> RetrievalPlan:
    parts = body.rsplit("/", 2)
    is_own = is_retriever(body)
    if len(parts) == 1 and not is_own:
        unknown = UnknownName("strategy", body, [*STRATEGIES])
        if ":" in body:
            unknown.remedy += f" A Python function is py:{body}/top-5/norm."
        raise STRATEGIES.failure(body, "strategy") or unknown
    # An address of a user's may have as many parts as a strategy.
    if len(parts) < 3 or (is_own and not (parts[2] in ORDERS or _scope(parts[1]))):
        example = f"{body if is_own else 'minilm'}/top-5/norm"
        raise _wrong(body, "is not RETRIEVER/SCOPE/ORDER", f"all three, for example {example}")
    ORDERS.find(parts[2], "order")
    if (scope := _scope(parts[1])) is None:
        raise UnknownName("scope", parts[1], [*SCOPES])
    retriever = parse_name(parts[0]).text
    return RetrievalPlan(retriever, scope, parts[2], default_chunker(retriever))


def _scope(text: str) -> Scope | None:
    name, _, number = text.rpartition("-")
    if number.isascii() and number.isdigit() and name in ("top", "budget"):
        return Scope(name, positive_number(text, number))
    return Scope(text) if text in SCOPES and not text.endswith(("-K", "-N")) else None


# What users may write, for ``niah list strategies``.


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and every part that one can be made of, each with one line about it."""
    lines = list[tuple[str, str]]()
    for name, named in STRATEGIES.items():
        says = named.description
        if isinstance(named, Preset):
            embeds = re.search(r"\b(minilm|hybrid)/", named.definition)  # on this machine
            says += f": {named.definition}{'; needs niah[local]' if embeds else ''}"
        lines.append((name, says))
    return [
        *lines,
        ("RETRIEVER/SCOPE/ORDER[@CHUNKS]", "any combination: bm25/top-5/norm, mixpr/half/document@100"),
        ("PRESET[@CHUNKS]", "a strategy with a name: dos, topk@100, rag-hybrid:MODEL"),
        (f"{SYSTEM_PREFIX}REFERENCE", "an application of your own: py:MODULE:FUNCTION, or http://HOST/PATH"),
        ("raptor-pca:RETRIEVER/SCOPE/ORDER", "passages and summaries of their clusters, ranked together"),
        ("raptor-umap:RETRIEVER/SCOPE/ORDER", "the same, clustered as in its paper; needs niah[umap]"),
        ("readagent-N", "a model's gists of pages; it looks up to N of these up again, at once"),
        ("readagent-sequential-N", "the same, one after the other"),
        ("tree-index-N", "a tree of a model's summaries; it picks N children on every level"),
        ("mixpr-reader[-aA]/SCOPE/ORDER", "mixpr; the reader says which questions are about all of it"),
        ("route(FIRST,THEN)", "the reader answers from FIRST, or says unanswerable and gets THEN"),
        ("agent-T@N[+RETRIEVER]", "the model searches and reads sentences itself: T turns, N tokens in all"),
        ("grep/top-K/document", "the model writes up to four patterns; the K sentences with the rarest"),
        ("...+summary-N", "behind any that retrieves, or lc: a model's summary of it for the question"),
        ("...+sentences-N", "behind any that retrieves: the best sentences of it, at most N tokens"),
        *((f"RETRIEVER {name}", says) for name, says in describe_retrievers()),
        *((f"SCOPE {form}", description) for form, description in SCOPES.items()),
        *((f"ORDER {name}", order.description) for name, order in ORDERS.items()),
        *((f"@CHUNKS {kind.form}", kind.description) for kind in CHUNKERS.values()),
        ("+noise-R", "behind any that retrieves, or oracle: random chunks until a share R has no needle"),
    ]
