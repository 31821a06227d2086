"""In which order retrieved chunks stand before the question.

A package adds one with an entry point of the group ``niah.orders`` that names a ``ChunkOrder``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from niah.plugins.registry import Registry


@dataclass(frozen=True)
class ChunkOrder:
    """An order of retrieved chunks.

    Attributes:
        description: one line for people.
        arrange: from the chunks' numbers, best first, to the same in prompt order. A chunk's number is its
            place in the context.
        best: where the best chunk stands: "first" is farthest from the question, "last" next to it; "" is
            neither.
        keeps_places: whether chunks stand as in the context; those that follow each other are joined.
        name: what users write; filled in from the entry point.
    """

    description: str
    arrange: Callable[[Sequence[int]], Sequence[int]]
    best: Literal["first", "last", ""] = ""
    keeps_places: bool = False
    name: str = ""


def _named(name: str, made: object) -> ChunkOrder:
    if not isinstance(made, ChunkOrder):
        raise TypeError("it is no niah.strategies.orders.ChunkOrder")
    if "/" in name or "@" in name or "+" in name:
        raise ValueError(f"{name!r} has a sign that divides the parts of a strategy")
    return replace(made, name=name)


def _as_ranked(ranking: Sequence[int]) -> Sequence[int]:
    return ranking


def _reversed(ranking: Sequence[int]) -> Sequence[int]:
    return ranking[::-1]


def _at_both_ends(ranking: Sequence[int]) -> Sequence[int]:
    """Ranks 1 3 5 ... 6 4 2."""
    return [*ranking[::2], *ranking[1::2][::-1]]


ORDERS: Registry[ChunkOrder] = Registry(
    "orders",
    {
        "norm": ChunkOrder("best first", _as_ranked, best="first"),
        "reverse": ChunkOrder("best last, next to the question", _reversed, best="last"),
        "document": ChunkOrder("as they stand in the context", sorted, keeps_places=True),
        "sides": ChunkOrder("best at both ends, worst in the middle", _at_both_ends),
    },
    _named,
)
