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
from niah.strategies.parts import ORDERS, RetrievalPlan
from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    GetRetriever,
    ModelCall,
    Part,
    PreparedDocument,
    PreparedStrategy,
    QuestionBound,
    Steps,
    render,
    said,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from niah.strategies.prepared.clusters import Reduction

    Scores = NDArray[np.float64]

MOST_LAYERS = 5
SUMMARY_ROOM = 200
_SUMMARY_TOKENS = 100
_FEWEST_NODES = 11
"""So few are not clustered: one more than the dimensions of the points."""
_CLUSTER = 3
"""A bound assumes so many nodes a cluster, and each node in two clusters. The published code makes clusters
of about six of books' nodes; what is larger than the bound is stopped by a budget, call by call."""


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
    def scored(self) -> RetrievalPlan:
        """Ranks nodes, and embeds them; summaries are scored with the leaves."""
        return self.plan

    @property
    def goes_by(self) -> tuple[str, ...]:
        """Template, and what reduces embeddings."""
        umap = (f"umap-learn {version('umap-learn')}",) if self.reduction == "umap" else ()
        return (*super().goes_by, *umap)

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
        of_summaries = sum(min(taken, nodes) for nodes in _layers(context_tokens // leaf, 2 * _CLUSTER))
        return min(room, taken * leaf + of_summaries * _SUMMARY_TOKENS), (MOST_LAYERS + 1) * most

    def document(self, document: PreparedDocument, retriever: GetRetriever) -> Steps[Layers]:
        """The tree."""
        from niah.strategies.prepared.clusters import clusters

        embedder = retriever()
        assert isinstance(embedder, EmbeddingRetriever)  # the name was checked
        leaves = self.plan.chunker.chunks(document.text, document.starts)
        spans = [(leaf.start, leaf.end) for leaf in leaves]
        layers = [[RaptorNode(document.text[slice(*span)], span, i) for i, span in enumerate(spans)]]
        while len(layers[-1]) > _FEWEST_NODES and len(layers) <= MOST_LAYERS:
            below = layers[-1]
            texts = [node.text for node in below]
            tokens = [document.count(text) for text in texts]
            groups = sorted(clusters(embedder.vectors(texts), tokens, self.reduction))
            if len(groups) >= len(below):
                break  # a layer as wide as the one below says nothing new
            joined = ["\n\n".join(texts[child] for child in group) for group in groups]
            replies = yield [
                ModelCall("summary", render("raptor-summary", text=text), SUMMARY_ROOM) for text in joined
            ]
            layers.append(
                [
                    RaptorNode(summary, None, min(below[i].first_leaf for i in group), tuple(group))
                    for summary, group in zip(said(replies, "summaries"), groups, strict=True)
                ]
            )
        return layers

    def document_bounds(self, document: PreparedDocument) -> Sequence[CallBound]:
        """A layer's summaries each, of clusters of three nodes."""
        below = len(document.starts)
        bounds = []
        leaves = len(self.plan.chunker.chunks(document.text, document.starts))
        for summaries in _layers(leaves, _CLUSTER):
            prompts = 2 * below + summaries * document.template("raptor-summary")
            below = summaries * SUMMARY_ROOM
            bounds.append(CallBound(summaries, prompts, below))
        return bounds

    def question(
        self, document: PreparedDocument, material: Layers, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """The best nodes of all layers; asks no model."""
        import numpy as np

        yield from ()
        nodes = [node for layer in material for node in layer]
        texts = [node.text for node in nodes]
        scores = retriever().score(question.text, texts)
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
        arranged = [in_document[place] for place in ORDERS[self.order].arrange([number[i] for i in ranking])]
        at = {i: place for place, i in enumerate(arranged)}
        return Chosen(
            [Part(nodes[i].text, nodes[i].place, float(scores[i])) for i in arranged],
            [at[i] for i in ranking],
            len(nodes),
        )

    def question_bounds(self, document: PreparedDocument, question: QuestionBound) -> Sequence[CallBound]:
        """None: the tree is searched without a model."""
        return ()


def _layers(leaves: int, cluster: int) -> list[int]:
    """How many summaries each layer has, where clusters have so many nodes."""
    layers: list[int] = []
    while leaves > _FEWEST_NODES and len(layers) < MOST_LAYERS:
        leaves = ceil(leaves / cluster)
        layers.append(leaves)
    return layers


def _traversed(layers: Layers, scores: Scores, chunks_for: Callable[[Scores], int]) -> list[int]:
    """Nodes by their numbers across all layers, best first: the best of the highest layer, then of children.

    Args:
        layers: the tree.
        scores: shape (nodes,), of all layers.
        chunks_for: how many to take, by the scores of those to choose from, the best first.
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
