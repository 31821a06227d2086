"""The two PageRanks of MixPR over similar chunks: S = E E^T, D its column sums, A = S D^-1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.retrieval.mixpr.graph import Graph

    Floats = NDArray[np.float64]

_ITERATIONS = 18
_CONVERGED = 1e-8
_DECIMALS = 12


def centrality(graph: Graph) -> Floats:
    """Where a walk from the uniform distribution ends (equation 1; alpha = 0): shape (n,), sums to 1.

    It needs no step: on each connected component the walk ends at D, and the component keeps the share of
    chunks it started with. From a chunk without terms it goes on from any chunk.
    """
    sums, components = graph.sums, graph.components()
    with_terms = sums > 0
    if not with_terms.any():
        return np.full(len(sums), 1 / len(sums))
    chunks, mass = np.bincount(components, with_terms), np.bincount(components, sums)
    share = np.divide(chunks, mass * np.count_nonzero(with_terms), out=np.zeros(len(mass)), where=mass > 0)
    return _rounded(sums * share[components])


def personalised(graph: Graph, asked: int, alpha: float) -> Floats:
    """pi = (1 - alpha) A pi + alpha p, p being uniform on the last ``asked`` chunks: shape (n,), sums to 1.

    The 18 steps of the paper (appendix A.2), from the uniform distribution, less those that would move less
    than 1e-8 in all. From chunks without terms the walk goes on from p.
    """
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
    unit = 10.0 ** np.floor(np.log10(scores.max(initial=0) or 1))
    found: Floats = (scores / unit).round(_DECIMALS) * unit
    return found
