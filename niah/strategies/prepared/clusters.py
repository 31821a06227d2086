"""RAPTOR's soft clusters of embeddings (section 3 of its paper): global ones, then local ones inside them.

Embeddings are reduced to ten dimensions, by UMAP as in the paper (n_neighbors sqrt(n - 1), then 10; cosine)
or by PCA. A mixture of Gaussians, as many as have the lowest BIC, gives each node a share in each; it belongs
to every one where that is above 0.1.

Each Gaussian has a variance for each dimension, and no covariances: of principal axes there are few, and with
them, of fifty points in ten dimensions, the lowest BIC belongs to Gaussians of a handful of points each.
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
        for local in _mixture(reduce(vectors[members], _LOCAL_NEIGHBOURS)):
            yield members[local]


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
