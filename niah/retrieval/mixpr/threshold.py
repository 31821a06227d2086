"""MixPR's graph without weak similarities: the form the paper takes above 50 million (appendix A.2).

Only pairs that may be similar enough are multiplied out (prefix filtering; Bayardo et al., "Scaling up all
pairs similarity search", section 4). Order all terms, rarest first, and let each row keep so many of its
first terms that the norm of the others is below some d. What two rows share besides the terms that both keep
is among the terms that one of them dropped, so by Cauchy-Schwarz (the rows have length 1) it adds less than d
to their similarity. An index of the kept terms alone finds all pairs that reach the threshold less d; these
are compared in full, so the graph is exact. The whole graph never exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr.graph import StreamGraph
from niah.retrieval.mixpr.plain_graph import PlainGraph
from niah.retrieval.mixpr.walk import centrality, round_scores, step_by_step

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Floats = NDArray[np.float64]

# Pairs that are collected at a time: 16 bytes each.
_ROOM = 1 << 22
# d as a share of the threshold: a small one makes the index long, a large one the list of pairs to compare.
_DROPPED = 0.4
# For rounding.
_SLACK = 1e-9
# Rows that the plain form multiplies with all others at a time.
_ROWS = 512
# Edges that are counted at a time, at most.
_COUNTED = 4_000_000


def similar_chunks(graph: StreamGraph | PlainGraph, threshold: float) -> csr_matrix[np.float64]:
    """E E^T without the similarities below ``threshold``: shape (n, n), symmetric.

    Raises ValueError for a threshold that is not above 0 and below 1.
    """
    if not 0 < threshold < 1:
        raise ValueError(f"threshold {threshold} for similarities; need 0 < threshold < 1")
    return _by_index(graph, threshold) if isinstance(graph, StreamGraph) else _by_product(graph, threshold)


def has_more_edges(graph: StreamGraph | PlainGraph, most: int) -> bool:
    """Whether more than ``most`` pairs of chunks, each in both directions and with itself, share a term."""
    from scipy.sparse import csr_array

    if isinstance(graph, PlainGraph):
        has = graph.counts.astype(bool).astype(np.float32)
    else:
        stream = graph.stream
        ones = np.ones(len(stream.terms), dtype=np.float32)
        shape = (stream.chunks, len(stream.chunks_with))
        has = csr_array((ones, stream.terms, stream.borders), shape=shape)
    n = has.shape[0]
    if n * n <= most:
        return False
    by_term, at_once, found = has.T.tocsr(), max(1, _COUNTED // n), 0
    for row in range(0, n, at_once):
        found += (has[row : row + at_once] @ by_term).nnz
        if found > most:
            return True
    return False


def _by_product(graph: PlainGraph, threshold: float) -> csr_matrix[np.float64]:
    """All pairs multiplied out, a few rows at a time."""
    from scipy.sparse import csr_matrix, diags_array, vstack

    blocks = []
    for row in range(0, graph.rows.shape[0], _ROWS):
        block = (graph.rows[row : row + _ROWS] @ graph.rows.T).tocsr()
        block.data[block.data < threshold] = 0
        block.eliminate_zeros()
        blocks.append(block)
    similar = vstack(blocks, format="csr")
    filled = diags_array((graph.sums > 0).astype(np.float64) - similar.diagonal())
    return csr_matrix(similar + filled)


@dataclass(frozen=True)
class _Rows:
    """The rows of E, a row's terms in the order of their rarity, and an index of those that each keeps.

    Attributes:
        ranks, weights: shape (terms in all,): the rank of each term of each row, 0 the rarest; its weight.
        borders: shape (n + 1,): row i has ``ranks[borders[i]:borders[i + 1]]``.
        kept: shape (n,): behind the last term that each row keeps.
        starts: shape (distinct terms + 1,): where each term's rows begin in an index of the kept ones.
    """

    ranks: NDArray[np.int32]
    weights: Floats
    borders: NDArray[np.int64]
    kept: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, graph: StreamGraph, dropped: float) -> _Rows:
        """What a row does not keep has a norm below ``dropped``."""
        from niah.retrieval.mixpr.kernels.threshold_kernel import rows_into

        stream, n = graph.stream, graph.stream.chunks
        distinct = len(stream.chunks_with)
        rarity = np.empty(distinct, dtype=np.int32)
        rarity[np.argsort(stream.chunks_with, kind="stable")] = np.arange(distinct, dtype=np.int32)
        ranks, weights = np.empty(len(stream.terms), dtype=np.int32), np.empty(len(stream.terms))
        borders, kept = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
        rows_into(
            stream.terms,
            stream.borders,
            rarity,
            np.sqrt(graph.squared_idf),
            graph.inverse_norms,
            dropped,
            ranks,
            weights,
            borders,
            kept,
        )
        # The kept terms come first in a row, so those of all rows can be counted at once.
        lengths = kept - borders[:-1]
        indexed = np.repeat(borders[:-1] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        counts = np.bincount(ranks[indexed], minlength=distinct)
        return cls(ranks, weights, borders, kept, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _by_index(graph: StreamGraph, threshold: float) -> csr_matrix[np.float64]:
    from scipy.sparse import coo_matrix, csr_matrix, diags_array

    from niah.retrieval.mixpr.kernels.threshold_kernel import pairs_into

    n, dropped = graph.stream.chunks, _DROPPED * threshold
    indexed = _Rows.of(graph, dropped)
    posted, posted_weights = np.empty(indexed.starts[-1], dtype=np.int32), np.empty(indexed.starts[-1])
    ends = indexed.starts[:-1].copy()
    room = max(_ROOM, n)
    ones, others = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    similarities = np.empty(room)
    dense, shared = np.zeros(len(ends)), np.zeros(n)
    blocks: list[tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]] = []
    row = 0
    while row < n:
        row, found = pairs_into(
            indexed.ranks,
            indexed.weights,
            indexed.borders,
            indexed.kept,
            indexed.starts,
            ends,
            posted,
            posted_weights,
            threshold,
            dropped + _SLACK,
            row,
            dense,
            shared,
            ones,
            others,
            similarities,
        )
        blocks.append((similarities[:found].copy(), ones[:found].copy(), others[:found].copy()))
    values, rows, columns = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    lower = coo_matrix((values, (rows, columns)), shape=(n, n)).tocsr()
    filled = diags_array((graph.sums > 0).astype(np.float64)).tocsr()
    return csr_matrix(lower + lower.T + filled)


def thresholded_global_scores(similar: csr_matrix[np.float64]) -> Floats:
    """``niah.retrieval.mixpr.walk.global_scores`` of a graph given as its edges: shape (n,), sums to 1."""
    from scipy.sparse.csgraph import connected_components

    return centrality(_sums(similar), connected_components(similar, directed=False)[1])


def thresholded_local_scores(
    similar: csr_matrix[np.float64], asked: int, alpha: float, iterations: int
) -> Floats:
    """pi = (1 - alpha) A pi + alpha p after so many steps from the uniform distribution.

    A is ``similar``, its columns scaled to sum to 1; p is uniform on the last ``asked`` chunks, and the walk
    goes on from there after a chunk without terms. Shape (n,), sums to 1.
    """
    p = np.zeros(similar.shape[0])
    p[len(p) - asked :] = 1 / asked
    sums = _sums(similar)
    scale = 1 / np.where(sums == 0, np.inf, sums)

    def walked(pi: Floats) -> Floats:
        return np.asarray(similar @ (pi * scale))

    return round_scores(step_by_step(walked, sums, p, alpha, iterations))


def _sums(similar: csr_matrix[np.float64]) -> Floats:
    sums: Floats = np.asarray(similar.sum(axis=0)).ravel()
    return sums
