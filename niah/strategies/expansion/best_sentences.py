"""Context compression by extraction: of what is retrieved, the sentences that score best are kept."""

from __future__ import annotations

from collections.abc import Sequence

from niah.strategies.facts import join_neighbours
from niah.text.chunks import Chunk


def within(sentences: Sequence[Chunk], retrieved: Sequence[Chunk]) -> list[bool]:
    """Of each sentence, whether it lies wholly inside retrieved chunks, which may follow each other."""
    spans = join_neighbours(sorted(retrieved, key=lambda chunk: chunk.index))
    return [
        any(start <= sentence.start and sentence.end <= end for start, end in spans) for sentence in sentences
    ]
