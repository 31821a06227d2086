"""Chunks as a stream of term ids: 4 bytes for each term of the text stand for the whole TF-IDF matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.retrieval.folding import folded, folds
from niah.text.scanning.characters import characters
from niah.text.scanning.utf8 import Utf8, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Offsets = NDArray[np.int64]

# Rows that tables start with, at least; they double.
_FEW = 1 << 12


@dataclass(frozen=True)
class TermStream:
    """The terms of n chunks, in document order, a term as often as the chunk has it.

    Attributes:
        terms: int32, shape (terms in all,), ids from 0 by first appearance.
        borders: shape (n + 1,): chunk i has ``terms[borders[i]:borders[i + 1]]``.
        chunks_with: int32, shape (distinct terms,): in how many chunks each term is.
        repeats: int32, shape (repeats, 3): chunk, term and times, for each time but the first that a chunk
            has a term; times counts from 2. In the order of the chunks.
    """

    terms: NDArray[np.int32]
    borders: Offsets
    chunks_with: NDArray[np.int32]
    repeats: NDArray[np.int32]

    @property
    def chunks(self) -> int:
        """n."""
        return len(self.borders) - 1


@dataclass(frozen=True)
class Chunked:
    """A text and its chunks.

    Attributes:
        text: holds the chunks.
        starts, ends: shape (n,), of each chunk, in bytes.
    """

    text: Utf8
    starts: Offsets
    ends: Offsets


def term_stream(*parts: Chunked) -> TermStream:
    """The terms of each chunk, those of ``niah.retrieval.lexical.term_lists``; of part after part."""
    from niah.retrieval.mixpr.kernels import term_stream_kernel as kernel

    parts = tuple(_folded(part) if _folds(part.text) else part for part in parts)
    lengths = np.concatenate([part.ends - part.starts for part in parts])
    longest = int(lengths.max(initial=0))
    terms = np.empty(int((lengths + 1).sum()) // 2 + 1, dtype=np.int32)
    borders = np.zeros(len(lengths) + 1, dtype=np.int64)
    scratch = np.empty(2 * longest + 16, dtype=np.uint8)
    keys = np.empty((0, 2), dtype=np.uint64)
    seen = np.empty((0, 3), dtype=np.int32)
    spans = np.empty((0, 2), dtype=np.int64)
    long_terms = np.empty(0, dtype=np.uint8)
    repeats = np.empty((0, 3), dtype=np.int32)
    slots = np.empty(0, dtype=np.int32)
    state = np.zeros(4, dtype=np.int64)
    first = 0
    for part in parts:
        tables = characters(part.text.is_ascii)
        while state[kernel.CHUNK] < first + len(part.starts):
            count = int(state[kernel.COUNT])
            if count + longest >= len(keys):
                rows = 1 << (2 * (count + longest) + _FEW).bit_length()
                keys, seen, spans = (_with_rows(table, count, rows) for table in (keys, seen, spans))
                slots = np.full(2 * rows, -1, dtype=np.int32)
                kernel.fill(slots, keys, count)
            used = int(state[kernel.LONG])
            long_terms = _with_rows(long_terms, used, 2 * (used + longest) + _FEW)
            used = int(state[kernel.REPEATED])
            repeats = _with_rows(repeats, used, 2 * (used + longest) + _FEW)
            kernel.stream_into(
                part.text.data,
                tables.classes,
                tables.lower,
                part.starts,
                part.ends,
                first,
                terms,
                borders,
                slots,
                keys,
                seen,
                spans,
                long_terms,
                repeats,
                scratch,
                state,
            )
        first += len(part.starts)
    chunks_with = seen[: state[kernel.COUNT], kernel.CHUNKS].copy()
    return TermStream(terms[: borders[-1]], borders, chunks_with, repeats[: state[kernel.REPEATED]])


def _with_rows(table: NDArray[Any], used: int, rows: int) -> NDArray[Any]:
    """The table with room for more; of the rows so far, only those used keep their values."""
    grown = np.empty((rows, *table.shape[1:]), dtype=table.dtype)
    grown[:used] = table[:used]
    return grown


def _folds(text: Utf8) -> bool:
    """``niah.retrieval.folding.folds``, in no time for English."""
    return text.may_have(_folding_starts()) and folds(_decoded(text.data.tobytes()))


@lru_cache
def _folding_starts() -> NDArray[np.bool_]:
    return starts_of(folds)


def _folded(part: Chunked) -> Chunked:
    """The chunks folded, one after the other."""
    encoded = part.text.data.tobytes()
    spans = zip(part.starts.tolist(), part.ends.tolist(), strict=True)
    chunks = [_decoded(encoded[start:end]) for start, end in spans]
    pieces = [chunk.lower().encode("utf-8", "surrogatepass") for chunk in folded(chunks)]
    borders = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces], dtype=np.int64)])
    joined = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    return Chunked(Utf8(joined, False), borders[:-1], borders[1:])


def _decoded(encoded: bytes) -> str:
    return encoded.decode("utf-8", "surrogatepass")
