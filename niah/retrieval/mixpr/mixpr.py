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
from niah.retrieval.mixpr.graph import EdgeGraph, Graph, MatrixGraph, StreamGraph, centrality, personalised
from niah.retrieval.names import MixPRForm
from niah.retrieval.router import route
from niah.text.sentences import short_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# A matrix of all their pairs takes about a gigabyte.
_MOST_NAIVE = 10_000
# SciPy is through with so many characters before the loops are loaded.
_FEW = 250_000


class MixPR:
    """The retriever: chunks and question in one graph, scored by personalised PageRank.

    The question is cut into chunks as its context is (sentences of at most 32 words) and comes last; p lies
    on those chunks, in equal parts. For a global question p is uniform. ``best`` gives ``top`` chunks;
    ``say`` gets a line where the loops have to be compiled first.
    """

    def __init__(
        self, top: int = 100, form: MixPRForm | None = None, say: Callable[[str], None] = lambda line: None
    ) -> None:
        self._form, self._top, self._say = form or MixPRForm(), top, say
        self.name = self._form.text

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Shape (len(texts),): each chunk's share of pi; together with the question's own they sum to 1."""
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        form, alpha = self._form, self._form.alpha
        if alpha is None:
            alpha = form.local_alpha if route(query) == "local" else 0.0
        if form.threshold == 0 and len(texts) > _MOST_NAIVE:
            raise StrategyError(
                f"{self.name} forms a matrix of all pairs: {len(texts):,} chunks are too many.",
                f"Take mixpr, which finds the same, or contexts of at most {_MOST_NAIVE:,} chunks.",
            )
        graph = self._graph([*texts, *asked])
        starts = len(asked) if form.last is None else min(form.last, len(texts) + len(asked))
        pi = personalised(graph, starts, alpha) if alpha else centrality(graph)
        return pi[: len(texts)]

    def best(self, query: str, texts: Sequence[str]) -> list[int]:
        """The places of the ``top`` best chunks, best first, equal ones in document order."""
        ranking = np.argsort(-self.score(query, texts), kind="stable")
        return list(map(int, ranking[: self._top]))

    def _graph(self, texts: Sequence[str]) -> Graph:
        """By the compiled loops where the text is long and niah's extra ``fast`` brings numba."""
        if self._form.threshold is not None:
            return EdgeGraph(MatrixGraph(texts), self._form.threshold)
        if sum(map(len, texts)) <= _FEW or find_spec("numba") is None:
            return MatrixGraph(texts)
        from niah.retrieval.mixpr import kernels
        from niah.retrieval.mixpr.terms import term_stream

        if not kernels.are_compiled():
            self._say("Compiling MixPR for this machine, once: less than 10 seconds ...")
        return StreamGraph(term_stream(texts))
