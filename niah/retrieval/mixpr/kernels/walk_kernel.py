"""The loops of MixPR over a stream of term ids (``niah.retrieval.mixpr.term_stream``).

E = diag(1 / norm) counts diag(idf), and the stream is ``counts``: adding a chunk's value to each of its terms
is counts^T x, adding up the values of its terms is counts y. No other form of the matrix exists.

All take ``terms`` and ``borders`` of the stream and float64 arrays, one value a chunk or one a term. Those
before ``components_into`` count with unsigned numbers: of a signed one numba asks at each access whether it
counts from behind, which takes half as long again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Offsets = NDArray[np.int64]
    Ids = NDArray[np.uint32]  # of terms

_ONE, _TWO = np.uint64(1), np.uint64(2)


@compiled
def _sum_of(terms: Ids, first: Any, last: Any, by_term: Floats) -> Any:
    """The values of a chunk's terms, added up as two sums, of which neither waits for the other."""
    found, more = 0.0, 0.0
    for k in range(first + _ONE, last, _TWO):
        found += by_term[terms[k - _ONE]]
        more += by_term[terms[k]]
    if (last - first) & _ONE:
        found += by_term[terms[last - _ONE]]
    return found + more


@compiled
def norms_into(
    terms: Ids,
    borders: Offsets,
    repeats: Ints,
    before: int,
    squared_idf: Floats,
    inverse_norms: Floats,
    by_term: Floats,
) -> None:
    """1 / norm of each chunk (0 for an empty one), and counts^T of it, added to ``by_term``.

    A term c times in a chunk adds (c idf)^2 = (1 + 3 + ... + 2 c - 1) idf^2 to the squared norm. ``repeats``
    count chunks from ``before`` ones earlier.
    """
    inverse_norms[:] = 0.0
    for repeat in range(np.uint64(len(repeats))):
        more = (2 * repeats[repeat, 2] - 2) * squared_idf[np.uint64(repeats[repeat, 1])]
        inverse_norms[np.uint64(repeats[repeat, 0] - before)] += more
    for chunk in range(np.uint64(len(borders) - 1)):
        first, last = np.uint64(borders[chunk]), np.uint64(borders[chunk + _ONE])
        squared = inverse_norms[chunk] + _sum_of(terms, first, last, squared_idf)
        inverse = 1 / np.sqrt(squared) if squared > 0 else 0.0
        inverse_norms[chunk] = inverse
        for k in range(first, last):
            by_term[terms[k]] += inverse


@compiled
def gather_into(terms: Ids, borders: Offsets, scale: Floats, by_term: Floats, found: Floats) -> None:
    """diag(scale) counts by_term."""
    for chunk in range(np.uint64(len(borders) - 1)):
        first, last = np.uint64(borders[chunk]), np.uint64(borders[chunk + _ONE])
        found[chunk] = _sum_of(terms, first, last, by_term) * scale[chunk]


@compiled
def scatter_into(terms: Ids, borders: Offsets, values: Floats, by_term: Floats) -> None:
    """counts^T values, added to ``by_term``."""
    for chunk in range(np.uint64(len(borders) - 1)):
        value = values[chunk]
        first, last = np.uint64(borders[chunk]), np.uint64(borders[chunk + _ONE])
        for k in range(first, last):
            by_term[terms[k]] += value


@compiled
def step_into(
    terms: Ids,
    borders: Offsets,
    inverse_norms: Floats,
    sums: Floats,
    inverse_sums: Floats,
    inverse_total: float,
    by_term: Floats,
    before: Floats,
    change: Floats,
    onward: Floats,
) -> tuple[float, float]:
    """One step of the walk, from terms to chunks and on to terms, in one pass.

    q = diag(1 / norm) counts by_term are the walkers at each chunk, w = sums inverse_total those of a walk
    without end. Writes q - w into ``change`` and adds counts^T (q / sums / norm) to ``onward``.

    Returns:
        The sum of change^2 / sums, and that of change before / sums.
    """
    squared, crossed = 0.0, 0.0
    for chunk in range(np.uint64(len(borders) - 1)):
        first, last = np.uint64(borders[chunk]), np.uint64(borders[chunk + _ONE])
        found = _sum_of(terms, first, last, by_term) * inverse_norms[chunk]
        off = found - sums[chunk] * inverse_total
        change[chunk] = off
        weighted = off * inverse_sums[chunk]
        squared += off * weighted
        crossed += before[chunk] * weighted
        value = found * inverse_sums[chunk] * inverse_norms[chunk]
        for k in range(first, last):
            onward[terms[k]] += value
    return squared, crossed


@compiled
def _root(parents: Ints, term: int) -> int:
    while parents[term] != term:
        parents[term] = parents[parents[term]]
        term = parents[term]
    return term


@compiled
def components_into(terms: Ints, borders: Offsets, parents: Ints, found: Ints) -> None:
    """Which chunks a walk can join: a number for each component, -1 for an empty chunk.

    ``parents`` are 0, 1, 2, ... at first, one for each term.
    """
    for chunk in range(len(borders) - 1):
        if borders[chunk] == borders[chunk + 1]:
            continue
        root = _root(parents, terms[borders[chunk]])
        for k in range(borders[chunk] + 1, borders[chunk + 1]):
            other = terms[k]
            if parents[other] != root:
                other = _root(parents, other)
                if other != root:
                    parents[other] = root
    for chunk in range(len(borders) - 1):
        some = borders[chunk] < borders[chunk + 1]
        found[chunk] = _root(parents, terms[borders[chunk]]) if some else -1


@compiled
def _codes_into(terms: Ints, borders: Offsets, chunks_with: Ints, chunk: int, codes: Offsets) -> None:
    """The chunk's terms, sorted; terms of no other chunk are told apart only by how often it has them."""
    start, end = borders[chunk], borders[chunk + 1]
    for k in range(end - start):
        code = np.int64(terms[start + k])
        if chunks_with[code] == 1:
            times = 0
            for other in range(start, end):
                times += terms[other] == code
            code = np.int64(-times)
        at = k
        while at > 0 and codes[at - 1] > code:
            codes[at] = codes[at - 1]
            at -= 1
        codes[at] = code


@compiled
def _same(one: Ints | Offsets, other: Ints | Offsets, length: int) -> bool:
    for k in range(length):  # noqa: SIM110 (numba compiles no generator)
        if one[k] != other[k]:
            return False
    return True


@compiled
def alike(
    terms: Ints, borders: Offsets, chunks_with: Ints, one: int, other: int, room: Offsets, more: Offsets
) -> bool:
    """Whether swapping two chunks, and terms that only they have, leaves the graph as it is.

    ``room`` and ``more`` are for as many numbers as the first chunk has terms.
    """
    length = borders[one + 1] - borders[one]
    if borders[other + 1] - borders[other] != length:
        return False
    if _same(terms[borders[one] :], terms[borders[other] :], length):
        return True
    _codes_into(terms, borders, chunks_with, one, room)
    _codes_into(terms, borders, chunks_with, other, more)
    return _same(room, more, length)
