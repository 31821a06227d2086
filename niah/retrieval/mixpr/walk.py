"""The two PageRanks of MixPR over similar chunks, with a stop test that proves the order of the best.

Notation: S = E E^T, D its column sums, A = S D^-1, c = 1 - alpha, w = D / sum(D), and |x| the norm with
|x|^2 = sum of x_i^2 / D_i over the chunks that have terms.

Personalised (alpha > 0): x_(t+1) = c A x_t + alpha p. The paper (appendix A.2) takes 18 steps from the
uniform distribution u. A walk from w is sooner near its end. D^-1/2 S D^-1/2 is symmetric with eigenvalues
from 0 to 1, so A never makes |y| grow; its diagonal is 1 / D_i at most, so by Cauchy-Schwarz no chunk of A y
exceeds |y|. With d = x_t - x_(t-1) the steps that are left change no chunk by more than

    ahead = (c + c^2 + ... + c^(18 - t)) |d|,

and 18 steps from w are in no chunk further from 18 steps from u than

    behind = c^18 (|(u on chunks with terms) - (1 - m) w| + m |p - w|),

m being the share of chunks without terms, from which the walk goes on from p. Two chunks whose scores differ
by more than twice both bounds are in the order that 18 steps give; equal ones are so for equal words. Once
that holds for the best ``top``, the walk stops. If it cannot come to hold, or some chunk of the question has
no terms, the 18 steps are taken as the paper takes them.

Centrality (alpha = 0, p uniform) needs no step: on each connected component the walk ends at D, and the
component keeps the share of chunks it started with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr.graph import StreamGraph, inverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.retrieval.mixpr.graph import Graph

    Floats = NDArray[np.float64]

ITERATIONS = 18

# Sums of a million numbers are off by about this share.
_ROUNDING = 1e-12
_DECIMALS = 12
# Finding the best costs half a step; a bound above this share of the mean score proves nothing.
_WORTH_TESTING = 1e-3


def centrality(sums: Floats, components: NDArray[np.int64]) -> Floats:
    """Where a walk from the uniform distribution ends (equation 1): shape (n,), sums to 1.

    From a chunk without terms the walk goes on from any chunk.

    Args:
        sums: D, the column sums of a graph.
        components: the number of each chunk's component.
    """
    with_terms = sums > 0
    if not with_terms.any():
        return np.full(len(sums), 1 / len(sums))
    chunks, mass = np.bincount(components, with_terms), np.bincount(components, sums)
    share = np.divide(chunks, mass * np.count_nonzero(with_terms), out=np.zeros(len(mass)), where=mass > 0)
    return _rounded(sums * share[components])


def personalised(graph: Graph, asked: int, alpha: float, top: int) -> Floats:
    """pi = (1 - alpha) A pi + alpha p, p being uniform on the last ``asked`` chunks: shape (n,), sums to 1.

    A matrix takes all 18 steps. Of a long text, the best ``top`` of the other chunks come out in the order
    that 18 steps give (see above), and scores may be off by a share of 1e-5 of the greatest.
    """
    p = np.zeros(len(graph.sums))
    p[len(p) - asked :] = 1 / asked
    found = None
    if isinstance(graph, StreamGraph) and np.all(graph.sums[len(p) - asked :] > 0):
        found = _proven(graph, p, asked, alpha, top)
    return step_by_step(graph, p, alpha) if found is None else found


def step_by_step(graph: Graph, p: Floats, alpha: float) -> Floats:
    """The 18 steps as the paper takes them, from the uniform distribution: shape (n,), sums to 1.

    From chunks without terms the walk goes on from p.
    """
    pi = np.full(len(p), 1 / len(p))
    dangling = graph.sums == 0
    for _ in range(ITERATIONS):
        pi = (1 - alpha) * (graph.walked(pi) + pi[dangling].sum() * p) + alpha * p
    return _rounded(pi)


def _rounded(scores: Floats) -> Floats:
    """To 12 decimals behind the greatest's first: chunks of equal words in another order shall tie."""
    unit = 10.0 ** np.floor(np.log10(scores.max(initial=0) or 1))
    found: Floats = (scores / unit).round(_DECIMALS) * unit
    return found


def _proven(graph: Graph, p: Floats, asked: int, alpha: float, top: int) -> Floats | None:
    """x_t once the order of the best is proven, or None where it cannot be."""
    n, c = len(p), 1 - alpha
    scale = inverse(graph.sums)

    def norm(y: Floats) -> float:
        return float(np.sqrt(np.einsum("i,i,i", y, y, scale)))

    w = graph.sums / graph.sums.sum()
    with_terms = graph.sums > 0
    m = 1 - np.count_nonzero(with_terms) / n
    behind = c**ITERATIONS * (norm(with_terms / n - (1 - m) * w) + m * norm(p - w))
    before, x = w, np.asarray(c * w + alpha * p)
    for t in range(1, ITERATIONS):
        ahead = norm(x - before) * c * (1 - c ** (ITERATIONS - t)) / alpha
        bound = ahead + behind
        if bound * n < _WORTH_TESTING and _settled(x[: n - asked], bound, top):
            return x
        if ahead < behind:
            return None
        before, x = x, c * graph.walked(x) + alpha * p
    return None


def _settled(scores: Floats, bound: float, top: int) -> bool:
    """Whether scores known within ``bound`` have their best ``top`` in order."""
    n = len(scores)
    bound += _ROUNDING * float(scores.max(initial=0))
    kth = np.partition(scores, n - top)[n - top] if top < n else scores.min(initial=0)
    best = np.sort(scores[scores >= kth - 2 * bound])
    gaps = np.diff(best)
    return bool(np.all((gaps == 0) | (gaps > 2 * bound)))
