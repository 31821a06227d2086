"""The loop behind ``term_stream``: from the bytes of chunks to exact term ids, in one walk.

Keys of up to 16 bytes (``term_kernel``) are compared as two words, and what is longer byte by byte: ids are
exact.

What is done for every term reads arrays at unsigned places (``_U``): of a signed one numba asks whether it
counts from behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.retrieval.mixpr.kernels.term_kernel import SECOND, any_term, plain_key, window
from niah.text.scanning.compiled import compiled, inlined
from niah.text.scanning.kernels.bits import trailing_zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Number = Any  # int64, as numba sees it
    Bytes = NDArray[np.uint8]
    Ints = NDArray[np.int32]
    Offsets = NDArray[np.int64]
    Words = NDArray[np.uint64]
    Ids = NDArray[np.uint32]  # of terms

_ALL = 0xFFFFFFFFFFFFFFFF
_U = np.uint64
_FIRST = 0x9E3779B97F4A7C15  # odd, with well mixed bits

# A term that no chunk had: the upper half is the last chunk with it, the lower one counts its chunks.
_UNSEEN = 0xFFFFFFFF00000000
_LOW_HALF = 0xFFFFFFFF
# Places of ``state``.
CHUNK, COUNT, LONG, REPEATED = 0, 1, 2, 3


@compiled
def _slot(low: np.uint64, high: np.uint64, bits: Number) -> Number:
    mixed = low * np.uint64(_FIRST) ^ (high * np.uint64(SECOND)) >> np.uint64(7)
    mixed ^= mixed >> np.uint64(32)
    return np.int64((mixed * np.uint64(_FIRST)) >> np.uint64(64 - bits))


@inlined
def _bits_of(slots: Ints) -> Number:
    """Of a table's length, which is a power of two."""
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
    return bits


@compiled
def fill(slots: Ints, keys: Words, count: int) -> None:
    """Puts the first ``count`` terms into an empty table; the number of slots is a power of two."""
    bits = _bits_of(slots)
    for term in range(count):
        at = _slot(keys[term, 0], keys[term, 1], bits)
        while slots[at] >= 0:
            at = (at + 1) & (len(slots) - 1)
        slots[at] = term


@compiled
def _same_bytes(long_terms: Bytes, start: Number, end: Number, term: Bytes, size: Number) -> bool:
    if end - start != size:
        return False
    for k in range(size):  # noqa: SIM110 (numba compiles no generator)
        if long_terms[start + k] != term[k]:
            return False
    return True


@inlined
def _id_of_plain(slots: Ints, keys: Words, low: np.uint64, high: np.uint64, bits: Number) -> tuple[Any, Any]:
    """The id of a term of at most 16 bytes, -1 for a new one; and its slot."""
    at = _U(_slot(low, high, bits))
    found = np.int64(slots[at])
    while found >= 0 and (keys[_U(found), 0] != low or keys[_U(found), 1] != high):
        at = (at + _U(1)) & _U(len(slots) - 1)
        found = np.int64(slots[at])
    return found, at


@compiled
def _id_of_long(
    slots: Ints,
    keys: Words,
    spans: Offsets,
    long_terms: Bytes,
    low: np.uint64,
    high: np.uint64,
    term: Bytes,
    length: Number,
    bits: Number,
) -> tuple[Number, Any]:
    """``_id_of_plain`` for longer ones."""
    at = _U(_slot(low, high, bits))
    found = np.int64(slots[at])
    while found >= 0:
        row = _U(found)
        alike = keys[row, 0] == low and keys[row, 1] == high
        if alike and _same_bytes(long_terms, spans[row, 0], spans[row, 1], term, length):
            break
        at = (at + _U(1)) & _U(len(slots) - 1)
        found = np.int64(slots[at])
    return found, at


@compiled
def _added(
    slots: Ints,
    at: Any,
    keys: Words,
    seen: Words,
    spans: Offsets,
    long_terms: Bytes,
    low: np.uint64,
    high: np.uint64,
    term: Bytes,
    length: Number,
    state: Offsets,
) -> Number:
    """The id of a new term, which gets a row."""
    found = state[COUNT]
    row = _U(found)
    slots[at] = found
    keys[row, 0] = low
    keys[row, 1] = high
    seen[row] = _U(_UNSEEN)
    spans[row, 0], spans[row, 1] = 0, 0
    if length > 16:
        size = state[LONG]
        for k in range(length):
            long_terms[size + k] = term[k]
        spans[row, 0] = size
        spans[row, 1] = size + length
        state[LONG] = size + length
    state[COUNT] = found + 1
    return found


@inlined
def _id_of(
    slots: Ints,
    bits: Number,
    keys: Words,
    seen: Words,
    spans: Offsets,
    long_terms: Bytes,
    low: np.uint64,
    high: np.uint64,
    term: Bytes,
    length: Number,
    state: Offsets,
) -> Number:
    """The id of a term, which is added where it is new; up to 16 bytes its key says it all."""
    if length <= 16:
        found, at = _id_of_plain(slots, keys, low, high, bits)
    else:
        found, at = _id_of_long(slots, keys, spans, long_terms, low, high, term, length, bits)
    if found < 0:
        found = _added(slots, at, keys, seen, spans, long_terms, low, high, term, length, state)
    return found


