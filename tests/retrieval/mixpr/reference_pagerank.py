"""MixPR's PageRank as one would write it: what ours is held against, in tests and in the bench."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr.mixpr import ITERATIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix


def personalised_pagerank(
    e: csr_matrix[np.float64],
    p: NDArray[np.float64],
    alpha: float,
    iterations: int = ITERATIONS,
    tolerance: float = 1e-6,
) -> NDArray[np.float64]:
    """pi = (1 - alpha) A pi + alpha p, with A = E E^T and its columns scaled to sum to 1.

    Equations 2 and 3 of mixture-of-pageranks, by power iteration from the uniform distribution. A stays a
    product of sparse factors: its column sums are D = E (E^T 1), and A x = E (E^T (x / D)).

    Args:
        e: shape (n, terms), a row for each node, not negative. An empty row is a dangling node: a walk that
            gets there goes on from p, as in networkx, after which the paper models its own.
        p: shape (n,), where walks start; sums to 1.
        alpha: chance of going back to p at a step, 0 to 1.
        iterations: at most so many steps.
        tolerance: stop when a step moves less than this share of the total.

    Returns:
        Shape (n,), sums to 1.

    Raises:
        ValueError: p does not fit e or does not sum to 1, or alpha is out of range.
    """
    n = e.shape[0]
    if p.shape != (n,) or not np.isclose(p.sum(), 1.0):
        raise ValueError(f"p has shape {p.shape} and sum {p.sum():.4g}; need shape ({n},) and sum 1")
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha}; need 0 <= alpha <= 1")
    transposed = e.T.tocsr()
    sums = np.asarray(e @ (transposed @ np.ones(n)))
    dangling = sums == 0
    scale = 1.0 / np.where(dangling, np.inf, sums)
    pi = np.full(n, 1.0 / n)
    for _ in range(iterations):
        before = pi
        walked = e @ (transposed @ (pi * scale)) + pi[dangling].sum() * p
        pi = (1 - alpha) * walked + alpha * p
        if np.abs(pi - before).sum() < tolerance:
            break
    return pi
