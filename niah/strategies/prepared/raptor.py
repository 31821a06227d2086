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
from math import ceil
from typing import TYPE_CHECKING, Any

from niah.retrieval.retriever import EmbeddingRetriever
from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.parts import ORDERS
from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    GetRetriever,
    Node,
    PreparedDocument,
    PreparedStrategy,
    Steps,
    summaries,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from niah.strategies.prepared.clusters import Reduction

    Scores = NDArray[np.float64]

MOST_LAYERS = 5
SUMMARY_ROOM = 200
_NODE_TOKENS = 100
"""Of a leaf or a summary, as expected."""
_FEWEST_NODES = 11
"""So few are not clustered: one more than the dimensions of the points."""
_CLUSTER = 3
"""Nodes of a cluster, for bounds; each is taken to be in two. The published code makes clusters of about six
of books' nodes. What takes more than the bound is stopped by a budget, call by call."""


Layers = Sequence[Sequence[Node]]
"""The leaves first."""


@dataclass(frozen=True, kw_only=True)
class Raptor(PreparedStrategy):
    """``raptor-pca:RETRIEVER/SCOPE/ORDER``, or ``raptor-umap:``; the chunks of what it scores are the leaves.

    With ``traverses``, nodes are taken layer by layer, as many of each as its scope says.
    """

    templates = ("raptor-summary",)
    reduction: Reduction
    traverses: bool

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """What is filled, or K nodes: of each layer, where the tree is traversed."""
        assert self.scored
        if (filled := self.scored.scope.tokens_in(room)) is not None:
            return filled, filled
        taken = min(self.scored.scope.chunks_for(None), room) * (MOST_LAYERS + 1 if self.traverses else 1)
        return min(room, taken * _NODE_TOKENS), taken * (SUMMARY_ROOM + SLACK_TOKENS)

    def document(self, document: PreparedDocument, retriever: GetRetriever) -> Steps[Layers]:
        """The tree."""
        from niah.strategies.prepared.clusters import clusters

        embedder = retriever()
        assert self.scored
        assert isinstance(embedder, EmbeddingRetriever)  # the name was checked
        text, leaves = document.text, self.scored.chunker.chunks(document.text, document.starts)
        layers = [[Node(text[c.start : c.end], (c.start, c.end), (), i) for i, c in enumerate(leaves)]]
        while len(layers[-1]) > _FEWEST_NODES and len(layers) <= MOST_LAYERS:
            texts = [node.text for node in layers[-1]]
            tokens = [document.count(text) for text in texts]
            groups = sorted(map(tuple, clusters(embedder.vectors(texts), tokens, self.reduction)))
            if len(groups) >= len(texts):
                break  # a layer as wide as the one below says nothing new
            layers.append((yield from summaries("raptor-summary", layers[-1], groups, SUMMARY_ROOM)))
        return layers

    def document_bounds(self, document: PreparedDocument) -> Sequence[CallBound]:
        """A layer's summaries each, of clusters of three nodes."""
        assert self.scored
        nodes, below = len(self.scored.chunker.chunks(document.text, document.starts)), len(document.starts)
        template, bounds = document.template_tokens("raptor-summary"), list[CallBound]()
        while nodes > _FEWEST_NODES and len(bounds) < MOST_LAYERS:
            nodes = ceil(nodes / _CLUSTER)
            bounds.append(CallBound(nodes, 2 * below + nodes * template, nodes * SUMMARY_ROOM))
            below = nodes * SUMMARY_ROOM
        return bounds

    def question(
        self, document: PreparedDocument, material: Any, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """The best nodes of all layers; asks no model."""
        import numpy as np

        yield from ()
        assert self.scored
        layers: Layers = material
        nodes = [node for layer in layers for node in layer]
        texts = [node.text for node in nodes]
        scores = retriever().score(question.text, texts)
        ranking: list[int] = np.argsort(-scores, kind="stable").tolist()
        scope = self.scored.scope
        room = scope.tokens_in(question.room)
        if self.traverses:
            ranking = _traversed(layers, scores, lambda best: scope.chunks_for(None, best))
        elif room is None:
            ranking = ranking[: scope.chunks_for(None, np.sort(scores)[::-1])]
        else:  # until one does not fit; two tokens go between two of them
            taken = np.cumsum([document.count(texts[i]) + 2 for i in ranking])
            ranking = ranking[: int(np.searchsorted(taken, room + 2, side="right"))]
        # Among nodes that start with one leaf, summaries come first, the highest at the front.
        layer_of = [depth for depth, layer in enumerate(layers) for _ in layer]
        in_document = sorted(ranking, key=lambda i: (nodes[i].first_leaf, -layer_of[i]))
        number = {i: place for place, i in enumerate(in_document)}
        arranged = [in_document[place] for place in ORDERS[self.order].arrange([number[i] for i in ranking])]
        at = {i: place for place, i in enumerate(arranged)}
        return Chosen([nodes[i] for i in arranged], [at[i] for i in ranking], len(nodes))


def _traversed(layers: Layers, scores: Scores, chunks_for: Callable[[Scores], int]) -> list[int]:
    """Numbers of nodes, best first: the best of the highest layer, then of their children, and so on."""
    firsts = [sum(map(len, layers[:depth])) for depth in range(len(layers))]
    taken: list[int] = []
    offered = list(range(len(layers[-1])))
    for first, layer in zip(reversed(firsts), reversed(layers), strict=True):
        best = sorted(offered, key=lambda i: -scores[first + i])
        picked = best[: chunks_for(scores[[first + i for i in best]])]
        taken += [first + i for i in picked]
        offered = sorted({child for i in picked for child in layer[i].children})
    return sorted(taken, key=lambda i: -scores[i])
