"""The two PageRanks of MixPR over similar chunks, with a stop test that proves the order of the best.

Notation: S = E E^T, D its column sums, A = S D^-1, c = 1 - alpha, w = D / sum(D), and |x| the norm with
|x|^2 = sum of x_i^2 / D_i over the chunks that have terms.

Personalised (alpha > 0). Let q_t = A^t p and d_t = q_t - w. As A leaves w as it is, the walk's end is

    pi = w + alpha (d_0 + c d_1 + c^2 d_2 + ...),

so a step needs q_t only, and q_1 only the terms of the question. Equation 2 adds up the first of these. Other
weights of d_1 ... d_t come nearer. Let x = w + alpha d_0 + a_1 d_1 + ... + a_(t-1) d_(t-1). It leaves

    r = alpha p - (x - c A x) = alpha c d_1 - the sum of a_j (d_j - c d_(j+1)),

and r + x = c w + alpha p + alpha c d_1 + the sum of c a_j d_(j+1) is off by c A (pi - x). With
a_j = alpha c^j these are the steps of equation 2. Here |r| is least: books of a million tokens take 5 or 6
steps for 7 to 9.

How far is any chunk from its end? N = D^-1/2 S D^-1/2 is symmetric with eigenvalues 0 to 1, so A never makes
|y| grow, and |pi - x| <= |r| / alpha. And N_ii = 1 / D_i, hence (N^2s)_ii <= 1 / D_i
for s > 0, and by Cauchy-Schwarz no chunk of A^s y exceeds |y|. So

    every chunk of r + x is within  (c / alpha) |r|  of the fixed point.

The paper (appendix A.2) stops after 18 steps from the uniform distribution u. That lies within

    c^18 ((1 + m) |d_t| + |(u on chunks with terms) - (1 - m) w|)    for t < 18

of the fixed point, m being the share of chunks without terms, from which the walk goes on from p. Two chunks
whose scores differ by more than twice both bounds are in the order that 18 steps give. Those closer than that
must be alike: equal up to terms that no other chunk has, so that their scores are equal in exact arithmetic
and document order decides. Once that holds for the best ``top`` and all that follow, the walk stops; if it
cannot come to hold (the first bound is below the second), the 18 steps are taken as the paper takes them. So
they are if some chunk of the question has no terms, for which the bounds do not hold.

Centrality (alpha = 0, p uniform) needs no step: on each connected component the walk ends at D, and the
component keeps the share of chunks it started with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr.graph import walked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.retrieval.mixpr.graph import Graph

    Floats = NDArray[np.float64]

# Sums of a million numbers are off by about this share.
_ROUNDING = 1e-12
_DECIMALS = 12
# Scores of which the greatest is looked at first.
_GROUP = 64
# Finding the best costs about a step; a bound above this share of the mean score proves nothing.
_WORTH_TESTING = 1e-4


def global_scores(graph: Graph) -> Floats:
    """Where a walk from the uniform distribution ends (equation 1): shape (n,), sums to 1.

    From a chunk without terms the walk goes on from any chunk.
    """
    return centrality(graph.sums, graph.components())


def centrality(sums: Floats, components: NDArray[np.int32]) -> Floats:
    """``global_scores`` by the column sums D of a graph, and the number of each chunk's component."""
    with_terms = sums > 0
    if not with_terms.any():
        return np.full(len(sums), 1 / len(sums))
    chunks, mass = np.bincount(components, with_terms), np.bincount(components, sums)
    share = np.divide(chunks, mass * np.count_nonzero(with_terms), out=np.zeros(len(mass)), where=mass > 0)
    return round_scores(sums * share[components])


def local_scores(graph: Graph, asked: int, alpha: float, top: int, iterations: int) -> tuple[Floats, int]:
    """pi = (1 - alpha) A pi + alpha p, p being uniform on the last ``asked`` chunks; and the steps it took.

    Args:
        graph: of n chunks.
        asked: how many of the last chunks are the question, at least 1.
        alpha: chance of going back to the question, above 0, at most 1.
        top: so many of the other chunks come out in the order that ``iterations`` steps from the uniform
            distribution give (see above); equal ones have equal scores.
        iterations: the paper's 18.

    Returns:
        Shape (n,), sums to 1; and how many times the walk went over the text.
    """
    n = len(graph.sums)
    p = np.zeros(n)
    p[n - asked :] = 1 / asked
    if np.all(graph.sums[n - asked :] > 0):
        pi, steps = _proven(graph, p, asked, alpha, top, iterations)
        if pi is not None:
            return pi, steps
    else:
        steps = 0
    return round_scores(
        step_by_step(partial(walked, graph), graph.sums, p, alpha, iterations)
    ), steps + iterations


def step_by_step(
    walk: Callable[[Floats], Floats], sums: Floats, p: Floats, alpha: float, iterations: int
) -> Floats:
    """The steps as the paper takes them, all of them, from the uniform distribution.

    Args:
        walk: A x, without what x has on chunks without terms; from these the walk goes on from p.
        sums: D, 0 for chunks without terms.
        p, alpha, iterations: of equation 2.
    """
    pi = np.full(len(p), 1 / len(p))
    dangling = sums == 0
    for _ in range(iterations):
        pi = (1 - alpha) * (walk(pi) + pi[dangling].sum() * p) + alpha * p
    return pi


