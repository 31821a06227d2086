"""MixPR: a mixture of two PageRanks over the graph of similar chunks (mixture-of-pageranks, section 4).

Chunks are nodes and A = normalise(E E^T) joins the similar ones, E being their L2-normalised TF-IDF rows. A
local question starts the walk at its own chunks and returns there often (alpha 0.6); a global one ranks the
chunks by how central they are (alpha 0). A is never formed, unless weak similarities are dropped first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from niah.errors import StrategyError, UserError
from niah.retrieval.mixpr.graph import EdgeGraph, Graph, MatrixGraph, StreamGraph, has_more_edges
from niah.retrieval.mixpr.router import route
from niah.retrieval.mixpr.walk import centrality, personalised, question, step_by_step
from niah.retrieval.names import PAPER_THRESHOLD, MixPRForm
from niah.text.short_sentences import short_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.retrieval.mixpr.terms import TermReader

    Offsets = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Above so many edges the paper drops similarities below 0.27 (appendix A.2).
_MOST_EDGES = 50_000_000

# A matrix of all their pairs takes about a gigabyte.
_MOST_NAIVE = 10_000

# SciPy is through with so many characters before the loops are loaded.
_FEW = 250_000
_FILE_BLOCK = 1 << 22


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
        if not self._takes_loops(sum(map(len, texts))):
            return self._plain(query, texts)
        from niah.retrieval.mixpr.terms import TermReader

        reader = TermReader()
        reader.read_texts(texts)
        return self._streamed(query, reader)

    def best_spans(self, query: str, text: str) -> tuple[Offsets, Offsets]:
        """The best ``top`` sentences of a text (``niah.text.short_sentences``), best first.

        Returns:
            Their starts and ends, in characters.
        """
        if not self._takes_loops(len(text)):
            spans = short_sentences(text)
            best = best_first(self._plain(query, [text[start:end] for start, end in spans]), self._top)
            found = np.array(spans, dtype=np.int64).reshape(-1, 2)[best]
            return found[:, 0], found[:, 1]
        from niah.retrieval.mixpr.terms import blocks

        starts, ends, scores = self._read(query, blocks(text))
        best = best_first(scores, self._top)
        return starts[best], ends[best]

    def best_in_file(self, query: str, path: Path) -> list[str]:
        """The best ``top`` sentences of a UTF-8 text file, best first. Raises UserError.

        The file is read in blocks: of 500 million tokens, which are 2 GB, only numbers are in memory.
        """
        if not self._takes_loops(path.stat().st_size if path.is_file() else 0):
            text = "".join(block for _, block in _file_blocks(path))
            starts, ends = self.best_spans(query, text)
            return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        starts, ends, scores = self._read(query, _file_blocks(path))
        best = best_first(scores, self._top)
        found: dict[int, str] = {}
        for first, text in _file_blocks(path):
            for place in best[(first <= starts[best]) & (starts[best] < first + len(text))].tolist():
                found[place] = text[starts[place] - first : ends[place] - first]
        return [found[place] for place in best.tolist()]

    def _takes_loops(self, size: int) -> bool:
        """Whether to read so many characters by the compiled loops, which niah's extra ``fast`` brings."""
        if size <= _FEW or find_spec("numba") is None:
            return False
        from niah.retrieval.mixpr import kernels

        if not kernels.are_compiled():
            self._say("Compiling MixPR for this machine, once: less than 10 seconds ...")
        return True

    def _plain(self, query: str, texts: Sequence[str]) -> Floats:
        asked = _chunks_of(query)
        return self._walk(query, MatrixGraph([*texts, *asked]), len(asked))[: len(texts)]

    def _read(self, query: str, blocks: Iterable[tuple[int, str]]) -> tuple[Offsets, Offsets, Floats]:
        """The starts and ends of all sentences, and their scores."""
        from niah.retrieval.mixpr.terms import TermReader, codes_of, sentences

        reader, starts, ends = TermReader(), [], []
        for first, text in blocks:
            codes = codes_of(text)
            found = sentences(text, codes)
            reader.read(text, codes, *found)
            starts.append(found[0] + first)
            ends.append(found[1] + first)
        return np.concatenate(starts), np.concatenate(ends), self._streamed(query, reader)

    def _streamed(self, query: str, reader: TermReader) -> Floats:
        asked, n = _chunks_of(query), reader.chunks
        reader.read_texts(asked)
        return self._walk(query, StreamGraph(reader.stream()), len(asked))[:n]

    def _walk(self, query: str, graph: Graph, asked: int) -> Floats:
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
            if alpha == 0:
                return centrality(graph.sums, graph.components())
            return personalised(graph, asked, alpha, self._top)
        if threshold == 0 and len(graph.sums) > _MOST_NAIVE:
            raise StrategyError(
                f"{self.name} forms a matrix of all pairs: {len(graph.sums):,} chunks are too many.",
                f"Take mixpr, which finds the same, or contexts of at most {_MOST_NAIVE:,} chunks.",
            )
        edges = EdgeGraph(graph, threshold)
        if alpha == 0:
            return centrality(edges.sums, edges.components())
        return step_by_step(edges.walked, edges.sums, question(len(edges.sums), asked), alpha)


def _chunks_of(query: str) -> list[str]:
    return [query[start:end] for start, end in short_sentences(query)] or [query]


def _file_blocks(path: Path) -> Iterator[tuple[int, str]]:
    """The text of a file in parts of millions of characters, each with its start, cut between paragraphs."""
    first, left = 0, b""
    try:
        with path.open("rb") as file:
            while data := file.read(_FILE_BLOCK):
                blank = data.rfind(b"\n\n")
                if blank < 0:
                    left += data
                    continue
                text = (left + data[: blank + 2]).decode()
                yield first, text
                first, left = first + len(text), data[blank + 2 :]
        if left or not first:
            yield first, left.decode()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Name a text file.") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no UTF-8 text: {error.reason}.", "Save it as UTF-8.") from None


def best_first(scores: Floats, top: int) -> NDArray[np.intp]:
    """The places of the ``top`` greatest scores, greatest first, equal ones in document order."""
    places = np.arange(len(scores))
    if top < len(scores):
        places = np.flatnonzero(scores >= np.partition(scores, len(scores) - top)[len(scores) - top])
    return places[np.argsort(-scores[places], kind="stable")][:top]
