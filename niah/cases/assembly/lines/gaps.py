"""Gaps between inserts, filled from tables: background, and where that is short a run of other text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import LONGEST_BRIDGE, Runs
from niah.cases.assembly.rendering import HaystackUse, haystack_use

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
        opening: what the background's first piece costs more where it stands than inside the haystack.
    """

    def __init__(
        self,
        background: Background,
        haystack_tokens: int,
        stops: Sequence[int],
        stop_tokens: Sequence[int],
        opening: int = 0,
    ) -> None:
        self.gaps: list[FilledGap] = []
        self._background = background
        self._tokens = background.corpus.tokens
        self._stops, self._stop_tokens = stops, stop_tokens
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)
        self._cursor = self._placed = self._closing = 0
        self._laid = -opening
        """Haystack tokens before the cursor where it stands in the haystack."""
        self._used = bytearray(background.corpus.size)
        self._pending: dict[int, Iterator[LineRun]] = {}

    def insert(
        self, starts: Sequence[int], own: Sequence[int], extras: Sequence[int], closing: int = 0
    ) -> None:
        """Leave a gap before each insert, so that ``starts`` tokens stand before it. Raises NoPlan.

        A gap holds background to a sentence's or line's end, and a run behind it where that is short.

        Args:
            starts: tokens of the context before each insert, ascending.
            own: tokens of each.
            extras: what joints before each cost more than between sentences.
            closing: what the last one's end costs more.
        """
        tokens, stops, stop_tokens = self._tokens, self._stops, self._stop_tokens
        gaps, take = self.gaps, self._take
        cursor, laid, placed = 0, self._laid, 0
        for start, its_own, extra in zip(starts, own, extras, strict=True):
            wanted, placed = start - placed, start + its_own
            if not start:
                gaps.append((0, ()))
                continue
            if wanted <= 0 or wanted + extra <= 0:
                raise NoPlan
            target, longest = laid + wanted, LONGEST_BRIDGE - extra
            at = bisect_right(stop_tokens, target)
            runs: tuple[LineRun, ...] | None = None
            while runs is None:
                at -= 1
                piece = max(stops[at], cursor) if at >= 0 else cursor
                rest = target - tokens[piece] if piece > cursor else wanted
                if not rest:
                    runs = ()
                elif rest <= longest:
                    runs = take(rest)
                if runs is None and (rest > longest or piece == cursor):
                    self._cursor = cursor
                    piece, runs = self._other_gap(target)
            if not piece:
                raise NoPlan  # the context would not begin with what P was reckoned with
            if piece > cursor:
                cursor, laid = piece, tokens[piece]
            gaps.append((piece, runs))
        self._cursor, self._laid, self._placed, self._closing = cursor, laid, placed, closing

    def _take(self, tokens: int) -> tuple[LineRun, ...] | None:
        """The farthest run of so many tokens that is left, from now on used; None where none is."""
        used, reach = self._used, self._reach
        pending = self._pending.get(tokens)
        if pending is None:
            pending = self._pending[tokens] = iter(self._runs_of(tokens))
        for run in pending:  # those passed over are used, or out of reach, from now on
            first, last = run
            if first < reach:
                return None
            if used.find(1, first, last) < 0:
                used[first:last] = USED[: last - first]
                return (run,)
        return None

    @abstractmethod
    def close(self, tokens: int) -> None:
        """Lay haystack text until the context has that many tokens. Raises NoPlan."""

    @abstractmethod
    def _runs_of(self, tokens: int) -> Runs:
        """Runs of so many tokens, the farthest first."""

    def _other_gap(self, target: int) -> FilledGap:
        """One that comes to so many tokens of background by other ways, its runs used. Raises NoPlan."""
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

    def _use(self, runs: Sequence[LineRun]) -> None:
        for first, last in runs:
            self._used[first:last] = USED[: last - first]

    def _lay_last(self, piece: int, runs: tuple[LineRun, ...]) -> None:
        if not piece:
            raise NoPlan
        self._cursor = max(piece, self._cursor)
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


def use_in_gaps(background: Background, gaps: Sequence[FilledGap]) -> HaystackUse:
    """What a context with these gaps says of its haystack."""
    if background.omissions:
        return haystack_use(background, haystack_runs(gaps))
    if background.corpus.size <= background.base_size:
        return HaystackUse()
    cursor = max(piece for piece, _ in gaps)
    return haystack_use(background, [(0, cursor), *chain.from_iterable([runs for _, runs in gaps])])
