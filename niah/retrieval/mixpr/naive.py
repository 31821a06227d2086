"""MixPR as one would write it first: the whole matrix formed, and multiplied step by step.

Nobody needs it to retrieve. It shows what the other forms save, and that they find the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from niah.errors import StrategyError
from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr.mixpr import ALPHAS, ITERATIONS
from niah.retrieval.mixpr.router import route
from niah.retrieval.mixpr.walk import round_scores
from niah.text.scanning.short_sentences import short_sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_CHUNKS = 10_000
"""With these the matrix takes about a gigabyte: three pairs in four have some similarity."""


class NaiveMixPR:
    """The retriever "mixpr-naive"."""

    @property
    def name(self) -> str:
        """ "mixpr-naive"."""
        return "mixpr-naive"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),), after 18 steps of the walk. Raises StrategyError for too many chunks."""
        import numpy as np
        from scipy.sparse import diags_array

        if len(texts) > _MOST_CHUNKS:
            raise StrategyError(
                f"{self.name} forms a matrix of all pairs, and {len(texts):,} chunks are too many for it.",
                f"Take mixpr, which finds the same, or contexts of at most {_MOST_CHUNKS:,} chunks.",
            )
        asked = [query[start:end] for start, end in short_sentences(query)] or [query]
        rows = tfidf_rows([*texts, *asked])
        similar = rows @ rows.T
        sums = np.asarray(similar.sum(axis=0)).ravel()
        a = similar @ diags_array(1 / np.where(sums == 0, np.inf, sums))
        alpha = ALPHAS[route(query)]
        start = np.full(rows.shape[0], 1 / rows.shape[0])
        p = start.copy()
        if alpha:
            p[:] = 0
            p[len(texts) :] = 1 / len(asked)
        pi = start
        for _ in range(ITERATIONS):
            pi = (1 - alpha) * (a @ pi + pi[sums == 0].sum() * p) + alpha * p
        found: NDArray[np.float64] = round_scores(pi)[: len(texts)]
        return found
