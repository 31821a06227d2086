"""Gaps between inserts, filled from tables: background, and where that is short a run of other text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from niah.cases.assembly.background import LONGEST_BRIDGE, Background, Runs
from niah.cases.assembly.layout import EXTRAS
from niah.cases.assembly.lines.line_costs import LineCosts

LineRun: TypeAlias = tuple[int, int]
"""Haystack text by its first piece and the one behind its last."""
FilledGap: TypeAlias = tuple[int, tuple[LineRun, ...]]
"""What stands before an insert, or the end: the piece that the background goes on to, and runs behind it."""

USED = bytes([1]) * (LONGEST_BRIDGE + 1)


class NoPlan(Exception):
    """The context cannot be laid out from tables."""


class GapLayout(ABC):
    """A context being laid out, from its first token on, as the search of ``ContextLayout`` would do it.

    Args:
        background: where haystack text comes from.
        haystack_tokens: H.
        stops: pieces before which the background may stop, ascending.
        stop_tokens: haystack tokens before each of them.
    """

    def __init__(
        self, background: Background, haystack_tokens: int, stops: Sequence[int], stop_tokens: Sequence[int]
    ) -> None:
        self.gaps: list[FilledGap] = []
        self._background = background
        self._tokens = background.corpus.tokens
        self._stops, self._stop_tokens = stops, stop_tokens
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)
        self._cursor = self._placed = self._closing = 0
        self._used = bytearray(background.corpus.size)
        self._next: dict[int, Iterator[LineRun]] = {}

    def insert(self, costs: Sequence[LineCosts], starts: Sequence[int]) -> None:
        """Leave a gap before each insert, so that ``starts`` tokens stand before it. Raises NoPlan.

        A gap holds background to a sentence's or line's end, and a run behind it where that is short.
        """
        tokens, gaps, placed, closing = self._tokens, self.gaps, 0, 0
        for (own, opening, own_closing), start in zip(costs, starts, strict=True):
            wanted, extra = start - placed, closing + opening
            placed, closing = start + own, own_closing
            if not wanted and not gaps:
                gaps.append((0, ()))
                continue
            if wanted <= 0 or wanted + extra <= 0 or extra not in EXTRAS:
                raise NoPlan
            target = tokens[self._cursor] + wanted
            gap = self._gap(target, target + extra - LONGEST_BRIDGE)  # by what joints cost, too
            self._lay(*(gap or self._other_gap(target)))
        self._placed, self._closing = placed, closing

    def _gap(self, target: int, least: int) -> FilledGap | None:
        """The first that comes to ``target`` tokens of background, which stops at ``least`` or later."""
        tokens, stops, cursor, found = self._tokens, self._stops, self._cursor, self._next
        at = bisect_right(self._stop_tokens, target) - 1
        while True:
            piece = max(stops[at], cursor) if at >= 0 else cursor
            if tokens[piece] < least:
                return None
            rest = target - tokens[piece]
            if not rest:
                return piece, ()
            if rest not in found:
                found[rest] = self._unused(self._runs_of(rest))
            run = next(found[rest], None)  # those passed over are used, or out of reach, from now on
            if run is not None:
                return piece, (run,)
            if piece == cursor:
                return None
            at -= 1

    @abstractmethod
    def close(self, tokens: int) -> None:
        """Lay haystack text until the context has that many tokens. Raises NoPlan."""

    @abstractmethod
    def _runs_of(self, tokens: int) -> Runs:
        """Runs of so many tokens, the farthest first."""

    def _other_gap(self, target: int) -> FilledGap:
        """One that comes to so many tokens of background by other ways. Raises NoPlan."""
        raise NoPlan

    def _unused(self, runs: Runs) -> Iterator[LineRun]:
        """Those that this context has not used."""
        used, reach = self._used, self._reach
        for run in runs:
            first, last = run
            if first < reach:
                return
            if used.find(1, first, last) < 0:
                yield run

    def _lay(self, piece: int, runs: tuple[LineRun, ...]) -> None:
        if piece > self._cursor:
            self._cursor = piece
        elif not piece:
            raise NoPlan  # the context would not begin with what P was reckoned with
        for first, last in runs:
            self._used[first:last] = USED[: last - first]
        self.gaps.append((piece, runs))


def haystack_runs(gaps: Sequence[FilledGap]) -> list[LineRun]:
    """The haystack text of a context with these gaps, in the order of the text."""
    found, cursor = list[LineRun](), 0
    for piece, runs in gaps:
        if piece > cursor:
            found.append((cursor, piece))
            cursor = piece
        found += runs
    return found
