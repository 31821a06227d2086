"""A weighted sum of dense and sparse similarity (RAG-Hybrid; mixture-of-pageranks, appendix A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from niah.retrieval.retriever import Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Found by the paper's authors through a grid search.
DENSE_WEIGHT = 0.85
SPARSE_WEIGHT = 0.15


class HybridRetriever:
    """s = 0.85 s_dense + 0.15 s_sparse (mixture-of-pageranks, appendix A.2).

    The paper adds the similarities as they are: both are cosines of rows of length 1, and neither is scaled
    to the other's range. Its dense model is a 435M one; here it is the retriever that is given.

    Args:
        dense: gives cosines, -1 to 1.
        sparse: gives cosines, 0 to 1.
    """

    name = "hybrid"

    def __init__(self, dense: Retriever, sparse: Retriever) -> None:
        self._dense = dense
        self._sparse = sparse

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): from -0.85 to 1."""
        dense, sparse = self._dense.score(query, texts), self._sparse.score(query, texts)
        return DENSE_WEIGHT * dense + SPARSE_WEIGHT * sparse
