"""Chunks as a stream of term ids: 4 bytes for each term of the text stand for the whole TF-IDF matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.retrieval.folding import folded, folds
from niah.text.scanning.characters import characters
from niah.text.scanning.threads import parts_for, together
from niah.text.scanning.utf8 import Utf8, starts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Offsets = NDArray[np.int64]

# Rows that tables start with, at least; they double.
_FEW = 1 << 12
# As many as a text of so many bytes most likely needs, but no more than this many.
_TERMS_A_ROW, _MANY = 64, 1 << 14
# A new table of repeats has room for one in so many terms, at most; prose has one in ten.
_TERMS_A_REPEAT = 8


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
    def ids(self) -> NDArray[np.uint32]:
        """The terms as unsigned numbers, the same bytes."""
        return self.terms.view(np.uint32)

    @property
    def chunks(self) -> int:
        """n."""
        return len(self.borders) - 1

    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The chunks in ranges of about as many terms, each for a thread: the first, and behind the last."""
        parts = parts_for(self.terms.nbytes)
        targets = [part * len(self.terms) // parts for part in range(1, parts)]
        edges = [0, *np.searchsorted(self.borders, targets).tolist(), self.chunks]
        return tuple(pairwise(edges))

    def repeats_of(self, first: int, last: int) -> NDArray[np.int32]:
        """The repeats of a range of chunks."""
        return self.repeats[slice(*np.searchsorted(self.repeats[:, 0], (first, last)))]


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


def term_stream(*parts: Chunked, threads: int | None = None) -> TermStream:
    """The terms of each chunk, those of ``niah.retrieval.lexical.term_lists``; of part after part.

    Args:
        parts: each with its chunks.
        threads: that share the longest part, as many as it is worth without it; the stream is the same.
    """
    parts = tuple(_folded(part) if _folds(part.text) else part for part in parts)
    sizes = [len(part.text.data) for part in parts]
    groups = _shared(parts, sizes.index(max(sizes)), threads or parts_for(max(sizes)))
    rooms = [sum(int((part.ends - part.starts + 1).sum()) for part in group) // 2 + 1 for group in groups]
    terms = np.empty(sum(rooms), dtype=np.int32)  # only what is written takes memory
    own = np.split(terms, np.cumsum(rooms)[:-1])
    readings = together([partial(_read, *each) for each in zip(groups, own, strict=True)])
    return _joined(terms, readings)


def _shared(parts: Sequence[Chunked], longest: int, threads: int) -> list[list[Chunked]]:
    """The parts in groups, one a thread: the longest is cut into as many pieces."""
    text, starts, ends = parts[longest].text, parts[longest].starts, parts[longest].ends
    targets = [part * len(text.data) // threads for part in range(1, threads)]
    edges = sorted({0, *np.searchsorted(starts, targets).tolist(), len(starts)})
    pieces = [[Chunked(text, starts[first:last], ends[first:last])] for first, last in pairwise(edges)]
    groups = pieces or [[parts[longest]]]
    groups[0][:0] = parts[:longest]
    groups[-1] += parts[longest + 1 :]
    return groups


@dataclass
class _Reading:
    """What ``stream_into`` knows of the chunks so far; its docstring says what the tables are."""

    terms: NDArray[np.int32]
    borders: Offsets
    keys: NDArray[np.uint64]
    seen: NDArray[np.uint64]
    spans: Offsets
    long_terms: NDArray[np.uint8]
    repeats: NDArray[np.uint64]
    slots: NDArray[np.int32]
    state: NDArray[np.int64]

    @classmethod
    def of(cls, chunks: int, terms: NDArray[np.int32]) -> _Reading:
        """Before the first of so many chunks."""
        return cls(
            terms,
            borders=np.zeros(chunks + 1, dtype=np.int64),
            keys=np.empty((0, 2), dtype=np.uint64),
            seen=np.empty(0, dtype=np.uint64),
            spans=np.empty((0, 2), dtype=np.int64),
            long_terms=np.empty(0, dtype=np.uint8),
            repeats=np.empty(len(terms) // 2 // _TERMS_A_REPEAT, dtype=np.uint64),
            slots=np.empty(0, dtype=np.int32),
            state=np.zeros(4, dtype=np.int64),
        )

    def make_room(self, terms: int, long_bytes: int, repeats: int) -> None:
        """For so many more terms that are new, bytes of long ones, and repeats."""
        from niah.retrieval.mixpr.kernels import term_stream_kernel as kernel

        count = int(self.state[kernel.COUNT])
        if count + terms >= len(self.keys):
            likely = min(len(self.terms) // _TERMS_A_ROW, _MANY)
            rows = 1 << (2 * max(count + terms, likely) + _FEW).bit_length()
            self.keys = _with_rows(self.keys, count, rows)
            self.seen = _with_rows(self.seen, count, rows)
            self.spans = _with_rows(self.spans, count, rows)
            self.slots = np.full(2 * rows, -1, dtype=np.int32)
            kernel.fill(self.slots, self.keys, count)
        used = int(self.state[kernel.LONG])
        self.long_terms = _with_rows(self.long_terms, used, 2 * (used + long_bytes) + _FEW)
        used = int(self.state[kernel.REPEATED])
        if used + repeats >= len(self.repeats):
            self.repeats = _with_rows(self.repeats, used, 2 * (used + repeats) + _FEW)


def _read(parts: Sequence[Chunked], terms: NDArray[np.int32]) -> _Reading:
    """Part after part, into ``terms``."""
    from niah.retrieval.mixpr.kernels import term_stream_kernel as kernel

    reading = _Reading.of(sum(len(part.starts) for part in parts), terms)
    longest = max(int((part.ends - part.starts).max(initial=0)) for part in parts)
    scratch = np.empty(2 * longest + 16, dtype=np.uint8)
    first = 0
    for part in parts:
        tables = characters(part.text.is_ascii)
        while reading.state[kernel.CHUNK] < first + len(part.starts):
            reading.make_room(longest, longest, longest)
            kernel.stream_into(
                part.text.data,
                tables.classes,
                tables.lower,
                part.starts,
                part.ends,
                first,
                terms,
                reading.borders,
                reading.slots,
                reading.keys,
                reading.seen,
                reading.spans,
                reading.long_terms,
                reading.repeats,
                scratch,
                reading.state,
            )
        first += len(part.starts)
    return reading


def _joined(terms: NDArray[np.int32], readings: Sequence[_Reading]) -> TermStream:
    """One stream of all readings, whose terms lie one after the other in ``terms``, with gaps."""
    from niah.retrieval.mixpr.kernels import term_stream_kernel as kernel

    whole = readings[0]
    ids = [np.arange(whole.state[kernel.COUNT], dtype=np.int32)]
    ids += [_merged(whole, other) for other in readings[1:]]
    chunks = np.cumsum([0, *(len(reading.borders) - 1 for reading in readings)]).tolist()
    repeated = np.cumsum([0, *(int(reading.state[kernel.REPEATED]) for reading in readings)]).tolist()
    borders = np.zeros(chunks[-1] + 1, dtype=np.int64)
    repeats = np.empty((repeated[-1], 3), dtype=np.int32)
    written = np.cumsum([0, *(int(reading.borders[-1]) for reading in readings)]).tolist()

    def join(number: int) -> None:
        own, found = readings[number], repeats[repeated[number] : repeated[number + 1]]
        latest = np.full(len(ids[number]), -1, dtype=np.int32)
        kernel.repeats_into(own.repeats[: len(found)], ids[number], chunks[number], latest, found)
        borders[chunks[number] : chunks[number + 1] + 1] = own.borders + written[number]
        if number:
            read = own.terms[: own.borders[-1]].view(np.uint32)
            kernel.renumbered_into(read, ids[number], terms[written[number] : written[number + 1]])

    joins = [partial(join, number) for number in range(len(readings))]
    # Of three, the third's terms may go where the second's still are.
    for some in [joins] if len(joins) == 2 else [[each] for each in joins]:
        together(some)
    chunks_with = whole.seen[: whole.state[kernel.COUNT]].astype(np.uint32).view(np.int32)
    return TermStream(terms[: written[-1]], borders, chunks_with, repeats)


def _merged(whole: _Reading, other: _Reading) -> NDArray[np.int32]:
    """Adds the other's terms; their ids."""
    from niah.retrieval.mixpr.kernels import term_stream_kernel as kernel

    _, count, long_bytes, _ = other.state.tolist()
    whole.make_room(count, long_bytes, 0)
    ids = np.empty(count, dtype=np.int32)
    kernel.merge_into(
        other.keys[:count],
        other.spans,
        other.long_terms,
        other.seen,
        whole.slots,
        whole.keys,
        whole.seen,
        whole.spans,
        whole.long_terms,
        whole.state,
        ids,
    )
    return ids


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
