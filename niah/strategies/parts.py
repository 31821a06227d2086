"""How much of a context is retrieved (scopes), in which order it is sent (orders), and both with a retriever.

A package adds an order with an entry point of the group ``niah.orders`` that names a ``ChunkOrder``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from niah.registry import Registry
from niah.strategies.chunkers import Chunker, checked, default_chunker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ChunkOrder:
    """An order of retrieved chunks: ``arrange`` makes of their numbers, best first, the order in the prompt.

    ``best`` says where the best one stands, "first" or "last", next to the question. Where chunks stand as in
    the context (``keeps_places``), those that follow each other are joined. ``name`` is the entry point's.
    """

    description: str
    arrange: Callable[[Sequence[int]], Sequence[int]]
    best: Literal["first", "last", ""] = ""
    keeps_places: bool = False
    name: str = ""


ORDERS: Registry[ChunkOrder] = Registry(
    "orders",
    {
        "norm": ChunkOrder("best first", lambda ranking: ranking, best="first"),
        "reverse": ChunkOrder("best last, next to the question", lambda ranking: ranking[::-1], best="last"),
        "document": ChunkOrder("as they stand in the context", sorted, keeps_places=True),
        "sides": ChunkOrder(
            "best at both ends, worst in the middle",
            lambda ranking: [*ranking[::2], *ranking[1::2][::-1]],  # ranks 1 3 5 ... 6 4 2
        ),
    },
    lambda name, made: replace(checked(name, made, ChunkOrder), name=name),
)

SCOPES = {
    "top-K": "the K best chunks, or all where there are fewer",
    "top-auto": "5, 10 or 20 chunks for 3, 7 or 15 needles, round(4k/3) + 1 for k, 5 where that is unknown",
    "top-adaptive": "the chunks before the largest gap of scores, worst tenth left out",
    "budget-N": "the best whole chunks that fit into N tokens, and into the room; larger windows and passages"
    " are cut at N - 8",
    "half": "the best whole chunks that fit into half the room that a context has",
    "full": "the best whole chunks that fit into all of it",
}
"""By form what a scope retrieves."""


@dataclass(frozen=True)
class Scope:
    """How much is retrieved: a form of ``SCOPES`` without its K or N, and that number; 0 if it has none."""

    kind: str
    size: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.size}" if self.size else self.kind

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are filled, not chunks counted."""
        return not self.kind.startswith("top")

    def tokens_in(self, room: int) -> int | None:
        """Tokens to fill of a context's room (L - P); None where chunks are counted."""
        if not self.counts_tokens:
            return None
        return {"budget": min(self.size, room), "half": room // 2, "full": room}[self.kind]

    def chunks_for(self, needles: int | None, scores: NDArray[np.float64] | None = None) -> int:
        """How many of the best chunks are retrieved, where chunks are counted.

        top-auto: 5, 10 and 20 chunks for 3, 7 and 15 needles (u-niah, section 4.2): round(4k/3) + 1 goes
        through the first two and close by the third; as for 3 needles where that is unknown (None).
        top-adaptive: the chunks before the first of the largest gaps between ``scores``, the best first,
        where gaps among the worst tenth do not count (Adaptive-k, arXiv 2506.08479); all without scores.
        """
        if self.kind == "top-auto":
            return 5 if needles is None else 20 if needles == 15 else round(4 * needles / 3) + 1
        if self.kind != "top-adaptive":
            return self.size
        if scores is None:
            return sys.maxsize
        gaps = (scores[:-1] - scores[1:])[: max(1, len(scores) * 9 // 10)]
        return int(gaps.argmax()) + 1 if len(gaps) else len(scores)


@dataclass(frozen=True)
class WholeContext:
    """``lc`` sends all of the context, ``oracle`` the chunks with needles (and noise), or nothing at all."""

    name: str
    description: str
    noise: float | None = None

    def __str__(self) -> str:
        return f"{self.name}{_noise_suffix(self.noise)}"


@dataclass(frozen=True)
class RetrievalPlan:
    """Retriever x scope x order, over chunks; a share of noise, or tokens of best sentences, behind it."""

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
        return _noise_suffix(self.noise) if self.sentences is None else f"+sentences-{self.sentences}"

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


def _noise_suffix(noise: float | None) -> str:
    """How a share of noise stands at the end of a name; "" for none."""
    return "" if noise is None else f"+noise-{noise:g}"
