"""How retrieval did, known before any answer: needles against chunks, by their spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.cases.context import Placed
from niah.strategies.arrange import runs
from niah.text.chunks import Chunk

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MOST_BEST = 32


@dataclass(frozen=True)
class RetrievalFacts:
    """What is stored with every trial that retrieves.

    Attributes:
        completeness: share of needles wholly inside the retrieved chunks; 1 if there are no needles.
        needle_ranks: for each needle of the context, in its order, the best rank of a retrieved chunk that
            holds it whole, or None.
        needle_split: for each needle, whether chunk borders cut it: no chunk of the context holds it whole.
        noise_ratio: retrieved chunks without any part of a needle / retrieved chunks (u-niah, section 3.3);
            0 if nothing was retrieved.
        retrieved: number of retrieved chunks.
        available: number of chunks in the context.
        best: (start, end) in the context's text of the retrieved chunks, best first, at most 32: a fill of a
            long context has hundreds, and nobody looks at so many.
    """

    completeness: float
    needle_ranks: tuple[int | None, ...]
    needle_split: tuple[bool, ...]
    noise_ratio: float
    retrieved: int
    available: int
    best: tuple[tuple[int, int], ...] = ()


def retrieval_facts(
    needles: Sequence[Placed], chunks: Sequence[Chunk], ranking: Sequence[int]
) -> RetrievalFacts:
    """The facts of one selection.

    Args:
        needles: of the context.
        chunks: all chunks of the context.
        ranking: indices of the retrieved ones, best first.
    """
    starts, ends = _borders(chunks)
    retrieved = runs([chunks[i] for i in sorted(ranking)])
    ranks: list[int | None] = []
    split: list[bool] = []
    complete = 0
    for needle in needles:
        start, end = _visible(needle)
        holds = (starts <= start) & (end <= ends)
        split.append(not holds.any())
        places = np.flatnonzero(holds[list(ranking)])
        ranks.append(int(places[0]) + 1 if len(places) else None)
        complete += any(run_start <= start and end <= run_end for run_start, run_end in retrieved)
    noise = ~touched(needles, chunks)[list(ranking)]
    return RetrievalFacts(
        completeness=complete / len(needles) if needles else 1.0,
        needle_ranks=tuple(ranks),
        needle_split=tuple(split),
        noise_ratio=float(noise.mean()) if len(noise) else 0.0,
        retrieved=len(ranking),
        available=len(chunks),
        best=tuple((chunks[i].start, chunks[i].end) for i in ranking[:_MOST_BEST]),
    )


def held(needles: Sequence[Placed], chunk: Chunk) -> tuple[str, ...]:
    """Ids of the needles that a chunk holds whole."""
    spans = [(needle.id, *_visible(needle)) for needle in needles]
    return tuple(id for id, start, end in spans if chunk.start <= start and end <= chunk.end)


def touched(needles: Sequence[Placed], chunks: Sequence[Chunk]) -> NDArray[np.bool_]:
    """Shape (chunks,): whether each holds some of a needle."""
    starts, ends = _borders(chunks)
    some = np.zeros(len(chunks), dtype=np.bool_)
    for needle in needles:
        start, end = _visible(needle)
        some |= (starts < end) & (start < ends)
    return some


def _borders(chunks: Sequence[Chunk]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    starts, ends = np.array([(c.start, c.end) for c in chunks], dtype=np.int64).reshape(-1, 2).T
    return starts, ends


def _visible(needle: Placed) -> tuple[int, int]:
    """The needle's span without white space at its ends, which no chunk of sentences keeps."""
    return needle.end - len(needle.text.lstrip()), needle.start + len(needle.text.rstrip())
