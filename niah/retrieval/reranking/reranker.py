"""What a reranker is: it reads a question and a chunk together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RERANKED = 100
"""So many of the best chunks a reranker reads: what providers take in one request, and charge as one."""


class Reranker(Protocol):
    """Reads question and chunk together. Used by one thread at a time."""

    @property
    def identity(self) -> str:
        """Of the model; equal only where all scores are equal."""
        ...

    @property
    def block_texts(self) -> int:
        """Texts to score in one call: what a crash can lose, and what Ctrl-C waits for."""
        ...

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): the higher, the better the text answers. No text depends on the others.

        Of a text that it cannot read whole it is that of the best part.
        """
        ...
