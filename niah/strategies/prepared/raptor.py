"""RAPTOR: summaries of clusters, summaries of these, and retrieval among all of them (its paper, section 3).

Leaves are passages of whole sentences. Nodes are clustered by their embeddings (see ``prepared.clusters``),
each cluster gets a summary of about 100 tokens, and the summaries are the next layer's nodes: up to five
layers, or until at most eleven nodes are left. All nodes of all layers are ranked together; a summary stands
where its first leaf stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from niah.retrieval.retriever import EmbeddingRetriever
from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.parts import RetrievalPlan, in_order
from niah.strategies.prepared import steps

if TYPE_CHECKING:
    from niah.strategies.prepared.clusters import Reduction

MOST_LAYERS = 5
SUMMARY_ROOM = 200
_NODE_TOKENS = 100  # of a leaf or a summary, as expected
_FEWEST_NODES = 11  # so few are not clustered: one more than the dimensions of the points
_CLUSTER = 3  # nodes of one, for bounds; each is taken to be in two. Of books' nodes clusters have about six

Layers = Sequence[Sequence[steps.Node]]  # the leaves first


@dataclass(frozen=True, kw_only=True)
class Raptor(steps.PreparedStrategy):
    """``raptor-pca:RETRIEVER/SCOPE/ORDER``, or ``raptor-umap:``; its leaves are the chunks that it scores."""

    templates = ("raptor-summary",)
    scored: RetrievalPlan
    reduction: Reduction

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """What is filled, or K nodes."""
        scope = self.scored.scope
        if (filled := scope.tokens_in(room)) is not None:
            return filled, filled
        taken = min(scope.chunks_for(None), room)
        return min(room, taken * _NODE_TOKENS), taken * (SUMMARY_ROOM + SLACK_TOKENS)

    def document(self, document: steps.PreparedDocument) -> steps.Steps[Layers]:
        """The tree."""
        from niah.strategies.prepared.clusters import clusters

        assert document.retriever
        text, embedder = document.text, document.retriever()
        leaves = self.scored.chunker.chunks(text, document.starts)
        assert isinstance(embedder, EmbeddingRetriever)  # the name was checked
        layers = [[steps.Node(text[c.start : c.end], (c.start, c.end), (), i) for i, c in enumerate(leaves)]]
        while len(layers[-1]) > _FEWEST_NODES and len(layers) <= MOST_LAYERS:
            texts = [node.text for node in layers[-1]]
            tokens = [document.count(text) for text in texts]
            groups = sorted(map(tuple, clusters(embedder.vectors(texts), tokens, self.reduction)))
            if len(groups) >= len(texts):
                break  # a layer as wide as the one below says nothing new
            layers.append((yield from steps.summaries("raptor-summary", layers[-1], groups, SUMMARY_ROOM)))
        return layers

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """A layer's summaries each, of clusters of three nodes."""
        document, bounds = question.document, list[steps.CallBound]()
        nodes = len(self.scored.chunker.chunks(document.text, document.starts))
        below, template = len(document.starts), document.template_tokens("raptor-summary")
        while nodes > _FEWEST_NODES and len(bounds) < MOST_LAYERS:
            nodes = ceil(nodes / _CLUSTER)
            prompts, below = 2 * below + nodes * template, nodes * SUMMARY_ROOM
            bounds.append(steps.CallBound(nodes, prompts, below, of_document=True))
        return bounds

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The best nodes of all layers; asks no model."""
        import numpy as np

        yield from ()
        layers: Layers = material
        document = question.document
        assert document.retriever
        nodes = [node for layer in layers for node in layer]
        texts = [node.text for node in nodes]
        scores = document.retriever().score(question.text, texts)
        ranking: list[int] = np.argsort(-scores, kind="stable").tolist()
        scope = self.scored.scope
        if (room := scope.tokens_in(question.room)) is None:
            ranking = ranking[: scope.chunks_for(None, np.sort(scores)[::-1])]
        else:  # until one does not fit; two tokens go between two of them
            taken = np.cumsum([document.count(texts[i]) + 2 for i in ranking])
            ranking = ranking[: int(np.searchsorted(taken, room + 2, side="right"))]
        # Among nodes that start with one leaf, summaries come first, the highest at the front.
        layer_of = [depth for depth, layer in enumerate(layers) for _ in layer]
        in_document = sorted(ranking, key=lambda i: (nodes[i].first_leaf, -layer_of[i]))
        number = {i: place for place, i in enumerate(in_document)}
        arranged = [in_document[place] for place in in_order(self.order, [number[i] for i in ranking])]
        at = {i: place for place, i in enumerate(arranged)}
        return steps.Chosen([nodes[i] for i in arranged], [at[i] for i in ranking], len(nodes))
