"""A retriever, an order, and two scopes."""

from __future__ import annotations

from collections.abc import Sequence

from niah.strategies.orders import ChunkOrder
from niah.strategies.scopes import ScopeKind, ScopeRequest


class Overlap:
    """Words that question and chunk share."""

    def score(self, query: str, texts: Sequence[str]) -> list[int]:
        asked = set(query.lower().split())
        return [len(asked & set(text.lower().split())) for text in texts]


class Moody:
    """Fails as soon as it is asked."""

    def score(self, query: str, texts: Sequence[str]) -> list[int]:
        raise RuntimeError("not today")


def _outwards(ranking: Sequence[int]) -> list[int]:
    """The best chunk in the middle."""
    return [*ranking[1::2][::-1], *ranking[::2]]


ZIGZAG = ChunkOrder("best in the middle, worst at both ends", _outwards)

THIRD = ScopeKind("a third of the room", tokens=lambda size, room: room // 3)


def _as_good_as_the_best(asked: ScopeRequest) -> int:
    return 10_000 if asked.scores is None else int((asked.scores == asked.scores[0]).sum())


BEST = ScopeKind("all chunks with the best score", chunks=_as_good_as_the_best)
