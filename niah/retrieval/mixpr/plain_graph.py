"""The graph of similar chunks, readable: SciPy's sparse matrices in the place of compiled loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.lexical import term_lists
from niah.retrieval.mixpr.graph import inverse_of, smoothed_idf

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PlainGraph:
    """A graph as its matrix (``niah.retrieval.mixpr.graph.Graph``).

    Attributes:
        counts: shape (n, distinct terms), how often each chunk has each term.
        chunks_with: shape (distinct terms,), in how many chunks each term is.
        rows: E, of the shape of ``counts``.
        sums, inverse_sums: shape (n,), D and 1 / D, 0 for an empty row.
    """

    counts: csr_array
    chunks_with: NDArray[np.int64]
    rows: csr_array
    sums: Floats
    inverse_sums: Floats

    @classmethod
    def of(cls, texts: Sequence[str]) -> PlainGraph:
        """The graph of chunks, whose terms are those of ``niah.retrieval.lexical.term_lists``."""
        from scipy.sparse import diags_array

        counts = _counts(texts)
        n, distinct = counts.shape
        chunks_with = np.bincount(counts.indices, minlength=distinct)
        rows = counts * smoothed_idf(n, chunks_with)
        norms = np.sqrt((rows**2).sum(axis=1))
        rows = (diags_array(1 / np.where(norms > 0, norms, np.inf)) @ rows).tocsr()
        sums = rows @ (rows.T @ np.ones(n))
        return cls(counts, chunks_with, rows, sums, inverse_of(sums))

    def scattered(self, values: Floats, first: int = 0) -> Floats:
        """See ``Graph``."""
        found: Floats = self.rows[first:].T @ values
        return found

    def gathered(self, by_term: Floats) -> Floats:
        """See ``Graph``."""
        found: Floats = self.rows @ by_term
        return found

    def step(
        self, by_term: Floats, total: float, before: Floats, change: Floats
    ) -> tuple[Floats, float, float]:
        """See ``Graph``."""
        q = self.rows @ by_term
        change[:] = q - self.sums / total
        weighted = change * self.inverse_sums
        return self.rows.T @ (q * self.inverse_sums), float(weighted @ change), float(weighted @ before)

    def components(self) -> NDArray[np.int32]:
        """See ``Graph``."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        # Chunks and, behind them, terms; joined where a chunk has a term.
        n, edges = len(self.sums), self.counts.tocoo()
        joined = coo_array((edges.data, (edges.row, edges.col + n)), shape=(n + self.counts.shape[1],) * 2)
        found: NDArray[np.int32] = connected_components(joined, directed=False)[1][:n]
        return found

    def alike(self, one: int, other: int) -> bool:
        """See ``Graph``."""
        return self._terms_of(one) == self._terms_of(other)

    def _terms_of(self, chunk: int) -> list[tuple[int, float]]:
        """How often a chunk has each term; terms of no other chunk are told apart only by that."""
        row = self.counts[[chunk]]
        found = zip(
            np.where(self.chunks_with[row.indices] == 1, -1, row.indices).tolist(),
            row.data.tolist(),
            strict=True,
        )
        return sorted(found)


def _counts(texts: Sequence[str]) -> csr_array:
    from scipy.sparse import csr_array

    ids: dict[str, int] = {}
    rows = [[ids.setdefault(term, len(ids)) for term in terms] for terms in term_lists(texts)]
    terms = np.array([term for row in rows for term in row], dtype=np.int32)
    borders = np.cumsum([0, *map(len, rows)])
    counts = csr_array((np.ones(len(terms)), terms, borders), shape=(len(texts), len(ids)))
    counts.sum_duplicates()
    return counts
