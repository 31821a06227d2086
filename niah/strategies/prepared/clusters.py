"""RAPTOR's soft clusters of embeddings, as its authors published them (its paper, section 3, and their code).

Global clusters first, then local ones inside each. Embeddings are reduced to ten dimensions: by UMAP as
published (``umap``: n_neighbors sqrt(n - 1), for local clusters 10; cosine), or by principal axes where
UMAP is not wanted (``pca``). A mixture of Gaussians with full covariances follows, as many as have the
lowest BIC of 1 to 49; a node belongs to each that has a share of more than 0.1 in it. A cluster of more
than 3,500 tokens is clustered again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
DIMENSIONS = 10
_LEAST_SHARE = 0.1
LONGEST_CLUSTER = 3_500
_MOST_CLUSTERS = 50
_LOCAL_NEIGHBOURS = 10
_SEED = 224

Reduction = Literal["pca", "umap"]


def clusters(vectors: Vectors, tokens: Sequence[int], reduction: Reduction) -> list[list[int]]:
    """The members of each cluster of ``vectors``, shape (nodes, dimensions), each in one or more."""
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
        if len(own) == 1 or tokens[own].sum() <= LONGEST_CLUSTER:
            yield own.tolist()
        elif len(own) < len(nodes):
            yield from _split(vectors, tokens, own, reduction)
        else:  # the published code would split it for ever: halves of neighbours
            for half in np.array_split(own, 2):
                yield from _split(vectors, tokens, half, reduction)


def _soft_clusters(vectors: Vectors, reduction: Reduction) -> Iterator[NDArray[np.int64]]:
    """Local clusters inside global ones, as members in their order."""
    if len(vectors) <= DIMENSIONS + 1:
        yield np.arange(len(vectors))
        return
    for members in _mixture(_reduced(vectors, int((len(vectors) - 1) ** 0.5), reduction)):
        if len(members) <= DIMENSIONS + 1:
            yield members
        else:
            parts = _mixture(_reduced(vectors[members], _LOCAL_NEIGHBOURS, reduction))
            yield from (members[part] for part in parts)


def _mixture(points: NDArray[np.float64]) -> Iterator[NDArray[np.int64]]:
    """The members of each Gaussian of the mixture with the lowest BIC."""
    from sklearn.mixture import GaussianMixture

    # Equal points, of text that repeats, cannot be told apart.
    distinct = len(np.unique(points.round(9), axis=0))
    counts = range(1, max(2, min(_MOST_CLUSTERS, distinct)))
    fitted = (GaussianMixture(count, random_state=_SEED).fit(points) for count in counts)
    best = min(fitted, key=lambda mixture: float(mixture.bic(points)))
    for share in best.predict_proba(points).T:
        if len(members := np.flatnonzero(share > _LEAST_SHARE)):
            yield members


def _reduced(vectors: Vectors, neighbours: int, reduction: Reduction) -> NDArray[np.float64]:
    """Shape (nodes, 10 at most): the embeddings made smaller."""
    if reduction == "pca":
        centred = vectors.astype(np.float64) - vectors.mean(axis=0)
        left, scale, _ = np.linalg.svd(centred, full_matrices=False)
        points: NDArray[np.float64] = (left * scale)[:, :DIMENSIONS]
        # The mixture's regularisation (1e-6) is made for points as far apart as UMAP puts them.
        spread = float(points.std())
        return points / spread if spread > 1e-6 else np.zeros_like(points)
    from umap import UMAP

    made = UMAP(
        n_neighbors=neighbours, n_components=DIMENSIONS, metric="cosine", random_state=_SEED, n_jobs=1
    )
    return np.asarray(made.fit_transform(vectors), dtype=np.float64)
