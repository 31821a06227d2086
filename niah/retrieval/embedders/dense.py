"""Retrieval by embeddings, alone (similarity of a chunk's best part to the query's) or with words.

The packaged model compares chunks sentence by sentence; so do others where chunks are longer than they read.
Sentences are the same in every chunk, at every depth and length, and in every night that has them, so that of
a context which differs in its needles alone only those are embedded; windows that overlap, or start
elsewhere, and passages of the same text cost nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from niah.errors import StrategyError
from niah.retrieval.embedders.whole_sentences import whole_sentences
from niah.retrieval.retriever import Retriever
from niah.text.embedding.embedder import Embedder, greatest_cosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Found by the paper's authors through a grid search.
DENSE_WEIGHT = 0.85
SPARSE_WEIGHT = 0.15

# An embedder's token has more than four bytes of English, and three of Chinese. So nobody has to load a model
# to know; chunks near the border are rare, since most have 600 tokens or 100, and models read 256 or 512.
_BYTES_PER_TOKEN = 4

# Embeddings of one wording in two places of a batch differ by about 1e-7; equal wordings shall tie.
_CERTAIN_DECIMALS = 6


class DenseRetriever:
    """Ranks chunks by an embedder's similarity, under the embedder's name.

    Chunks are embedded as passages and the query as a query, each once per machine: all strategies and all
    questions share a chunk's embedding.

    Args:
        embedder: gives the embeddings.
        in_sentences: whether chunks are compared by their sentences also where the model can read them whole.
    """

    def __init__(self, embedder: Embedder, *, in_sentences: bool = False) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._in_sentences = in_sentences

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): similarity of the best pair of a part of the chunk and one of the query.

        It is the cosine, -1 to 1, or for a model of that convention (contriever) the dot product. The parts
        of a chunk are the sentences that it has whole, always or where most chunks are longer than the model
        reads, and else the chunk.
        """
        if not texts:
            return np.zeros(0)
        asked = self._embedder.embed([query], "query")
        in_sentences = self._in_sentences or self._reads_less_than(texts)
        parts = whole_sentences(texts) if in_sentences else [[text] for text in texts]
        embedded = self._embedder.embed([part for chunk in parts for part in chunk], "passage")
        if asked[0].shape[1] != embedded[0].shape[1]:  # the model has changed since the query was embedded
            asked = self._embedder.embed([query], "query")
        if asked[0].shape[1] != embedded[0].shape[1]:
            raise StrategyError(f"{self.name} gives vectors of different lengths.", "Is it one model?")
        firsts = np.cumsum([0, *(len(chunk) for chunk in parts[:-1])])
        return _certain(np.maximum.reduceat(greatest_cosines(embedded, asked), firsts))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions): the mean of each text's embeddings, at length 1."""
        means = np.stack([windows.mean(axis=0) for windows in self._embedder.embed(texts, "passage")])
        made: NDArray[np.float32] = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        return made

    def _reads_less_than(self, texts: Sequence[str]) -> bool:
        """All of a context's chunks are compared alike, the short last one too."""
        tokens = self._embedder.reads_tokens
        return (
            tokens is not None
            and median(len(text.encode("utf-8", "surrogatepass")) for text in texts)
            > _BYTES_PER_TOKEN * tokens
        )


def _certain(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to where float noise ends: 6 decimals, fewer where products are of more than 1."""
    whole_digits = len(str(int(np.abs(scores).max()))) if np.isfinite(scores).all() else 0
    return scores.round(_CERTAIN_DECIMALS + 1 - whole_digits)


class HybridRetriever:
    """s = 0.85 s_dense + 0.15 s_sparse (mixture-of-pageranks, appendix A.2).

    The paper adds the similarities as they are: both are cosines of rows of length 1, and neither is scaled
    to the other's range. Its dense model is a 435M one; here it is the retriever that is given.

    Args:
        name: as users call it ("hybrid:arctic").
        dense: gives cosines, -1 to 1.
        sparse: gives cosines, 0 to 1.
    """

    def __init__(self, name: str, dense: Retriever, sparse: Retriever) -> None:
        self.name = name
        self._dense = dense
        self._sparse = sparse

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): from -0.85 to 1."""
        dense, sparse = self._dense.score(query, texts), self._sparse.score(query, texts)
        return DENSE_WEIGHT * dense + SPARSE_WEIGHT * sparse
