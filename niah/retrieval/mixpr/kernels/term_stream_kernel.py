"""The loop behind ``term_stream``: from the bytes of chunks to exact term ids, in one walk.

A term's key is its lower-case UTF-8, 8 bytes to a word of 64 bits, padded with zeros, which no term contains.
A key of up to 16 bytes is compared as two words, and what is longer byte by byte: ids are exact.

What is done for every term reads arrays at unsigned places (``_U``): of a signed one numba asks whether it
counts from behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.scanning.characters import DIGIT, MARK, WORD
from niah.text.scanning.compiled import compiled, inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Number = Any  # int64, as numba sees it
    Bytes = NDArray[np.uint8]
    Ints = NDArray[np.int32]
    Offsets = NDArray[np.int64]
    Words = NDArray[np.uint64]

_ONES = 0x0101010101010101
_TOPS = 0x8080808080808080
_LOWER = 0x2020202020202020
_BELOW_A = (0x80 - 0x61) * _ONES  # carries into the top bit from "a" on
_ABOVE_Z = (0x80 - 0x7B) * _ONES  # from behind "z" on
_SEVEN_BITS = 0x7F * _ONES
_U = np.uint64
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F  # odd, with well mixed bits

# Columns of ``seen``: the last chunk with the term, times in it, chunks in all.
LAST, TIMES, CHUNKS = 0, 1, 2
# Places of ``state``.
CHUNK, COUNT, LONG, REPEATED = 0, 1, 2, 3


@compiled
def _eight(text: Bytes, i: Number) -> np.uint64:
    """Bytes i to i + 7 as a number, the first lowest. (Compiles to one load.)"""
    at = np.uint64(i)
    word = np.uint64(text[at])
    word |= np.uint64(text[at + np.uint64(1)]) << np.uint64(8)
    word |= np.uint64(text[at + np.uint64(2)]) << np.uint64(16)
    word |= np.uint64(text[at + np.uint64(3)]) << np.uint64(24)
    word |= np.uint64(text[at + np.uint64(4)]) << np.uint64(32)
    word |= np.uint64(text[at + np.uint64(5)]) << np.uint64(40)
    word |= np.uint64(text[at + np.uint64(6)]) << np.uint64(48)
    word |= np.uint64(text[at + np.uint64(7)]) << np.uint64(56)
    return word


@compiled
def _code_point(text: Bytes, i: Number) -> tuple[Number, Number]:
    """The character that starts at byte i, and where the next one starts."""
    first = np.int64(text[i])
    if first < 0x80:
        return first, i + 1
    second = np.int64(text[i + 1]) & 0x3F
    if first < 0xE0:
        return (first & 0x1F) << 6 | second, i + 2
    third = np.int64(text[i + 2]) & 0x3F
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third, i + 3
    return (first & 0x07) << 18 | second << 12 | third << 6 | np.int64(text[i + 3]) & 0x3F, i + 4


@compiled
def _class_and_next(text: Bytes, classes: NDArray[np.uint16], i: Number) -> tuple[Number, Number]:
    point, after = _code_point(text, i)
    return (np.int64(classes[point]) if point < len(classes) else 0), after


@compiled
def _number_end(text: Bytes, classes: NDArray[np.uint16], i: Number, end: Number) -> Number:
    r"""Where the match of ``\d+(?:[.,:]\d+)*\b`` at byte i ends, or i if there is none."""
    found = i
    while True:
        kind = 0
        while i < end:
            kind, after = _class_and_next(text, classes, i)
            if not kind & DIGIT:
                break
            i = after
        if i < end and kind & WORD:
            return found
        found = i
        if i + 1 >= end or not (text[i] == 0x2E or text[i] == 0x2C or text[i] == 0x3A):
            return found
        kind, _ = _class_and_next(text, classes, i + 1)
        if not kind & DIGIT:
            return found
        i += 1


@compiled
def _lowered_word(
    text: Bytes, classes: NDArray[np.uint16], lower: NDArray[np.uint32], i: Number, end: Number, term: Bytes
) -> tuple[Number, Number]:
    """Writes the lower case of the word at byte i, marks included; returns how many bytes, and its end."""
    size = 0
    while i < end:
        point, after = _code_point(text, i)
        if point >= len(classes) or not classes[point] & (WORD | MARK):
            break
        small = np.int64(lower[point])
        if small < 0x80:
            term[size] = small
            size += 1
        elif small < 0x800:
            term[size] = 0xC0 | small >> 6
            term[size + 1] = 0x80 | small & 0x3F
            size += 2
        elif small < 0x10000:
            term[size] = 0xE0 | small >> 12
            term[size + 1] = 0x80 | small >> 6 & 0x3F
            term[size + 2] = 0x80 | small & 0x3F
            size += 3
        else:
            term[size] = 0xF0 | small >> 18
            term[size + 1] = 0x80 | small >> 12 & 0x3F
            term[size + 2] = 0x80 | small >> 6 & 0x3F
            term[size + 3] = 0x80 | small & 0x3F
            size += 4
        i = after
    return size, i


@compiled
def _slot(low: np.uint64, high: np.uint64, bits: Number) -> Number:
    mixed = low * np.uint64(_FIRST) ^ (high * np.uint64(_SECOND)) >> np.uint64(7)
    mixed ^= mixed >> np.uint64(32)
    return np.int64((mixed * np.uint64(_FIRST)) >> np.uint64(64 - bits))


@compiled
def fill(slots: Ints, keys: Words, count: int) -> None:
    """Puts the first ``count`` terms into an empty table; the number of slots is a power of two."""
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
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


@compiled
def _letters(word: np.uint64) -> tuple[Number, np.uint64]:
    """How many of 8 bytes, from the lowest on, are ASCII letters; these in lower case, the others 0."""
    small = word | np.uint64(_LOWER)
    bare = small & np.uint64(_SEVEN_BITS)
    other = ~((bare + np.uint64(_BELOW_A)) & ~(bare + np.uint64(_ABOVE_Z)) & ~word) & np.uint64(_TOPS)
    if not other:
        return 8, small
    mask = ((other & (~other + np.uint64(1))) >> np.uint64(7)) - np.uint64(1)
    return np.int64(((mask & np.uint64(_ONES)) * np.uint64(_ONES)) >> np.uint64(56)), small & mask


@inlined
def _plain_word(text: Bytes, classes: NDArray[np.uint16], i: Number, end: Number) -> tuple[Number, Any, Any]:
    """Length and key of the word of ASCII letters, fewer than 16, at byte i; length 0 for none.

    Most terms are such, and end before the chunk does.
    """
    length: Number = 0
    low, high = np.uint64(0), np.uint64(0)
    if text[_U(i)] > 0x39 and i + 16 <= len(text):
        length, low = _letters(_eight(text, i))
        if length == 8:
            more, high = _letters(_eight(text, i + 8))
            length = 8 + more if more < 8 else 0
        if i + length > end:
            length = 0
        elif i + length < end:
            byte = text[_U(i + length)]
            if byte >= 0x80 or classes[byte] & WORD:
                length = 0
    return length, low, high


@inlined
def _any_term(
    text: Bytes, classes: NDArray[np.uint16], lower: NDArray[np.uint32], i: Number, end: Number, term: Bytes
) -> tuple[Number, Any, Any, Number]:
    """The length and key of whatever term is at byte i, written into ``term``, and its end; 0 for none."""
    length: Number = 0
    low, high = np.uint64(0), np.uint64(0)
    kind, after = _class_and_next(text, classes, i)
    if kind & WORD:
        after = i
        if kind & DIGIT:
            after = _number_end(text, classes, i, end)
            length = after - i
            for k in range(length):
                term[k] = text[i + k]
        if after == i:
            length, after = _lowered_word(text, classes, lower, i, end, term)
        for k in range(length, length + 16):
            term[k] = 0
        low = _eight(term, 0)
        high = _eight(term, 8)
        for k in range(16, length):
            high = (high ^ np.uint64(term[k])) * np.uint64(_SECOND)
    return length, low, high, after


@inlined
def _found_at(
    slots: Ints,
    keys: Words,
    spans: Offsets,
    long_terms: Bytes,
    low: np.uint64,
    high: np.uint64,
    term: Bytes,
    length: Number,
    bits: Number,
) -> Number:
    """The slot that holds the term, or the free one where it belongs."""
    at = _U(_slot(low, high, bits))
    found = slots[at]
    while found >= 0:
        row = _U(found)
        if keys[row, 0] == low and keys[row, 1] == high:
            if length <= 16 and spans[row, 1] == 0:
                break
            if length > 16 and _same_bytes(long_terms, spans[row, 0], spans[row, 1], term, length):
                break
        at = (at + _U(1)) & _U(len(slots) - 1)
        found = slots[at]
    return at


@inlined
def _added(
    keys: Words,
    seen: Ints,
    spans: Offsets,
    long_terms: Bytes,
    low: np.uint64,
    high: np.uint64,
    term: Bytes,
    length: Number,
    at: Number,
    long_size: Number,
) -> Number:
    """A row for a new term; returns how many bytes of ``long_terms`` are used then."""
    keys[at, 0] = low
    keys[at, 1] = high
    seen[at, LAST] = -1
    seen[at, CHUNKS] = 0
    spans[at, 1] = 0
    if length > 16:
        for k in range(length):
            long_terms[long_size + k] = term[k]
        spans[at, 0] = long_size
        long_size += length
        spans[at, 1] = long_size
    return long_size


@inlined
def _counted(seen: Ints, repeats: Ints, repeated: Number, chunk: Number, found: Number) -> Number:
    """Counts a term of a chunk; returns how many repeats are noted then."""
    row = _U(found)
    if seen[row, LAST] == chunk:
        seen[row, TIMES] += 1
        repeats[_U(repeated), 0] = chunk
        repeats[_U(repeated), 1] = found
        repeats[_U(repeated), 2] = seen[row, TIMES]
        repeated += 1
    else:
        seen[row, LAST] = chunk
        seen[row, TIMES] = 1
        seen[row, CHUNKS] += 1
    return repeated


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
    seen: Ints,
    spans: Offsets,
    long_terms: Bytes,
    repeats: Ints,
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
        keys, seen, spans: a row for each term: its key; LAST, TIMES and CHUNKS; its span in ``long_terms``,
            or zeros. Twice as many slots as rows.
        long_terms: the terms of more than 16 bytes, whose second key is a hash.
        repeats: shape (room, 3): chunk, term and times.
        scratch: room for one term, twice as long as any chunk, and 16 bytes.
        state: CHUNK, the next chunk; COUNT, of terms; LONG, bytes used of ``long_terms``; REPEATED.
    """
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
    chunk, count, long_size, repeated = state[CHUNK], state[COUNT], state[LONG], state[REPEATED]
    written = borders[chunk]
    while chunk < first + len(starts):
        i, end = starts[_U(chunk - first)], ends[_U(chunk - first)]
        room = end - i + 1
        full = count + room > len(keys) or repeated + room > len(repeats)
        if full or long_size + 2 * room > len(long_terms):
            break
        while i < end:
            byte = text[_U(i)]
            if byte < 0x80 and not classes[byte] & WORD:
                i += 1
                continue
            length, low, high = _plain_word(text, classes, i, end)
            if length:
                i += length + 1  # the byte behind such a term belongs to none
            else:
                length, low, high, i = _any_term(text, classes, lower, i, end, scratch)
                if length == 0:
                    continue
            at = _found_at(slots, keys, spans, long_terms, low, high, scratch, length, bits)
            found = np.int64(slots[at])
            if found < 0:
                found = count
                count += 1
                slots[at] = found
                long_size = _added(
                    keys, seen, spans, long_terms, low, high, scratch, length, found, long_size
                )
            terms[_U(written)] = found
            written += 1
            repeated = _counted(seen, repeats, repeated, chunk, found)
        chunk += 1
        borders[_U(chunk)] = written
    state[CHUNK], state[COUNT], state[LONG], state[REPEATED] = chunk, count, long_size, repeated


