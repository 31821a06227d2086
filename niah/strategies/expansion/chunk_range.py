"""What is read of a context where some of its small chunks were retrieved: ranges of chunks, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from niah.text.chunks import Chunk

ChunkRange = tuple[int, int]
"""The numbers of the first chunk and of the one behind the last."""

Expand = Callable[[Sequence[Chunk], Sequence[int], int], list[ChunkRange]]
"""From all chunks of a context, the numbers of those retrieved, best first, and the size in the chunker's
name to the ranges that are read instead, best first. No two share a chunk."""


def pieces_read(chunks: Sequence[Chunk], ranges: Sequence[ChunkRange]) -> list[Chunk]:
    """Each range as one chunk, numbered by its first."""
    return [
        Chunk(
            first,
            chunks[first].start,
            chunks[stop - 1].end,
            chunks[first].token_start,
            chunks[stop - 1].token_end,
            covers=stop - first,
        )
        for first, stop in ranges
    ]
