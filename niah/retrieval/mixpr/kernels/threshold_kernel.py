"""The loops behind ``mixpr_threshold``: pairs of similar rows, by an index of rare terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Offsets = NDArray[np.int64]


@compiled
def rows_into(
    terms: Ints,
    borders: Offsets,
    rarity: Ints,
    idf: Floats,
    inverse_norms: Floats,
    dropped: float,
    ranks: Ints,
    weights: Floats,
    row_borders: Offsets,
    kept: Offsets,
) -> None:
    """TF-IDF rows with each term once, rarest first, and how many of them must be indexed.

    Args:
        terms, borders: of the stream.
        rarity: each term's place by how many chunks have it, rarest first.
        idf, inverse_norms: of each term and of each chunk.
        dropped: the terms not indexed have a norm below this.
        ranks, weights: room for every term of the stream; written: rarity and weight, row after row.
        row_borders: shape (n + 1,); row i has ``ranks[row_borders[i]:row_borders[i + 1]]``.
        kept: shape (n,); where the indexed part of each row ends.
    """
    n = 0
    row_borders[0] = 0
    for chunk in range(len(borders) - 1):
        first = n
        for k in range(borders[chunk], borders[chunk + 1]):
            rank = rarity[terms[k]]
            weight = idf[terms[k]] * inverse_norms[chunk]
            at = n
            while at > first and ranks[at - 1] > rank:
                at -= 1
            if at > first and ranks[at - 1] == rank:
                weights[at - 1] += weight
                continue
            for later in range(n, at, -1):
                ranks[later] = ranks[later - 1]
                weights[later] = weights[later - 1]
            ranks[at] = rank
            weights[at] = weight
            n += 1
        row_borders[chunk + 1] = n
        end = n
        squared = 0.0
        while end > first:
            squared += weights[end - 1] * weights[end - 1]
            if squared >= dropped * dropped:
                break
            end -= 1
        kept[chunk] = end


@compiled
def pairs_into(
    ranks: Ints,
    weights: Floats,
    row_borders: Offsets,
    kept: Offsets,
    starts: Offsets,
    ends: Offsets,
    posted: Ints,
    posted_weights: Floats,
    threshold: float,
    dropped: float,
    row: int,
    dense: Floats,
    shared: Floats,
    ones: Ints,
    others: Ints,
    similarities: Floats,
) -> tuple[int, int]:
    """Writes the pairs of similar rows (one, an earlier other) from ``row`` on, while there is room.

    Args:
        ranks, weights, row_borders, kept: of ``rows_into``.
        starts, ends: of each term's part of the index, which holds the rows before ``row``.
        posted, posted_weights: the index: rows, and the term's weight in each.
        threshold: what a similarity must reach.
        dropped: what the terms that are not indexed may add to a similarity.
        row: where to start.
        dense: zeros, one for each term.
        shared: zeros, one for each row.
        ones, others, similarities: room for pairs.

    Returns:
        The next row, and how many pairs were written.
    """
    found = 0
    while row < len(kept) and found + row <= len(ones):
        for k in range(row_borders[row], row_borders[row + 1]):
            dense[ranks[k]] = weights[k]
        for k in range(row_borders[row], kept[row]):
            rank, weight = ranks[k], weights[k]
            for at in range(starts[rank], ends[rank]):
                shared[posted[at]] += weight * posted_weights[at]
            posted[ends[rank]] = row
            posted_weights[ends[rank]] = weight
            ends[rank] += 1
        for other in range(row):
            if shared[other] < threshold - dropped:
                continue
            similarity = 0.0
            for term in range(row_borders[other], row_borders[other + 1]):
                similarity += weights[term] * dense[ranks[term]]
            if similarity >= threshold:
                ones[found] = row
                others[found] = other
                similarities[found] = similarity
                found += 1
        shared[:row] = 0.0
        for k in range(row_borders[row], row_borders[row + 1]):
            dense[ranks[k]] = 0.0
        row += 1
    return row, found