@inlined
def _counted(seen: Words, repeats: Words, repeated: Number, chunk: Number, found: Number) -> Number:
    """Counts a term of a chunk; returns how many repeats are noted then.

    A chunk has one term in ten again, as it comes: what is asked would be guessed wrong as often. So the note
    is always written, and counts if the chunk is the one that had the term last.
    """
    row = _U(found)
    before = seen[row]
    again = _U(before >> _U(32) == _U(chunk))
    seen[row] = _U(chunk) << _U(32) | (before + _U(1) - again) & _U(_LOW_HALF)
    repeats[_U(repeated)] = _U(chunk) << _U(32) | row
    return repeated + np.int64(again)


@compiled
def stream_into(
    text: Bytes,
    classes: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    starts: Offsets,
    ends: Offsets,
    first: int,
    terms: Ints,
    borders: Offsets,
    slots: Ints,
    keys: Words,
    seen: Words,
    spans: Offsets,
    long_terms: Bytes,
    repeats: Words,
    scratch: Bytes,
    state: Offsets,
) -> None:
    """Writes the terms of chunk after chunk, until there is no room for the next.

    Args:
        text, starts, ends: UTF-8 and its chunks, in bytes.
        first: how many chunks of other texts come before.
        classes, lower: of ``niah.text.scanning.characters``.
        terms: room for ids, ``(end - start + 1) // 2`` for each chunk.
        borders: shape (all chunks + 1,); chunk i has ``terms[borders[i]:borders[i + 1]]``.
        slots: the hash table, ids or -1; its length is a power of two.
        keys, seen, spans: a row for each term: its key; the last chunk with it and, in the lower 32 bits, in
            how many it is; its span in ``long_terms``, or zeros. Twice as many slots as rows.
        long_terms: the terms of more than 16 bytes, whose second key is a hash.
        repeats: chunk and, in the lower 32 bits, term, for each time but the first that a chunk has a term.
        scratch: room for one term, twice as long as any chunk, and 16 bytes.
        state: CHUNK, the next chunk; COUNT, of terms; LONG, bytes used of ``long_terms``; REPEATED.
    """
    bits = _bits_of(slots)
    chunk, repeated = state[CHUNK], state[REPEATED]
    written = borders[chunk]
    while chunk < first + len(starts):
        i, end = starts[_U(chunk - first)], ends[_U(chunk - first)]
        room = end - i + 1
        full = state[COUNT] + room > len(keys) or repeated + room > len(repeats)
        if full or state[LONG] + 2 * room > len(long_terms):
            break
        while i < end:
            letters, odd = window(text, i, end)
            word = letters | odd
            following = i + 64
            while word:
                start = trailing_zeros(word)
                size = trailing_zeros(~(word >> start))
                if start + size == _U(64) and following < end and start > _U(0):
                    following = i + np.int64(start)
                    break
                if size < _U(16) and not (odd >> start) & ((_U(1) << size) - _U(1)):
                    length = np.int64(size)
                    low, high = plain_key(text, i + np.int64(start), length)
                    word &= word + (_U(1) << start)
                else:
                    length, low, high, after = any_term(
                        text, classes, lower, i + np.int64(start), end, scratch
                    )
                    if after >= i + 64:
                        word = _U(0)
                        following = after
                    else:
                        word &= _U(_ALL) << _U(after - i)
                    if length == 0:
                        continue
                found = _id_of(slots, bits, keys, seen, spans, long_terms, low, high, scratch, length, state)
                terms[_U(written)] = found
                written += 1
                repeated = _counted(seen, repeats, repeated, chunk, found)
            i = following
        chunk += 1
        borders[_U(chunk)] = written
    state[CHUNK], state[REPEATED] = chunk, repeated


@compiled
def merge_into(
    other_keys: Words,
    other_spans: Offsets,
    other_long: Bytes,
    other_seen: Words,
    slots: Ints,
    keys: Words,
    seen: Words,
    spans: Offsets,
    long_terms: Bytes,
    state: Offsets,
    ids: Ints,
) -> None:
    """Adds the terms of another stream, in their order, and writes the id of each into ``ids``.

    The tables are those of ``stream_into``, with room for all.
    """
    bits = _bits_of(slots)
    for term in range(len(other_keys)):
        low, high = other_keys[term, 0], other_keys[term, 1]
        start, end = other_spans[term, 0], other_spans[term, 1]
        length = end - start  # 0: its key says it all
        own = other_long[start if length else 0 :]
        found = _id_of(slots, bits, keys, seen, spans, long_terms, low, high, own, length, state)
        seen[found] += other_seen[term] & _U(_LOW_HALF)
        ids[term] = found


@compiled
def repeats_into(pairs: Words, ids: Ints, first: int, latest: Ints, repeats: Ints) -> None:
    """The repeats of ``stream_into`` with how often the chunk has the term by then.

    Args:
        pairs: as ``stream_into`` wrote them.
        ids: of each term, what to write.
        first: what to add to chunks.
        latest: -1 for each term; written: its last repeat.
        repeats: shape (pairs, 3): chunk, id and times, from 2.
    """
    for k in range(np.uint64(len(pairs))):
        term = pairs[k] & _U(_LOW_HALF)
        chunk = np.int64(pairs[k] >> _U(32)) + first
        times = np.int64(2)
        before = np.int64(latest[term])
        if before >= 0 and repeats[_U(before), 0] == chunk:
            times = np.int64(repeats[_U(before), 2]) + 1
        latest[term] = k
        repeats[k, 0] = chunk
        repeats[k, 1] = ids[term]
        repeats[k, 2] = times


@compiled
def renumbered_into(terms: Ids, ids: Ints, found: Ints) -> None:
    """The id of each term."""
    for k in range(np.uint64(len(terms))):
        found[k] = ids[terms[k]]
