"""How strategies that ask a model first are written.

    raptor-pca:RETRIEVER/SCOPE/ORDER[@N]     raptor-umap:...     raptor-pca-traversal:...     raptor
    readagent-N    readagent-sequential-N    readagent
    tree-index-N   tree-index
    mixpr-reader[FORM][/SCOPE/ORDER]         mixpr-reader-a0.3   mixpr-reader/top-50/norm
    route(FIRST,THEN)                        route(dos,lc)       self-route
    STRATEGY+summary-N                       dos+summary-500     lc+summary-1000

``niah.strategies.named`` says what the names alone stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from niah.errors import StrategyError
from niah.retrieval.names import parse_form, parse_name
from niah.strategies.chunkers import PASSAGES, WINDOWS
from niah.strategies.named import PREPARED_NAMES
from niah.strategies.prepared.mixpr_reader import MixPRByReader
from niah.strategies.prepared.raptor import Raptor
from niah.strategies.prepared.read_agent import ReadAgent
from niah.strategies.prepared.self_route import SelfRoute
from niah.strategies.prepared.steps import PreparedStrategy, SendingStrategy
from niah.strategies.prepared.summarised import Summarised
from niah.strategies.prepared.tree_index import CHILDREN, TreeIndex

if TYPE_CHECKING:
    from niah.strategies.prepared.clusters import Reduction

    Parse = Callable[[str], SendingStrategy]

_RAPTOR = re.compile(r"raptor-(pca|umap)(-traversal)?:(.+)")
_READ_AGENT = re.compile(r"readagent(-sequential)?(?:-([0-9]{1,4}))?")
_TREE_INDEX = re.compile(r"tree-index(?:-([0-9]{1,4}))?")
_MIXPR_READER = re.compile(r"mixpr-reader([^/@+]*)(.*)")
_ROUTE = re.compile(r"route\((.*)\)")
_SUMMARY = re.compile(r"(.+)\+summary-([0-9]{1,6})")
_LONGEST_SUMMARY = 100_000

FORMS = {
    "raptor-pca:RETRIEVER/SCOPE/ORDER": "passages and a model's summaries of their clusters, ranked together",
    "raptor-umap:RETRIEVER/SCOPE/ORDER": "the same, clustered as in RAPTOR's paper; needs niah[umap]",
    "raptor-pca-traversal:RETRIEVER/top-K/ORDER": "the K best of each layer, of the children of those above",
    "readagent-N": "a model's gists of pages; it looks up to N of these up again, at once",
    "readagent-sequential-N": "the same, one after the other",
    "tree-index-N": "a tree of a model's summaries; it picks N children on every level",
    "mixpr-reader[-aA]/SCOPE/ORDER": "mixpr, and the reader says which questions are about the whole text",
    "route(FIRST,THEN)": "the reader answers from FIRST, or says unanswerable and gets THEN: route(dos,lc)",
    "...+summary-N": "at the end of any that retrieves, or of lc: a model's summary of it for the question",
}
"""What users may write, with one line about each."""


def parse_prepared(text: str, parse: Parse) -> PreparedStrategy | None:
    """The strategy of that name; None where it is none that prepares. Raises StrategyError.

    Args:
        text: as users write it.
        parse: reads a strategy that asks nobody.
    """
    name = PREPARED_NAMES.get(text, text)
    if found := _ROUTE.fullmatch(name):
        return _route(text, found[1], parse)
    if found := _SUMMARY.fullmatch(name):
        source = _sending(text, found[1], parse)
        return Summarised(source, _number(text, found[2], _LONGEST_SUMMARY))
    if found := _RAPTOR.fullmatch(name):
        return _raptor(
            text, "umap" if found[1] == "umap" else "pca", parse(found[3]), traverses=bool(found[2])
        )
    if found := _MIXPR_READER.fullmatch(name):
        return _mixpr_reader(text, found[1], found[2], parse)
    if found := _READ_AGENT.fullmatch(name):
        return ReadAgent(_number(text, found[2] or "6", 1_000), sequential=bool(found[1]))
    if found := _TREE_INDEX.fullmatch(name):
        return TreeIndex(_number(text, found[1] or "1", CHILDREN))
    if re.match(r"raptor(-\w+)?[:/]", name):
        raise StrategyError(
            f"strategy {text!r} is not written so.", "Write raptor-pca:minilm/budget-2000/norm."
        )
    if name.startswith("route("):
        raise StrategyError(f"strategy {text!r} has no closing bracket.", 'Write "route(dos,lc)", in quotes.')
    return None


def _route(text: str, parts: str, parse: Parse) -> SelfRoute:
    first, comma, then = parts.partition(",")
    if not comma or "," in then:
        raise StrategyError(f"strategy {text!r} needs two strategies.", "Write route(dos,lc).")
    one, other = (_sending(text, part.strip(), parse) for part in (first, then))
    if one.definition == other.definition:
        raise StrategyError(f"strategy {text!r} routes to the same twice.", "Write route(dos,lc).")
    return SelfRoute(one, other)


def _sending(text: str, part: str, parse: Parse) -> SendingStrategy:
    """A strategy that sends something of the context, and is not told what."""
    strategy = parse(part)
    if strategy.needs_evidence or strategy.is_floor:
        raise StrategyError(
            f"strategy {text!r} takes no {strategy.name}.", "Take lc, or one that retrieves, such as dos."
        )
    return strategy


def _mixpr_reader(text: str, form_text: str, axes: str, parse: Parse) -> MixPRByReader:
    remedy = "Write mixpr-reader, mixpr-reader-a0.3 or mixpr-reader/top-100/document."
    try:
        form = parse_form(f"mixpr{form_text}")
    except StrategyError as error:
        problem = error.message.replace(f"retriever 'mixpr{form_text}'", f"strategy {text!r}")
        raise StrategyError(problem, remedy) from None
    if form is None or form.alpha is not None:
        raise StrategyError(f"strategy {text!r} is not written so.", remedy)
    axes = axes if axes.startswith("/") else f"/top-100/document{axes}"
    routed = parse(f"{form.text}{axes}")
    if routed.noise is not None:
        raise StrategyError(f"strategy {text!r} takes no noise.", remedy)
    return MixPRByReader(routed, form)


def _raptor(
    text: str, reduction: Reduction, strategy: SendingStrategy, *, traverses: bool
) -> PreparedStrategy:
    plan = strategy.retrieval
    if plan is None or plan.noise is not None or plan.sentences is not None:
        problem = f"strategy {text!r} needs RETRIEVER/SCOPE/ORDER behind its colon, without noise."
        raise StrategyError(problem, "Write raptor-pca:minilm/budget-2000/norm.")
    name = parse_name(plan.retriever)
    if name.embedder != plan.retriever:
        problem = f"{plan.retriever} does not embed, and RAPTOR clusters embeddings."
        raise StrategyError(problem, "Write minilm, arctic, or another model that embeds.")
    if traverses and plan.scope.counts_tokens:
        problem = f"strategy {text!r} fills tokens, and a traversal takes so many nodes of each layer."
        raise StrategyError(problem, "Write raptor-pca-traversal:minilm/top-5/norm.")
    if reduction == "umap":
        from niah.strategies.prepared.clusters import check_umap

        check_umap()
    plan = replace(plan, chunker=PASSAGES) if plan.chunker == WINDOWS else plan
    return Raptor(plan, reduction, traverses)


def _number(text: str, number: str, most: int) -> int:
    if not 1 <= int(number) <= most:
        raise StrategyError(f"{text!r} needs a number from 1 to {most}, not {number}.")
    return int(number)
