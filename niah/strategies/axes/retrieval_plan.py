"""Retriever x scope x order, over chunks: a strategy that retrieves, understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.strategies.chunkers import Chunker, default_chunker
from niah.strategies.scopes import SCOPES, ScopeKind, ScopeRequest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Scope:
    """How much is retrieved.

    Attributes:
        kind: a name of ``SCOPES``: "top" K chunks; "top-auto" as many as the number of needles suggests;
            "top-adaptive" as stand before the largest gap of scores; "half" or "full" of the room a context
            has (L - P); "budget" of N tokens.
        size: K or N; 0 for the others.
    """

    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.size}" if self.size else self.kind

    @property
    def _known(self) -> ScopeKind:
        return SCOPES.find(self.kind, "scope")

    def tokens_in(self, room: int) -> int | None:
        """Tokens to fill of a context's room; None where chunks are counted."""
        return min(fill(self.size, room), room) if (fill := self._known.tokens) else None

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are filled, not chunks counted."""
        return self._known.tokens is not None

    def chunks_for(self, needles: int | None, scores: NDArray[np.float64] | None = None) -> int:
        """How many of the best chunks are retrieved, where chunks are counted.

        Args:
            needles: how many hold the answer; None where nobody knows.
            scores: of all chunks, the best first; without them, the most that it can be.
        """
        assert self._known.chunks is not None
        return self._known.chunks(ScopeRequest(self.size, needles, scores))


@dataclass(frozen=True)
class RetrievalPlan:
    """Retriever x scope x order, over chunks, with noise.

    Attributes:
        retriever: by its canonical name.
        noise: share of chunks without a needle that is asked for; None for as many as are retrieved.
        sentences: tokens that the best sentences of what is retrieved may fill; None to send it whole.
    """

    retriever: str
    scope: Scope
    order: str
    chunker: Chunker
    noise: float | None = None
    sentences: int | None = None

    def __str__(self) -> str:
        chunks = "" if self.chunker == default_chunker(self.retriever) else f"@{self.chunker}"
        return f"{self.retriever}/{self.scope}/{self.order}{chunks}{self._suffix}"

    @property
    def _suffix(self) -> str:
        return noise_suffix(self.noise) if self.sentences is None else f"+sentences-{self.sentences}"

    @property
    def unordered(self) -> str:
        """What is sent, in whatever order: strategies that share it differ in their order alone."""
        return f"{self.retriever}/{self.scope}@{self.chunker}{self._suffix}"

    @property
    def budget(self) -> int | None:
        """Tokens that it says it sends at most; None where it says none."""
        return self.sentences or (self.scope.size if self.scope.kind == "budget" else None)

    def tokens_in(self, room: int) -> int | None:
        """Tokens to fill of a context's room; None where chunks are counted, and sent whole."""
        filled = self.scope.tokens_in(room)
        if self.sentences is None:
            return filled
        return min(self.sentences, room if filled is None else filled)

    def chunker_for(self, room: int) -> Chunker:
        """The chunker, with chunks small enough for what is filled of a context's room."""
        filled = self.scope.tokens_in(room)
        return self.chunker if filled is None else self.chunker.for_room(filled)


def noise_suffix(noise: float | None) -> str:
    """How a share of noise stands at the end of a name; "" for none."""
    return "" if noise is None else f"+noise-{noise:g}"
