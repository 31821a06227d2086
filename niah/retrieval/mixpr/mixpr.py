"""MixPR: a mixture of two PageRanks over the graph of similar chunks (mixture-of-pageranks, section 4).

Chunks are nodes and A = normalise(E E^T) joins the similar ones, E being their L2-normalised TF-IDF rows. A
local question starts the walk at its own chunks and returns there often (alpha 0.6); a global one ranks the
chunks by how central they are (alpha 0). A is never formed, unless weak similarities are dropped first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr.form import LOCAL_ALPHA, MOST_EDGES, PAPER_THRESHOLD, MixPRForm
from niah.retrieval.mixpr.graph import StreamGraph
from niah.retrieval.mixpr.plain_graph import PlainGraph
from niah.retrieval.mixpr.router import Reach, route
from niah.retrieval.mixpr.term_stream import Chunked, term_stream
from niah.retrieval.mixpr.threshold import (
    has_more_edges,
    similar_chunks,
    thresholded_global_scores,
    thresholded_local_scores,
)
from niah.retrieval.mixpr.walk import global_scores, kth_greatest, local_scores
from niah.text.scanning.compiling import loops_for, require_loops
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.short_spans import short_byte_spans, short_spans
from niah.text.scanning.utf8 import Utf8

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The paper's values: section 4, "Dynamic alpha", and appendix A.2.
ALPHAS: dict[Reach, float] = {"local": LOCAL_ALPHA, "global": 0.0}
ITERATIONS = 18

# The plain form reads as many characters while the loops are compiled; so many where it forms all pairs.
_PLAIN = 20_000_000
_PLAIN_PAIRS = 250_000


class MixPR:
    """The retriever: chunks and question in one graph, scored by personalised PageRank.

    The question is cut into chunks as its context is (sentences of at most 32 words) and stands at the end;
    p lies on those chunks, in equal parts. For a global question p is uniform. The order of the best ``top``
    chunks is that of 18 steps of the walk for a local question, and that of a walk without end for a global
    one; other scores are as good as that took (``niah.retrieval.mixpr.walk``).

    With a ``threshold``, similarities below it are dropped, and all scores are those of 18 steps
    (``niah.retrieval.mixpr.threshold``). With an ``alpha``, every question has that one, and 0 makes it
    global. The name says which form it is: "mixpr", "mixpr-0.27" or "mixpr-alpha-0.6". A ``form`` says the
    same, and more, in one.
    """

    def __init__(
        self,
        top: int = 100,
        threshold: float | None = None,
        alpha: float | None = None,
        form: MixPRForm | None = None,
    ) -> None:
        """Raises ValueError for a threshold not above 0 and below 1, or an alpha not from 0 to 1."""
        form = form or MixPRForm(threshold, alpha=alpha)
        threshold, alpha = form.threshold, form.alpha
        if threshold is not None and not 0 < threshold < 1:
            raise ValueError(f"threshold {threshold} for similarities; need 0 < threshold < 1")
        if alpha is not None and not 0 <= alpha <= 1:
            raise ValueError(f"alpha {alpha}; need 0 <= alpha <= 1")
        self._top = top
        self._form = form

    @property
    def name(self) -> str:
        """ "mixpr"; "mixpr-0.27" with that threshold, "mixpr-alpha-0.6" with that alpha."""
        return self._form.text

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): each chunk's share of pi; together with the question's own they sum to 1."""
        if not self._takes_loops(sum(map(len, texts))):
            return self._plain_scores(query, texts)
        encoded = Utf8.of("".join(texts))
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        starts = ends - np.array([len(text) for text in texts], dtype=np.int64)
        return self._score(query, encoded, encoded.to_bytes(starts), encoded.to_bytes(ends))

    def best_spans(self, query: str, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The best ``top`` sentences of a text (``niah.text.scanning.short_spans``), best first.

        Returns:
            Their starts and ends, in characters.
        """
        if not self._takes_loops(len(text)):
            starts, ends = short_spans(text)
            pieces = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
            best = best_first(self._plain_scores(query, pieces), self._top)
            return starts[best], ends[best]
        encoded = Utf8.of(text)
        starts, ends = short_byte_spans(encoded)
        best = best_first(self._score(query, encoded, starts, ends), self._top)
        # In the order of the text, in which they are counted in one pass.
        offsets = np.stack([starts[best], ends[best]])
        found = np.empty_like(offsets)
        in_order = np.argsort(offsets, axis=None)
        found.ravel()[in_order] = encoded.to_characters(offsets.ravel()[in_order])
        return found[0], found[1]

    def best_in_file(self, query: str, path: Path) -> list[str]:
        """The best ``top`` sentences of a text file, best first.

        The file is read where it lies: of 500 million tokens, which are 2 GB, only numbers are in memory.
        Raises UserError for a file that is no UTF-8 text, and without numba.
        """
        require_loops("MixPR over a file", "give it a text (best_spans)")
        text = Utf8.of_file(path)
        starts, ends = short_byte_spans(text)
        best = best_first(self._score(query, text, starts, ends), self._top)
        spans = zip(starts[best].tolist(), ends[best].tolist(), strict=True)
        return [text.data[start:end].tobytes().decode() for start, end in spans]

    def _takes_loops(self, size: int) -> bool:
        forms_pairs = self._form.is_automatic or self._form.threshold is not None
        return loops_for(size, _PLAIN_PAIRS if forms_pairs else _PLAIN)

    def _plain_scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        return self._walk(query, PlainGraph.of([*texts, *asked]), len(asked))[: len(texts)]

    def _score(
        self, query: str, text: Utf8, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        asked = Utf8.of(query)
        asked_starts, asked_ends = short_byte_spans(asked)
        if not len(asked_starts):
            asked_starts, asked_ends = np.array([0]), np.array([len(asked.data)])
        graph = StreamGraph.of(
            term_stream(Chunked(text, starts, ends), Chunked(asked, asked_starts, asked_ends))
        )
        return self._walk(query, graph, len(asked_starts))[: len(starts)]

    def _walk(self, query: str, graph: StreamGraph | PlainGraph, asked: int) -> NDArray[np.float64]:
        form = self._form
        alpha = form.alpha
        if alpha is None:
            alpha = form.local_alpha if route(query) == "local" else ALPHAS["global"]
        asked = asked if form.last is None else min(form.last, len(graph.sums))
        threshold = form.threshold
        if form.is_automatic and has_more_edges(graph, MOST_EDGES):
            threshold = PAPER_THRESHOLD
        if threshold is None:
            if alpha == 0:
                return global_scores(graph)
            return local_scores(graph, asked, alpha, self._top, ITERATIONS)[0]
        similar = similar_chunks(graph, threshold)
        if alpha == 0:
            return thresholded_global_scores(similar)
        return thresholded_local_scores(similar, asked, alpha, ITERATIONS)


def best_first(scores: NDArray[np.float64], top: int) -> NDArray[np.intp]:
    """The places of the ``top`` greatest scores, greatest first, equal ones in document order."""
    places = (
        np.flatnonzero(scores >= kth_greatest(scores, top)) if top < len(scores) else np.arange(len(scores))
    )
    return places[np.argsort(-scores[places], kind="stable")][:top]
