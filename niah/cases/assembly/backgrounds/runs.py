"""Runs of whole sentences by their number of tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

LONGEST_RUN = 200
"""Tokens that a run before a needle may have at most, unless a single sentence is longer."""

LONGEST_BRIDGE = 2000
"""Tokens that a run may have where a long sentence stands in the needle's way (Sterne writes some of 700)."""

_NONE = np.zeros(0, dtype=np.int64)


class Stretch(NamedTuple):
    """Unbroken haystack text: the pieces first to last - 1."""

    first: int
    last: int


Runs: TypeAlias = list[tuple[int, int]]
"""Runs of one number of tokens by their first pieces and those behind the last, the farthest first."""


@dataclass(frozen=True)
class RunIndex:
    """Runs of whole sentences by their number of tokens.

    Attributes:
        tokens: cumulative, of all pieces.
        firsts, ends: pieces that a run may begin with, and those that it may end before, ascending.
        limit: the piece before which runs end.
    """

    tokens: list[int] = field(repr=False)
    firsts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    limit: int

    def of(self, tokens: int) -> tuple[Integers, Integers]:
        """First pieces and last pieces of the runs with that many tokens, in the order of the corpus."""
        if tokens > LONGEST_RUN:
            return self._long(tokens)
        counts, firsts, lasts = self._by_count
        rows = slice(*np.searchsorted(counts, [tokens, tokens + 1]))
        return firsts[rows], lasts[rows]

    @cached_property
    def _by_count(self) -> tuple[Integers, Integers, Integers]:
        """Token counts, first pieces and last pieces of all short runs, ordered by them."""
        tokens, ends, firsts = self._totals, self._is_end, self._firsts
        lasts, found = firsts + 1, []
        while len(firsts):
            within = lasts < self.limit
            firsts, lasts = firsts[within], lasts[within]
            short = tokens[lasts] - tokens[firsts] <= LONGEST_RUN
            firsts, lasts = firsts[short], lasts[short]
            found.append((firsts[ends[lasts]], lasts[ends[lasts]]))
            lasts = lasts + 1
        starts, stops = (np.concatenate(side) for side in zip(*found, (_NONE, _NONE), strict=True))
        counts = tokens[stops] - tokens[starts]
        order = np.lexsort((stops, starts, counts))
        return counts[order], starts[order], stops[order]

    def _long(self, tokens: int) -> tuple[Integers, Integers]:
        wanted = self._totals[self._firsts] + tokens
        lasts = np.searchsorted(self._totals, wanted)
        within = np.flatnonzero(lasts < self.limit)
        lasts, wanted = lasts[within], wanted[within]
        exact = self._is_end[lasts] & (self._totals[lasts] == wanted)
        return self._firsts[within][exact], lasts[exact]

    @cached_property
    def _totals(self) -> Integers:
        return np.array(self.tokens)

    @cached_property
    def _firsts(self) -> Integers:
        return np.array(self.firsts, dtype=np.int64)

    @cached_property
    def _is_end(self) -> Flags:
        """Flags per piece: a run may end before it."""
        flags = np.zeros(self.limit + 1, dtype=bool)
        flags[self.ends] = True
        return flags


def farthest_first(firsts: Integers, lasts: Integers) -> Runs:
    """Runs by their first pieces and those behind the last, given in the order of the corpus."""
    return list(zip(firsts[::-1].tolist(), lasts[::-1].tolist(), strict=True))
