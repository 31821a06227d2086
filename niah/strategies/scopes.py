"""How much of a context is retrieved.

A package adds one with an entry point of the group ``niah.scopes`` that names a ``ScopeKind``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from niah.plugins.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ScopeRequest:
    """What a scope that counts chunks may go by.

    Attributes:
        size: the number in its name; 0 where there is none.
        needles: how many hold the answer; None where nobody knows.
        scores: of all chunks, the best first; None while a run is planned, when the most is asked for.
    """

    size: int
    needles: int | None
    scores: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class ScopeKind:
    """A kind of scope: it says how many chunks are retrieved, or how many tokens are filled.

    Attributes:
        description: one line for people.
        sized: whether users write a number behind its name, as in top-5.
        chunks: how many of the best chunks; None where tokens are filled.
        tokens: how many tokens, of its size and of the room that a context has (L - P), at most the room;
            None where chunks are counted.
        name: what users write; filled in from the entry point.
    """

    description: str
    sized: bool = False
    chunks: Callable[[ScopeRequest], int] | None = None
    tokens: Callable[[int, int], int] | None = None
    name: str = ""

    @property
    def form(self) -> str:
        """As ``niah list`` writes it: "top-K"."""
        return f"{self.name}-{'N' if self.tokens else 'K'}" if self.sized else self.name


def suggested_chunks(request: ScopeRequest) -> int:
    """5, 10 and 20 chunks for 3, 7 and 15 needles (u-niah, section 4.2).

    round(4k/3) + 1 goes through the first two and close by the third. As for 3 needles where nobody knows.
    """
    if request.needles is None:
        return 5
    return 20 if request.needles == 15 else round(4 * request.needles / 3) + 1


def chunks_before_gap(request: ScopeRequest) -> int:
    """How many chunks stand before the largest gap between neighbouring scores, the first of equal ones.

    Adaptive-k (arXiv 2506.08479). As there, what gaps there are among the worst tenth of the chunks does not
    count. Without scores, more than any context has.
    """
    if request.scores is None:
        return sys.maxsize
    gaps = request.scores[:-1] - request.scores[1:]
    sought = gaps[: max(1, len(request.scores) * 9 // 10)]
    return int(sought.argmax()) + 1 if len(sought) else len(request.scores)


def _named(name: str, made: object) -> ScopeKind:
    if not isinstance(made, ScopeKind):
        raise TypeError("it is no niah.strategies.scopes.ScopeKind")
    if (made.chunks is None) == (made.tokens is None):
        raise ValueError("it must have either chunks or tokens")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case words with hyphens between them")
    return replace(made, name=name)


SCOPES: Registry[ScopeKind] = Registry(
    "scopes",
    {
        "top": ScopeKind(
            "the K best chunks, or all where there are fewer", sized=True, chunks=lambda asked: asked.size
        ),
        "top-auto": ScopeKind(
            "5, 10 or 20 chunks for 3, 7 or 15 needles, round(4k/3) + 1 for k, 5 for who knows",
            chunks=suggested_chunks,
        ),
        "top-adaptive": ScopeKind(
            "the chunks before the largest gap of scores, worst tenth left out", chunks=chunks_before_gap
        ),
        "budget": ScopeKind(
            "the best whole chunks that fit into N tokens, and into the room; larger windows and passages "
            "are cut at N - 8",
            sized=True,
            tokens=min,
        ),
        "half": ScopeKind(
            "the best whole chunks that fit into half the room that a context has",
            tokens=lambda size, room: room // 2,
        ),
        "full": ScopeKind("the best whole chunks that fit into all of it", tokens=lambda size, room: room),
    },
    _named,
)