@compiled
def merge_into(
    other_keys: Words,
    other_spans: Offsets,
    other_long: Bytes,
    other_seen: Ints,
    slots: Ints,
    keys: Words,
    seen: Ints,
    spans: Offsets,
    long_terms: Bytes,
    state: Offsets,
    ids: Ints,
) -> None:
    """Adds the terms of another stream, in their order, and writes the id of each into ``ids``.

    The tables are those of ``stream_into``, with room for all.
    """
    bits = 0
    while 1 << bits < len(slots):
        bits += 1
    count, long_size = state[COUNT], state[LONG]
    for term in range(len(other_keys)):
        low, high = other_keys[term, 0], other_keys[term, 1]
        start, end = other_spans[term, 0], other_spans[term, 1]
        length = end - start
        if end == 0:  # its key says it all
            start, length = 0, 1
        own = other_long[start:]
        at = _found_at(slots, keys, spans, long_terms, low, high, own, length, bits)
        found = np.int64(slots[at])
        if found < 0:
            found = count
            count += 1
            slots[at] = found
            long_size = _added(keys, seen, spans, long_terms, low, high, own, length, found, long_size)
        seen[found, CHUNKS] += other_seen[term, CHUNKS]
        ids[term] = found
    state[COUNT], state[LONG] = count, long_size
