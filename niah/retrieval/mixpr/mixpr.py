"""MixPR: a mixture of two PageRanks over the graph of similar chunks (mixture-of-pageranks, section 4).

Chunks are nodes and A = normalise(E E^T) joins the similar ones, E being their L2-normalised TF-IDF rows. A
local question starts the walk at its own chunks and returns there often (alpha 0.6); a global one ranks the
chunks by how central they are (alpha 0). A is never formed, unless weak similarities are dropped first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from niah.errors import StrategyError
from niah.retrieval.mixpr.graph import EdgeGraph, Graph, MatrixGraph, RowGraph, StreamGraph, has_more_edges
from niah.retrieval.mixpr.router import route
from niah.retrieval.mixpr.walk import centrality, personalised
from niah.retrieval.names import PAPER_THRESHOLD, MixPRForm
from niah.text.sentences import short_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Above so many edges the paper drops similarities below 0.27 (appendix A.2).
_MOST_EDGES = 50_000_000

# A matrix of all their pairs takes about a gigabyte.
_MOST_NAIVE = 10_000

# SciPy is through with so many characters before the loops are loaded.
_FEW = 250_000


class MixPR:
    """The retriever: chunks and question in one graph, scored by personalised PageRank.

    The question is cut into chunks as its context is (sentences of at most 32 words) and comes last; p lies
    on those chunks, in equal parts. For a global question p is uniform. The order of the best ``top`` chunks
    is that of 18 steps of the walk for a local question, and that of a walk without end for a global one
    (``niah.retrieval.mixpr.walk``).

    Args:
        top: so many chunks are in the right order.
        form: with a threshold, similarities below it are dropped; with an alpha, every question has that one,
            and 0 makes it global.
        say: gets a line where the loops have to be compiled first.
    """

    def __init__(
        self,
        top: int = 100,
        form: MixPRForm | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._form = form or MixPRForm()
        self.name = self._form.text
        self._top = top
        self._say = say

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Shape (len(texts),): each chunk's share of pi; together with the question's own they sum to 1."""
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        every = [*texts, *asked]
        if not self._takes_loops(sum(map(len, texts))):
            return self._walk(query, MatrixGraph(every), len(asked))[: len(texts)]
        from niah.retrieval.mixpr.terms import term_stream

        return self._walk(query, StreamGraph(term_stream(every)), len(asked))[: len(texts)]

    def _takes_loops(self, size: int) -> bool:
        """Whether to read so many characters by the compiled loops, which niah's extra ``fast`` brings."""
        if size <= _FEW or find_spec("numba") is None:
            return False
        from niah.retrieval.mixpr import kernels

        if not kernels.are_compiled():
            self._say("Compiling MixPR for this machine, once: less than 10 seconds ...")
        return True

    def _walk(self, query: str, graph: RowGraph, asked: int) -> Floats:
        form = self._form
        alpha = form.alpha
        if alpha is None:
            alpha = form.local_alpha if route(query) == "local" else 0.0
        if form.last is not None:
            asked = min(form.last, len(graph.sums))
        threshold = form.threshold
        if form.is_automatic and has_more_edges(graph, _MOST_EDGES):
            threshold = PAPER_THRESHOLD
        if threshold is None:
            return personalised(graph, asked, alpha, self._top) if alpha else _central(graph)
        if threshold == 0 and len(graph.sums) > _MOST_NAIVE:
            raise StrategyError(
                f"{self.name} forms a matrix of all pairs: {len(graph.sums):,} chunks are too many.",
                f"Take mixpr, which finds the same, or contexts of at most {_MOST_NAIVE:,} chunks.",
            )
        edges = EdgeGraph(graph, threshold)
        return personalised(edges, asked, alpha, self._top) if alpha else _central(edges)


def _central(graph: Graph) -> Floats:
    return centrality(graph.sums, graph.components())


def best_first(scores: Floats, top: int) -> NDArray[np.intp]:
    """The places of the ``top`` greatest scores, greatest first, equal ones in document order."""
    places = np.arange(len(scores))
    if top < len(scores):
        places = np.flatnonzero(scores >= np.partition(scores, len(scores) - top)[len(scores) - top])
    return places[np.argsort(-scores[places], kind="stable")][:top]
