"""A retriever, a reranker, a way to cut, two strategies, an order, and two scopes; and some that fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from niah.plugins import ChunkerKind, ChunkOrder, Preset, ScopeKind, ScopeRequest, SelectionRequest


class Overlap:
    """Words that question and chunk share."""

    def score(self, query: str, texts: Sequence[str]) -> list[int]:
        asked = set(query.lower().split())
        return [len(asked & set(text.lower().split())) for text in texts]


class Moody:
    """Fails as soon as it is asked."""

    def score(self, query: str, texts: Sequence[str]) -> list[int]:
        raise RuntimeError("not today")


class Longest:
    """The longer the better."""

    def score(self, query: str, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


def _paragraphs(text: str, starts: NDArray[np.int64], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """What stands between blank lines, cut where it has more than ``size`` tokens."""
    borders = [*starts.tolist(), len(text)]
    for paragraph in re.finditer(r"\S(?:.|\n(?!\n))*", text):
        start, end = paragraph.span()
        inside = [border for border in borders if start < border < end]
        cuts = [start, *inside[size - 2 :: size - 1], end]
        yield from pairwise(cuts)


PARAGRAPHS = ChunkerKind("paragraphs of at most N tokens", _paragraphs, size=300, sized=True)

BOASTFUL = ChunkerKind("all in one chunk", lambda text, starts, size, overlap: [(0, len(text))], size=5)

QUICK_BM25 = Preset("bm25/top-3/document@100", "three passages by words")


def last_half(request: SelectionRequest) -> str:
    """The second half of the text."""
    text = request.text[len(request.text) // 2 :]
    return text[text.find(" ") + 1 :]


def wordy(request: SelectionRequest) -> list[str]:
    """More than there is room for."""
    return ["word " * (request.room + 9)]


def _outwards(ranking: Sequence[int]) -> list[int]:
    """The best chunk in the middle."""
    return [*ranking[1::2][::-1], *ranking[::2]]


ZIGZAG = ChunkOrder("best in the middle, worst at both ends", _outwards)

THIRD = ScopeKind("a third of the room", tokens=lambda size, room: room // 3)


def _as_good_as_the_best(asked: ScopeRequest) -> int:
    return 10_000 if asked.scores is None else int((asked.scores == asked.scores[0]).sum())


BEST = ScopeKind("all chunks with the best score", chunks=_as_good_as_the_best)
