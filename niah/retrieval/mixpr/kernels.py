"""The loops of MixPR that see every character or every term of a text, compiled by numba once a machine.

A text is an array of its code points; ``terms.characters`` has tables over these. Importing numba is slow.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Classes = NDArray[np.uint16]
Offsets = NDArray[np.int64]
Floats = NDArray[np.float64]
Terms = NDArray[np.uint32]
Tables = tuple[Classes, Codes]
Known = tuple[NDArray[np.uint64], Terms, Offsets, Offsets, int]
Number = Any  # an integer, as numba sees it

Loop = TypeVar("Loop", bound=Callable[..., object])

# Bits of a character's class.
WORD = 1  # \w
DIGIT = 2  # \d
MARK = 4  # of letters; none is \w
FOLDED = 8  # ``niah.retrieval.lexical`` may change it

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


def compiled(loop: Loop) -> Loop:
    """The loop as machine code: compiled at the first call on a machine, loaded at the first of a process."""
    try:
        return cast(Loop, njit(cache=True, nogil=True)(loop))
    except RuntimeError:  # no folder for it can be written: each process compiles
        return cast(Loop, njit(nogil=True)(loop))


def are_compiled() -> bool:
    """Whether the loops were compiled on this machine before."""
    folder = cast(Any, scatter_into).stats.cache_path
    return folder is not None and any(Path(folder).glob("kernels.scatter_into-*.nbc"))


@compiled
def _number_end(codes: Codes, classes: Classes, i: Number, end: Number) -> Number:
    r"""Where the match of ``\d+(?:[.,:]\d+)*\b`` at i ends, or i if there is none."""
    found = i
    while True:
        while i < end and classes[codes[i]] & DIGIT:
            i += 1
        if i < end and classes[codes[i]] & WORD:
            return found
        found = i
        if i + 1 >= end or not (codes[i] == 0x2E or codes[i] == 0x2C or codes[i] == 0x3A):
            return found
        if not classes[codes[i + 1]] & DIGIT:
            return found
        i += 1


@compiled
def terms_into(
    codes: Codes, tables: Tables, ends: Offsets, first: int, terms: Terms, borders: Offsets, known: Known
) -> int:
    """Writes the terms of chunks as numbers; returns how many terms there are now.

    Args:
        codes, ends: the chunks, one behind the other, and where each ends; the ``first`` one's number.
        terms: room for ``(length + 1) // 2`` of each chunk.
        borders: shape (chunks + 1,): chunk i has ``terms[borders[i]:borders[i + 1]]``.
        known: keys (63 bits of a term's hash, never 0) and ids of a hash table, of a power of two's length,
            with room for twice the terms that come; the last chunk with each term, how many have it; terms.
    """
    (classes, letters), (keys, ids, latest, chunks_with, count) = tables, known
    mask, bits = np.uint64(len(keys) - 1), np.uint64(64)
    while _ONE << (np.uint64(64) - bits) < np.uint64(len(keys)):
        bits -= _ONE
    written, i = borders[0], np.uint64(0)
    for chunk in range(len(ends)):
        end = np.uint64(ends[chunk])
        while i < end:
            kind = classes[codes[i]]
            if not kind & WORD:
                i += _ONE
                continue
            stop = i
            if kind & DIGIT:
                stop = np.uint64(_number_end(codes, classes, np.int64(i), ends[chunk]))
            is_number = stop > i
            if not is_number:
                stop = end
            key = _ONE
            while i < stop:
                letter = letters[codes[i]]
                if letter == 0:
                    if not is_number:
                        break
                    letter = codes[i]
                key = (key ^ np.uint64(letter)) * _PRIME
                i += _ONE
            key |= _ONE
            at = ((key ^ key >> np.uint64(32)) * _PRIME) >> bits
            while keys[at] != key and keys[at] != np.uint64(0):
                at = (at + _ONE) & mask
            if keys[at] == np.uint64(0):
                keys[at], ids[at] = key, count
                latest[count], chunks_with[count] = -1, 0
                count += 1
            term = ids[at]
            terms[written] = term
            written += 1
            chunks_with[term] += latest[term] != first + chunk
            latest[term] = first + chunk
        borders[chunk + 1] = written
    return count


@compiled
def fill(keys: NDArray[np.uint64], ids: NDArray[np.uint32], old_keys: NDArray[np.uint64], old: Any) -> None:
    """Puts the terms of a smaller hash table, with their ids ``old``, into an empty one."""
    mask, bits = np.uint64(len(keys) - 1), np.uint64(64)
    while _ONE << (np.uint64(64) - bits) < np.uint64(len(keys)):
        bits -= _ONE
    for k in range(len(old_keys)):
        key = old_keys[k]
        if key != np.uint64(0):
            at = ((key ^ key >> np.uint64(32)) * _PRIME) >> bits
            while keys[at] != np.uint64(0):
                at = (at + _ONE) & mask
            keys[at], ids[at] = key, old[k]


@compiled
def norms_into(terms: Terms, borders: Offsets, squared_idf: Floats, inverse: Floats, by_term: Floats) -> None:
    """1 / norm of each chunk (0 for an empty one), and counts^T of it, added to ``by_term``; a term c times
    in a chunk adds (c idf)^2 = (1 + 3 + ... + 2 c - 1) idf^2 to the squared norm."""
    times = np.zeros(len(squared_idf), dtype=np.int32)
    for chunk in range(len(borders) - 1):
        squared = 0.0
        for k in range(np.uint64(borders[chunk]), np.uint64(borders[chunk + 1])):
            term = terms[k]
            times[term] += 1
            squared += (2 * times[term] - 1) * squared_idf[term]
        inverse[chunk] = 1 / np.sqrt(squared) if squared > 0 else 0.0
        for k in range(np.uint64(borders[chunk]), np.uint64(borders[chunk + 1])):
            by_term[terms[k]] += inverse[chunk]
            times[terms[k]] = 0


@compiled
def gather_into(terms: Terms, borders: Offsets, scale: Floats, by_term: Floats, found: Floats) -> None:
    """diag(scale) counts by_term."""
    for chunk in range(len(borders) - 1):
        total = 0.0
        for k in range(np.uint64(borders[chunk]), np.uint64(borders[chunk + 1])):
            total += by_term[terms[k]]
        found[chunk] = total * scale[chunk]


@compiled
def scatter_into(terms: Terms, borders: Offsets, values: Floats, by_term: Floats) -> None:
    """counts^T values, added to ``by_term``."""
    for chunk in range(len(borders) - 1):
        value = values[chunk]
        for k in range(np.uint64(borders[chunk]), np.uint64(borders[chunk + 1])):
            by_term[terms[k]] += value


@compiled
def _root(parents: Offsets, term: Number) -> Number:
    while parents[term] != term:
        parents[term] = parents[parents[term]]
        term = parents[term]
    return term


@compiled
def components_into(terms: Terms, borders: Offsets, parents: Offsets, found: Offsets) -> None:
    """A number for each chunk's component, 0 for an empty chunk; ``parents`` are 0, 1, 2, ..., one a term."""
    for chunk in range(len(borders) - 1):
        for k in range(borders[chunk] + 1, borders[chunk + 1]):
            one, other = _root(parents, np.int64(terms[k - 1])), _root(parents, np.int64(terms[k]))
            parents[other] = one
    for chunk in range(len(borders) - 1):
        some = borders[chunk] < borders[chunk + 1]
        found[chunk] = _root(parents, np.int64(terms[borders[chunk]])) + 1 if some else 0
