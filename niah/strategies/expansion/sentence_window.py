"""Sentence windows: single sentences are compared, and read with their neighbours (long-context-vs-rag, 4.2).

Windows that share sentences are read as one, in the better one's place: no sentence is read twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from niah.strategies.expansion.chunk_range import ChunkRange
from niah.text.chunks import Chunk


def sentence_windows(chunks: Sequence[Chunk], ranking: Sequence[int], size: int) -> list[ChunkRange]:
    """The retrieved sentences with ``size`` more to either side, best first."""
    windows = {i: (max(0, i - size), min(len(chunks), i + size + 1)) for i in ranking}
    place = {i: rank for rank, i in enumerate(ranking)}
    joined: list[tuple[int, ChunkRange]] = []  # each with the rank of its best sentence
    for i in sorted(windows):
        first, stop = windows[i]
        if joined and first < joined[-1][1][1]:
            rank, before = joined[-1]
            joined[-1] = min(rank, place[i]), (before[0], stop)
        else:
            joined.append((place[i], (first, stop)))
    return [run for _, run in sorted(joined)]
