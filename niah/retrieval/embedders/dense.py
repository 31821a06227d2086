"""Retrieval by embeddings: similarity of a chunk's best window to the query's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.text.embedding.embedder import Embedder, greatest_cosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Embeddings of one wording in two places of a batch differ by about 1e-7; equal wordings shall tie.
_CERTAIN_DECIMALS = 6


class DenseRetriever:
    """Ranks chunks by an embedder's similarity, under the embedder's name.

    Chunks are embedded as passages and the query as a query, each once per machine: all strategies and all
    questions share a chunk's embedding.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): similarity of the best pair of windows.

        It is the cosine, -1 to 1, or for a model of that convention (contriever) the dot product.
        """
        if not texts:
            return np.zeros(0)
        asked = self._embedder.embed([query], "query")
        return _certain(greatest_cosines(self._embedder.embed(texts, "passage"), asked))


def _certain(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to where float noise ends: 6 decimals, fewer where products are of more than 1."""
    whole_digits = len(str(int(np.abs(scores).max()))) if np.isfinite(scores).all() else 0
    return scores.round(_CERTAIN_DECIMALS + 1 - whole_digits)
