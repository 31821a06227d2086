"""How strategies that ask a model first are written.

    raptor-pca:RETRIEVER/SCOPE/ORDER[@N]     raptor-umap:...     raptor
    readagent-N    readagent-sequential-N    readagent
    tree-index-N   tree-index

Alone, ``raptor`` is ``raptor-pca:minilm/budget-2000/norm``, ``readagent`` looks up to 6 pages up, and
``tree-index`` picks one child.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from niah.errors import StrategyError
from niah.retrieval.names import parse_name
from niah.strategies.chunkers import PASSAGES, WINDOWS
from niah.strategies.prepared.raptor import Raptor
from niah.strategies.prepared.read_agent import ReadAgent
from niah.strategies.prepared.steps import PreparedStrategy
from niah.strategies.prepared.tree_index import CHILDREN, TreeIndex

if TYPE_CHECKING:
    from niah.strategies.axes.retrieval_plan import RetrievalPlan
    from niah.strategies.prepared.clusters import Reduction

_RAPTOR = re.compile(r"raptor-(pca|umap):(.+)")
_READ_AGENT = re.compile(r"readagent(-sequential)?(?:-([0-9]{1,4}))?")
_TREE_INDEX = re.compile(r"tree-index(?:-([0-9]{1,4}))?")

PREPARED_NAMES = {
    "raptor": "raptor-pca:minilm/budget-2000/norm",
    "readagent": "readagent-6",
    "tree-index": "tree-index-1",
}
"""Names alone, and what they stand for."""

FORMS = {
    "raptor-pca:RETRIEVER/SCOPE/ORDER": "passages and a model's summaries of their clusters, ranked together",
    "raptor-umap:RETRIEVER/SCOPE/ORDER": "the same, clustered as in RAPTOR's paper; needs niah[umap]",
    "readagent-N": "a model's gists of pages; it looks up to N of these up again, at once",
    "readagent-sequential-N": "the same, one after the other",
    "tree-index-N": "a tree of a model's summaries; it picks N children on every level",
}
"""What users may write, with one line about each."""


def parse_prepared(text: str, parse_plan: Callable[[str], RetrievalPlan | None]) -> PreparedStrategy | None:
    """The strategy of that name; None where it is none that prepares. Raises StrategyError.

    Args:
        text: as users write it.
        parse_plan: reads RETRIEVER/SCOPE/ORDER; None where it is something else.
    """
    name = PREPARED_NAMES.get(text, text)
    if found := _RAPTOR.fullmatch(name):
        return _raptor(text, "umap" if found[1] == "umap" else "pca", parse_plan(found[2]))
    if found := _READ_AGENT.fullmatch(name):
        return ReadAgent(_number(text, found[2] or "6", 1_000), sequential=bool(found[1]))
    if found := _TREE_INDEX.fullmatch(name):
        return TreeIndex(_number(text, found[1] or "1", CHILDREN))
    if re.match(r"raptor(-\w+)?[:/]", name):
        raise StrategyError(
            f"strategy {text!r} is not written so.", "Write raptor-pca:minilm/budget-2000/norm."
        )
    return None


def _raptor(text: str, reduction: Reduction, plan: RetrievalPlan | None) -> PreparedStrategy:
    if plan is None or plan.noise is not None:
        problem = f"strategy {text!r} needs RETRIEVER/SCOPE/ORDER behind its colon, without noise."
        raise StrategyError(problem, "Write raptor-pca:minilm/budget-2000/norm.")
    name = parse_name(plan.retriever)
    if name.embedder != plan.retriever:
        problem = f"{plan.retriever} does not embed, and RAPTOR clusters embeddings."
        raise StrategyError(problem, "Write minilm, arctic, or another model that embeds.")
    if reduction == "umap":
        from niah.strategies.prepared.clusters import check_umap

        check_umap()
    plan = replace(plan, chunker=PASSAGES) if plan.chunker == WINDOWS else plan
    return Raptor(plan, reduction)


def _number(text: str, number: str, most: int) -> int:
    if not 1 <= int(number) <= most:
        raise StrategyError(f"{text!r} needs a number from 1 to {most}, not {number}.")
    return int(number)
