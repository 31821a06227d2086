"""Retrieval by embeddings: cosine similarity of a chunk's best window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from niah.text.embedder import Embedder, greatest_cosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Embeddings of one wording in two places of a batch differ by about 1e-7; equal wordings shall tie.
_CERTAIN_DECIMALS = 6


class SentenceTransformerRetriever:
    """Ranks chunks by an embedder's cosine similarity, under the embedder's name."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): cosine similarity, -1 to 1, of the best pair of windows."""
        if not texts:
            return np.zeros(0)
        asked, *chunks = self._embedder.embed([query, *texts])
        return greatest_cosines(chunks, [asked]).round(_CERTAIN_DECIMALS)
