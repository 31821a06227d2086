"""RAPTOR's soft clusters of embeddings (section 3 of its paper): global ones, then local ones inside them.

Embeddings are reduced to ten dimensions, by UMAP as in the paper (n_neighbors sqrt(n - 1), then 10; cosine)
or by PCA. A mixture of Gaussians, as many as have the lowest BIC, gives each node a share in each; it belongs
to every one where that is above 0.1.

Each Gaussian has a variance for each dimension, and no covariances: of principal axes there are few, and with
them, of fifty points in ten dimensions, the lowest BIC belongs to Gaussians of a handful of points each.

UMAP pulls points that are spread evenly into clumps, so that a cluster without any parts comes out as two or
three. Local clusters that it gives are therefore kept only where they are there along the principal axes of
the same embeddings, too: where a Gaussian for each has a lower BIC than one for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.plugins.optional import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Reduce = Callable[[Vectors, int], NDArray[np.float64]]

DIMENSIONS = 10
_LEAST_SHARE = 0.1
LONGEST_CLUSTER = 3_500
_MOST_CLUSTERS = 50
_LOCAL_NEIGHBOURS = 10
# BIC falls, then rises: the paper tries all numbers up to 50, which takes ten times as long.
_WORSE_IN_A_ROW = 8
_SEED = 224
_LEAST_VARIANCE = 0.05
"""Of a Gaussian in each dimension, as a share of the points' mean: without one, a point on its own has the
lowest BIC of all."""

Reduction = Literal["pca", "umap"]


def clusters(vectors: Vectors, tokens: Sequence[int], reduction: Reduction) -> list[list[int]]:
    """The members of each cluster, in their order; a node may be in several, and is in one at least.

    Args:
        vectors: shape (nodes, dimensions).
        tokens: of each node: a cluster of more than 3,500 is split again.
        reduction: how embeddings are made smaller.
    """
    from threadpoolctl import threadpool_limits

    # Of matrices this small, threads only wait for each other: ten times as long on a busy machine. And one
    # thread rounds alike on every machine.
    with threadpool_limits(1):
        return list(_split(vectors, np.array(tokens), np.arange(len(vectors)), reduction))


def _split(
    vectors: Vectors, tokens: NDArray[np.int64], nodes: NDArray[np.int64], reduction: Reduction
) -> Iterator[list[int]]:
    for members in _soft_clusters(vectors[nodes], reduction):
        own = nodes[members]
        # One that is all there was would be split for ever.
        if len(own) == 1 or len(own) == len(nodes) or tokens[own].sum() <= LONGEST_CLUSTER:
            yield from _within_limit(own, tokens)
        else:
            yield from _split(vectors, tokens, own, reduction)


def _within_limit(nodes: NDArray[np.int64], tokens: NDArray[np.int64]) -> Iterator[list[int]]:
    """As one, or cut between neighbours where nothing tells its members apart and they are too long."""
    cluster: list[int] = []
    for node in nodes.tolist():
        if cluster and tokens[[*cluster, node]].sum() > LONGEST_CLUSTER:
            yield cluster
            cluster = []
        cluster.append(node)
    yield cluster


def _soft_clusters(vectors: Vectors, reduction: Reduction) -> Iterator[NDArray[np.int64]]:
    """Local clusters inside global ones, as members in their order."""
    if len(vectors) <= DIMENSIONS + 1:
        yield np.arange(len(vectors))
        return
    reduce = _REDUCTIONS[reduction]
    for members in _mixture(reduce(vectors, int((len(vectors) - 1) ** 0.5))):
        if len(members) <= DIMENSIONS + 1:
            yield members
            continue
        parts = list(_mixture(reduce(vectors[members], _LOCAL_NEIGHBOURS)))
        if reduction == "pca" or _are_there(parts, vectors[members]):
            yield from (members[part] for part in parts)
        else:
            yield members


def _are_there(parts: Sequence[NDArray[np.int64]], vectors: Vectors) -> bool:
    """Whether clusters of a reduction differ along the principal axes, each node being in its last one."""
    of_part = np.zeros(len(vectors), dtype=np.int64)
    for number, part in enumerate(parts):
        of_part[part] = number
    points = _by_pca(vectors, _LOCAL_NEIGHBOURS)
    return _bic(points, of_part) < _bic(points, np.zeros_like(of_part))


def _bic(points: NDArray[np.float64], of_part: NDArray[np.int64]) -> float:
    """BIC of points with a Gaussian for each part, of which it is known who is in which."""
    least_variance = _LEAST_VARIANCE * float(points.var(axis=0).mean())
    log_likelihood, numbers = 0.0, np.unique(of_part)
    for number in numbers:
        own = points[of_part == number]
        variance = own.var(axis=0) + max(1e-9, least_variance)
        squares = (own - own.mean(axis=0)) ** 2 / variance
        log_likelihood -= 0.5 * float((squares + np.log(2 * np.pi * variance)).sum())
        log_likelihood += len(own) * float(np.log(len(own) / len(points)))
    parameters = len(numbers) * (2 * points.shape[1] + 1) - 1
    return float(parameters * np.log(len(points))) - 2 * log_likelihood


def _mixture(points: NDArray[np.float64]) -> Iterator[NDArray[np.int64]]:
    """The members of each Gaussian of the mixture with the lowest BIC."""
    from sklearn.mixture import GaussianMixture

    least_variance = max(1e-9, _LEAST_VARIANCE * float(points.var(axis=0).mean()))
    best, lowest, worse = None, np.inf, 0
    distinct = len(np.unique(points.round(9), axis=0))
    for count in range(1, max(2, min(_MOST_CLUSTERS, distinct))):
        fitted = GaussianMixture(
            count, covariance_type="diag", reg_covar=least_variance, random_state=_SEED
        ).fit(points)
        bic = fitted.bic(points)
        best, lowest, worse = (fitted, bic, 0) if bic < lowest else (best, lowest, worse + 1)
        if worse >= _WORSE_IN_A_ROW:
            break
    assert best is not None
    for share in best.predict_proba(points).T:
        if len(members := np.flatnonzero(share > _LEAST_SHARE)):
            yield members


def _by_pca(vectors: Vectors, neighbours: int) -> NDArray[np.float64]:
    """Shape (nodes, 10): the directions in which they differ most; ``neighbours`` is UMAP's alone."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    left, scale, _ = np.linalg.svd(centred, full_matrices=False)
    kept: NDArray[np.float64] = (left * scale)[:, : min(DIMENSIONS, len(vectors) - 2)]
    return kept


def _by_umap(vectors: Vectors, neighbours: int) -> NDArray[np.float64]:
    from umap import UMAP

    made = UMAP(
        n_neighbors=min(neighbours, len(vectors) - 1),
        n_components=min(DIMENSIONS, len(vectors) - 2),
        metric="cosine",
        random_state=_SEED,
        n_jobs=1,
    )
    reduced: NDArray[np.float64] = np.asarray(made.fit_transform(vectors), dtype=np.float64)
    return reduced


def check_umap() -> None:
    """Raise UserError where the package is not installed."""
    require("umap", "raptor-umap", extra="umap", instead="write raptor-pca")


_REDUCTIONS: dict[Reduction, Reduce] = {"pca": _by_pca, "umap": _by_umap}
