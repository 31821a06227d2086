"""RAPTOR: summaries of clusters, summaries of these, and retrieval among all of them (its paper, section 3).

Leaves are passages of whole sentences. Nodes are clustered by their embeddings (see ``prepared.clusters``),
each cluster gets a summary of about 100 tokens, and the summaries are the next layer's nodes: up to five
layers, or until at most eleven nodes are left.

The tree is collapsed for retrieval: all nodes of all layers are ranked together. Or it is traversed: the best
nodes of the highest layer are taken, then the best of their children, and so on down to the leaves. A summary
stands where its first leaf stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import ceil
from typing import TYPE_CHECKING

from niah.retrieval.retriever import EmbeddingRetriever
from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.orders import ORDERS
from niah.strategies.prepared.steps import (
    AskedQuestion,
    Chosen,
    GetRetriever,
    ModelCall,
    Part,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    Steps,
    expected_text,
)
from niah.strategies.prepared.templates import render

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

    from niah.strategies.axes.retrieval_plan import RetrievalPlan
    from niah.strategies.prepared.clusters import Reduction

MOST_LAYERS = 5
SUMMARY_TOKENS = 100
SUMMARY_ROOM = 200
_EXPECTED_CLUSTER = 6
"""Nodes of a cluster, as a plan that embeds nothing expects them: what the published code makes of books."""


@dataclass(frozen=True)
class RaptorNode:
    """A node of the tree.

    Attributes:
        text: of the document, or a summary.
        place: (start, end) in the document; None of a summary.
        first_leaf: the first leaf under it.
        children: numbers of the nodes of the layer below.
    """

    text: str
    place: tuple[int, int] | None
    first_leaf: int
    children: tuple[int, ...] = ()


Layers = Sequence[Sequence[RaptorNode]]
"""The leaves first."""


@dataclass(frozen=True)
class Raptor(PreparedStrategy):
    """``raptor-pca:RETRIEVER/SCOPE/ORDER``, or ``raptor-umap:``; ``raptor-pca-traversal:``.

    Attributes:
        plan: retriever, scope and order; its chunks are the leaves.
        reduction: how embeddings are made smaller before they are clustered.
        traverses: whether nodes are taken layer by layer, as many of each as its scope says.
    """

    plan: RetrievalPlan
    reduction: Reduction
    traverses: bool = False

    templates = ("raptor-summary",)

    def __str__(self) -> str:
        return f"raptor-{self.reduction}{'-traversal' if self.traverses else ''}:{self.plan}"

    @property
    def description(self) -> str:
        """One line for people."""
        how = "layer by layer, " if self.traverses else ""
        published = "RAPTOR" if self.reduction == "umap" else "RAPTOR with PCA in place of UMAP"
        return (
            f"100-token passages and summaries of their clusters, {how}by {self.plan.retriever} ({published})"
        )

    @property
    def scored(self) -> RetrievalPlan | None:
        """Ranks nodes, and embeds them; summaries are scored beside the leaves."""
        return self.plan

    @property
    def order(self) -> str:
        """Of leaves and summaries."""
        return self.plan.order

    @property
    def budget(self) -> int | None:
        """Its scope's."""
        return self.plan.budget

    @property
    def goes_by(self) -> tuple[str, ...]:
        """Templates, and what reduces embeddings."""
        return (
            *super().goes_by,
            *([f"umap-learn {version('umap-learn')}"] if self.reduction == "umap" else []),
        )

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """What is filled, or K nodes: of each layer, where the tree is traversed."""
        filled = self.plan.scope.tokens_in(room)
        if filled is not None:
            return filled, filled
        taken = min(self.plan.scope.chunks_for(None), room)
        most = taken * (SUMMARY_ROOM + SLACK_TOKENS)
        leaf = self.plan.chunker.known.usual(self.plan.chunker.size)
        if not self.traverses:
            return min(room, taken * leaf), most
        of_summaries = sum(min(taken, nodes) for nodes in _expected_layers(context_tokens, leaf))
        return min(room, taken * leaf + of_summaries * SUMMARY_TOKENS), (MOST_LAYERS + 1) * most

    def document(self, document: PreparedDocument, retriever: GetRetriever | None) -> Steps[Layers]:
        """The tree."""
        from niah.strategies.prepared.clusters import DIMENSIONS

        leaves = self.plan.chunker.chunks(document.text, document.starts)
        layers = [
            [
                RaptorNode(document.text[leaf.start : leaf.end], (leaf.start, leaf.end), leaf.index)
                for leaf in leaves
            ]
        ]
        while len(layers[-1]) > DIMENSIONS + 1 and len(layers) <= MOST_LAYERS:
            below = layers[-1]
            groups = self._groups([node.text for node in below], document, retriever)
            if len(groups) >= len(below):
                break  # a layer as wide as the one below says nothing new
            summaries = yield [
                ModelCall(
                    "summary",
                    render("raptor-summary", text="\n\n".join(below[child].text for child in group)),
                    SUMMARY_ROOM,
                    _expected_summary([below[child].text for child in group], document),
                )
                for group in groups
            ]
            if empty := sum(not summary.strip() for summary in summaries):
                raise PreparationFailed(f"{empty} of {len(summaries)} summaries are empty")
            layers.append(
                [
                    RaptorNode(summary.strip(), None, min(below[i].first_leaf for i in group), tuple(group))
                    for summary, group in zip(summaries, groups, strict=True)
                ]
            )
        return layers

    def _groups(
        self, texts: Sequence[str], document: PreparedDocument, retriever: GetRetriever | None
    ) -> list[list[int]]:
        if retriever is None:
            return _expected_clusters(len(texts))
        from niah.strategies.prepared.clusters import clusters

        embedder = retriever()
        assert isinstance(embedder, EmbeddingRetriever)  # the name was checked
        tokens = [document.count(text) for text in texts]
        return sorted(clusters(embedder.vectors(texts), tokens, self.reduction))

    def question(
        self,
        document: PreparedDocument,
        material: Layers,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """The best nodes of all layers; asks nobody."""
        import numpy as np

        yield from ()
        nodes = [node for layer in material for node in layer]
        texts = [node.text for node in nodes]
        scores = np.zeros(len(nodes)) if retriever is None else retriever().score(question.text, texts)
        ranking: list[int] = np.argsort(-scores, kind="stable").tolist()
        scope = self.plan.scope
        room = scope.tokens_in(question.room)
        if self.traverses:
            ranking = _traversed(material, scores, lambda best: scope.chunks_for(None, best))
        elif room is None:
            ranking = ranking[: scope.chunks_for(None, np.sort(scores)[::-1])]
        else:
            ranking = _fitting(ranking, [document.count(text) for text in texts], room)
        # Among nodes that start with one leaf, summaries come first, the highest at the front.
        layer_of = [depth for depth, layer in enumerate(material) for _ in layer]
        in_document = sorted(ranking, key=lambda i: (nodes[i].first_leaf, -layer_of[i]))
        number = {i: place for place, i in enumerate(in_document)}
        shown = ORDERS[self.plan.order].arrange([number[i] for i in ranking])
        arranged = [in_document[place] for place in shown]
        at = {i: place for place, i in enumerate(arranged)}
        return Chosen(
            [Part(nodes[i].text, nodes[i].place, float(scores[i])) for i in arranged],
            [at[i] for i in ranking],
            len(nodes),
        )


def _traversed(layers: Layers, scores: Scores, chunks_for: Callable[[Scores], int]) -> list[int]:
    """Nodes by their numbers across all layers, best first: the best of the highest layer, then of children.

    Args:
        layers: the tree.
        scores: shape (nodes,), of all layers.
        chunks_for: how many to take, of the scores that there are to choose from, the best first.
    """
    firsts = [sum(map(len, layers[:depth])) for depth in range(len(layers))]
    taken: list[int] = []
    offered = list(range(len(layers[-1])))
    for depth in range(len(layers) - 1, -1, -1):
        first = firsts[depth]
        best = sorted(offered, key=lambda i: -scores[first + i])
        picked = best[: chunks_for(scores[[first + i for i in best]])]
        taken += [first + i for i in picked]
        offered = sorted({child for i in picked for child in layers[depth][i].children})
    return sorted(taken, key=lambda i: -scores[i])


def _expected_summary(texts: Sequence[str], document: PreparedDocument) -> str:
    """About 100 tokens on what the texts are about, so that a plan that embeds can go on: the middle one."""
    middle = texts[len(texts) // 2]
    missing = SUMMARY_TOKENS - document.count(middle)
    return f"{middle} {expected_text(missing)}" if missing > 1 else middle


def _expected_layers(context_tokens: int, leaf: int) -> list[int]:
    """How many summaries each layer has, where leaves have so many tokens."""
    from niah.strategies.prepared.clusters import DIMENSIONS

    layers: list[int] = []
    nodes = context_tokens // leaf
    while nodes > DIMENSIONS + 1 and len(layers) < MOST_LAYERS:
        nodes = ceil(nodes / _EXPECTED_CLUSTER)
        layers.append(nodes)
    return layers


def _expected_clusters(nodes: int) -> list[list[int]]:
    """Neighbours, six together."""
    return [list(range(i, min(i + _EXPECTED_CLUSTER, nodes))) for i in range(0, nodes, _EXPECTED_CLUSTER)]


def _fitting(ranking: Sequence[int], tokens: Sequence[int], room: int) -> list[int]:
    """The best nodes until one does not fit; two tokens go between two of them."""
    taken: list[int] = []
    left = room
    for i in ranking:
        left -= tokens[i] + (2 if taken else 0)
        if left < 0:
            break
        taken.append(i)
    return taken
