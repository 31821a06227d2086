"""The graph of similar chunks, S = E E^T with column sums D, and the two PageRanks of MixPR over A = S D^-1.

E = diag(1 / norm) counts diag(idf) are the L2-normalised TF-IDF rows; S is never formed. ``MatrixGraph`` has
E as SciPy's matrix, the readable form. ``StreamGraph`` does the same for millions of tokens by compiled loops
over the stream of terms, which are ``counts``; scaling does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from niah.retrieval.lexical import tfidf_rows

if TYPE_CHECKING:
    from niah.retrieval.mixpr.terms import TermStream

Floats = NDArray[np.float64]
_ROWS = 512  # that are multiplied with all others at a time

Graph: TypeAlias = "MatrixGraph | StreamGraph"  # ``sums`` is D, shape (n,), 0 for chunks without terms


def inverse(sums: Floats) -> Floats:
    """1 / each, 0 of 0."""
    return np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0)


class MatrixGraph:
    """The graph by SciPy's sparse matrices: the reference, and what runs where numba is not installed.

    Without the similarities below a ``threshold`` (appendix A.2), S is formed.
    """

    def __init__(self, texts: Sequence[str], threshold: float | None = None) -> None:
        rows = tfidf_rows(texts)  # E, shape (n, distinct terms)
        back = rows.T.tocsr()
        self._factors: tuple[Any, ...] = (rows, back)  # of S
        self.sums: Floats = np.asarray(rows @ (back @ np.ones(len(texts))))
        if threshold is not None:
            from scipy.sparse import csr_array, diags_array, vstack

            blocks = []
            for first in range(0, len(texts), _ROWS):
                block = (rows[first : first + _ROWS] @ back).tocsr()
                block.data[block.data < threshold] = 0
                block.eliminate_zeros()
                blocks.append(block)
            similar = vstack(blocks, format="csr")
            # A chunk is as similar to itself as can be; rounding must not say otherwise.
            edges = csr_array(similar + diags_array((self.sums > 0) - similar.diagonal()))
            self._factors, self.sums = (edges,), edges @ np.ones(len(texts))

    def walked(self, x: Floats) -> Floats:
        """A x = S (x / D), shape (n,); what x has on chunks without terms is lost."""
        values = x * inverse(self.sums)
        for factor in reversed(self._factors):
            values = factor @ values
        return np.asarray(values)

    def components(self) -> NDArray[np.int64]:
        """Shape (n,): the number of each chunk's component, from 0; of chunks without terms any."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        joined, n = self._factors[0], len(self.sums)
        if len(self._factors) > 1:  # chunks and, behind them, terms; joined where a chunk has a term
            edges, distinct = joined.tocoo(), joined.shape[1]
            joined = coo_array((edges.data, (edges.row, edges.col + n)), shape=(n + distinct,) * 2)
        return np.asarray(connected_components(joined)[1][:n], dtype=np.int64)


class StreamGraph:
    """The graph by compiled loops over the terms of a text."""

    def __init__(self, stream: TermStream) -> None:
        from niah.retrieval.mixpr import kernels

        self._kernels, self._stream = kernels, stream
        n, distinct = len(stream.borders) - 1, len(stream.chunks_with)
        self._squared_idf = (np.log((1 + n) / (1 + stream.chunks_with)) + 1) ** 2
        self._inverse_norms, by_term = np.empty(n), np.zeros(distinct)
        kernels.norms_into(stream.terms, stream.borders, self._squared_idf, self._inverse_norms, by_term)
        self.sums = self._gathered(by_term)

    def walked(self, x: Floats) -> Floats:
        """See ``MatrixGraph``."""
        by_term = np.zeros(len(self._squared_idf))
        values = x * inverse(self.sums) * self._inverse_norms
        self._kernels.scatter_into(self._stream.terms, self._stream.borders, values, by_term)
        return self._gathered(by_term)

    def _gathered(self, by_term: Floats) -> Floats:
        """E diag(idf) by_term, shape (n,)."""
        by_term *= self._squared_idf
        found = np.empty(len(self._inverse_norms))
        stream = self._stream
        self._kernels.gather_into(stream.terms, stream.borders, self._inverse_norms, by_term, found)
        return found

    def components(self) -> NDArray[np.int64]:
        """See ``MatrixGraph``."""
        found = np.empty(len(self.sums), dtype=np.int64)
        parents = np.arange(len(self._squared_idf))
        self._kernels.components_into(self._stream.terms, self._stream.borders, parents, found)
        return found


_ITERATIONS, _CONVERGED, _DECIMALS = 18, 1e-8, 12


def centrality(graph: Graph) -> Floats:
    """Where a walk from the uniform distribution ends (equation 1; alpha = 0): shape (n,), sums to 1. Each
    component keeps its share of the chunks, and ends at D; from chunks without terms it goes on anywhere."""
    sums, components = graph.sums, graph.components()
    with_terms = sums > 0
    if not with_terms.any():
        return np.full(len(sums), 1 / len(sums))
    chunks, mass = np.bincount(components, with_terms), np.bincount(components, sums)
    share = np.divide(chunks, mass * np.count_nonzero(with_terms), out=np.zeros(len(mass)), where=mass > 0)
    return _rounded(sums * share[components])


def personalised(graph: Graph, asked: int, alpha: float) -> Floats:
    """pi = (1 - alpha) A pi + alpha p, p being uniform on the last ``asked`` chunks: shape (n,), sums to 1.
    18 steps from the uniform distribution (appendix A.2), less those that would move less than 1e-8."""
    n = len(graph.sums)
    p = np.where(np.arange(n) < n - asked, 0.0, 1 / asked)
    pi = np.full(n, 1 / n)
    dangling = graph.sums == 0
    for _ in range(_ITERATIONS):
        before, pi = pi, (1 - alpha) * (graph.walked(pi) + pi[dangling].sum() * p) + alpha * p
        if np.abs(pi - before).sum() < _CONVERGED:
            break
    return _rounded(pi)


def _rounded(scores: Floats) -> Floats:
    """To 12 decimals behind the greatest's first: chunks of equal words in another order shall tie."""
    unit = 10.0 ** np.floor(np.log10(scores.max()))
    found: Floats = (scores / unit).round(_DECIMALS) * unit
    return found