def round_scores(scores: Floats) -> Floats:
    """To 12 decimals behind the greatest's first: chunks of equal words in another order shall tie."""
    unit = 10.0 ** np.floor(np.log10(scores.max(initial=0) or 1))
    found: Floats = (scores / unit).round(_DECIMALS) * unit
    return found


def kth_greatest(scores: Floats, k: int) -> float:
    """The ``k``-th greatest of more scores; of many in two steps, since few are near it.

    Of k groups whose greatest scores are the greatest, each has one that is no less than the k-th of these.
    """
    groups = len(scores) // _GROUP
    if groups > k:
        tops = scores[: groups * _GROUP].reshape(_GROUP, groups).max(axis=0)
        scores = scores[scores >= np.partition(tops, groups - k)[groups - k]]
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])


def _proven(
    graph: Graph, p: Floats, asked: int, alpha: float, top: int, iterations: int
) -> tuple[Floats | None, int]:
    """pi once the order of the best is proven, or None where it cannot be; and the steps taken."""
    n = len(graph.sums)
    decay = 1 - alpha
    total = float(graph.sums.sum())
    start = graph.sums * (decay / total)
    start[n - asked :] += alpha / asked
    uniform = _uniform_distance(graph, total)
    without_terms = 1 - np.count_nonzero(graph.sums) / n
    changes = np.zeros((iterations, n))  # d_t; only what is written takes memory
    moments = np.zeros(2 * iterations + 1)
    # The first step starts at the question alone.
    by_term = graph.scattered(p[n - asked :] / graph.sums[n - asked :], n - asked)
    for step in range(1, iterations):
        found = graph.step(by_term, total, changes[step - 1], changes[step])
        by_term, moments[2 * step], moments[2 * step - 1] = found
        weights, left = least_residual(moments[: 2 * step + 1], alpha)
        ahead = decay / alpha * left
        behind = decay**iterations * ((1 + without_terms) * float(np.sqrt(moments[2 * step])) + uniform)
        if (ahead + behind) * n < _WORTH_TESTING:
            pi, residual = weights @ changes[1 : step + 1]
            pi += start
            ahead = decay / alpha * float(np.sqrt(np.einsum("i,i,i", residual, residual, graph.inverse_sums)))
            if _settled(graph, pi[: n - asked], ahead + behind, top):
                return pi, step
        if ahead < behind:
            return None, step
    return None, iterations - 1


def _uniform_distance(graph: Graph, total: float) -> float:
    """|(u on chunks with terms) - (1 - m) w|, as above."""
    n = len(graph.sums)
    squared = np.sum(graph.inverse_sums) / n**2 - (np.count_nonzero(graph.sums) / n) ** 2 / total
    return float(np.sqrt(max(squared, 0.0)))


def _settled(graph: Graph, scores: Floats, bound: float, top: int) -> bool:
    """Whether scores known within ``bound`` have their best ``top`` in order; if so, makes ties exact."""
    n = len(scores)
    if n == 0:
        return True
    bound += _ROUNDING * float(scores.max())
    kth = kth_greatest(scores, top) if top < n else scores.min()
    best = np.flatnonzero(scores >= kth - 2 * bound)
    best = best[np.argsort(-scores[best], kind="stable")]
    found = scores[best]
    for rank in range(1, len(best)):
        if found[rank - 1] - found[rank] > 2 * bound:
            if rank >= top:
                break
        elif graph.alike(int(best[rank - 1]), int(best[rank])):
            found[rank] = found[rank - 1]
        else:
            return False
    scores[best] = found
    return True


def least_residual(moments: Floats, alpha: float) -> tuple[Floats, float]:
    """The weights of d_1 ... d_t in r + x - (c w + alpha p), and in r; and about how long r is (see above).

    A is symmetric in <x, y>, the sum of x_i y_i / D_i; so <d_i, d_j> depends on i + j alone. Any weights are
    right, these make r short: so the length of an r may be believed that was added up of its parts, not this
    one, which comes of differences.

    Args:
        moments: shape (2 t + 1,): <d_i, d_j> at i + j; the first two are not asked for.
        alpha: above 0.

    Returns:
        Shape (2, t).
    """
    c, t = 1 - alpha, len(moments) // 2
    i = np.arange(1, t)
    both = i[:, None] + i
    products = moments[both] - 2 * c * moments[both + 1] + c**2 * moments[both + 2]
    wanted = alpha * c * (moments[i + 1] - c * moments[i + 2])
    lengths = np.sqrt(np.maximum(np.diag(products), 0))
    scale = np.divide(1, lengths, out=np.zeros(t - 1), where=lengths > 0)
    a = np.linalg.lstsq(products * scale * scale[:, None], wanted * scale)[0] * scale
    ahead = np.concatenate([[alpha * c], c * a])
    squared = (alpha * c) ** 2 * moments[2] - a @ wanted
    return np.stack([ahead, ahead - np.append(a, 0)]), float(np.sqrt(max(squared, 0)))
