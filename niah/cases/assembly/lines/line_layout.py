"""The plan of a context of lines, where nothing has to be measured.

A token border stands at every line's end, so that what a line costs does not depend on those beside it:
counts add up, and what the search of ``ContextLayout`` would come to first is found in tables. The segments
are the same. Where a line is no such line, or that search would do something unusual, there is no plan here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TypeAlias

from niah.cases.assembly.background import LONGEST_BRIDGE, LONGEST_RUN, Background
from niah.cases.assembly.layout import EXTRAS, MOST_EXTRA, MOST_RUNS
from niah.cases.assembly.lines.line_costs import LineCosts

Run: TypeAlias = tuple[int, int]
"""Haystack text by its first piece and the one behind its last."""
Gap: TypeAlias = tuple[int, tuple[Run, ...]]
"""What stands before an insert, or the end: the piece that the background goes on to, and runs behind it."""

_USED = bytes([1]) * (LONGEST_BRIDGE + 1)


class NoLines(Exception):
    """The context cannot be laid out as lines."""


class LineLayout:
    """A context of lines being laid out, from its first token on.

    Args:
        background: where haystack lines come from.
        haystack_tokens: H.
        ending: what the line before a piece costs more where the context ends with it; None where P would be
            another one.
        two_runs: whether two runs may stand where one does not come out.
    """

    def __init__(
        self,
        background: Background,
        haystack_tokens: int,
        ending: Callable[[int], int | None],
        *,
        two_runs: bool = False,
    ) -> None:
        self.gaps: list[Gap] = []
        self._background = background
        self._tokens = background.corpus.tokens
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)
        self._ending = ending
        self._two_runs = two_runs
        self._others = background.other_joints
        self._cursor = self._placed = self._closing = 0
        self._used = bytearray(background.corpus.size)
        self._next: dict[int, Iterator[Run]] = {}

    def insert(self, costs: Sequence[LineCosts], starts: Sequence[int]) -> None:
        """Leave a gap before each insert, so that ``starts`` tokens stand before it. Raises NoLines.

        A gap holds background to a line's end, and a run behind it where that is short.
        """
        tokens, found = self._tokens, self._next
        gaps, cursor, placed, closing = self.gaps, 0, 0, 0
        for (own, opening, own_closing), start in zip(costs, starts, strict=True):
            wanted, extra = start - placed, closing + opening
            placed, closing = start + own, own_closing
            if not wanted and not gaps:
                gaps.append((0, ()))
                continue
            if wanted <= 0 or wanted + extra <= 0 or extra not in EXTRAS:
                raise NoLines
            target = tokens[cursor] + wanted
            least = target + extra - LONGEST_BRIDGE  # the search ends by what joints cost, too
            piece = bisect_right(tokens, target, cursor) - 1
            while True:
                if piece < cursor or tokens[piece] < least:
                    self._fill_by_two(wanted)
                    break
                rest = target - tokens[piece]
                if not rest:
                    self._lay(piece, ())
                    break
                if rest not in found:
                    found[rest] = self._unused(rest)
                run = next(found[rest], None)  # those passed over are used, or out of reach, from now on
                if run is not None:
                    self._lay(piece, (run,))
                    break
                piece -= 1
            cursor = self._cursor
        self._placed, self._closing = placed, closing

    def close(self, tokens: int) -> None:
        """Lay lines until the context has that many tokens. Raises NoLines."""
        wanted = tokens - self._placed
        if min(wanted, wanted + self._closing) <= 0:
            raise NoLines
        try:
            piece, runs = self._last_pieces_of(wanted)
        except NoLines:
            if not self._two_runs:
                raise
            piece, runs = self._last_pieces_by_two(wanted)
        self._lay(piece, runs)

    def _fill_by_two(self, wanted: int) -> None:
        """Lay so many tokens by two runs, for lines of few different numbers of tokens. Raises NoLines."""
        if not self._two_runs:
            raise NoLines
        tokens, cursor = self._tokens, self._cursor
        target = tokens[cursor] + wanted
        for piece in range(bisect_right(tokens, target) - 1, cursor - 1, -1):
            rest = target - tokens[piece]
            if rest > LONGEST_BRIDGE:
                break
            for part in range(1, min(rest, LONGEST_RUN + 1)):
                one = next(self._unused(part), None)
                if one is not None:
                    others = (run for run in self._unused(rest - part) if not _overlap(one, run))
                    if (other := next(others, None)) is not None:
                        return self._lay(piece, (one, other))
        raise NoLines

    def _last_pieces_of(self, wanted: int) -> Gap:
        """Where the background stops, and the runs behind it, for exactly so many tokens at the end.

        The last line has no end of its own.
        """
        tokens, cursor = self._tokens, self._cursor
        target = tokens[cursor] + wanted
        last = min(bisect_right(tokens, target + self._closing + MOST_EXTRA), len(tokens)) - 1
        for piece in range(last, cursor - 1, -1):
            rest = target - tokens[piece]
            if rest + self._closing > LONGEST_BRIDGE:
                break
            if piece > cursor and abs(rest + self._closing) <= MOST_EXTRA and self._ending(piece) == rest:
                return piece, ()
            for ending in self._usual_ending(rest):
                for run in islice(self._unused(rest - ending), MOST_RUNS):
                    if self._ending(run[1]) == ending:
                        return piece, (run,)
        raise NoLines

    def _last_pieces_by_two(self, wanted: int) -> Gap:
        """The same with one run more before the last."""
        for part in range(1, min(wanted, LONGEST_RUN + 1)):
            for first, last in islice(self._unused(part), 1):
                self._used[first:last] = _USED[: last - first]
                with suppress(NoLines):
                    piece, runs = self._last_pieces_of(wanted - part)
                    if runs:
                        return piece, ((first, last), *runs)
                self._used[first:last] = bytes(last - first)
        raise NoLines

    def _usual_ending(self, rest: int) -> Sequence[int]:
        """What the first run that there is costs more at the context's end; it tells for the others."""
        for extra in EXTRAS:
            for run in self._unused(rest + self._closing - extra):
                ending = self._ending(run[1])
                return () if ending is None or ending + self._closing not in EXTRAS else (ending,)
        return ()

    def _unused(self, tokens: int) -> Iterator[Run]:
        """Runs of so many tokens that this context has not used, the farthest first."""
        if tokens <= 0:
            return
        used, reach = self._used, self._reach
        for run in self._background.runs_anywhere(tokens):
            first, last = run
            if first < reach:
                return
            if used.find(1, first, last) < 0:
                yield run

    def _lay(self, piece: int, runs: tuple[Run, ...]) -> None:
        others = self._others
        if piece > self._cursor:
            if piece in others:
                raise NoLines
            self._cursor = piece
        elif not piece:
            raise NoLines  # the context would not begin with what P was reckoned with
        for first, last in runs:
            if first in others or last in others:
                raise NoLines
            self._used[first:last] = _USED[: last - first]
        self.gaps.append((piece, runs))


def _overlap(one: Run, other: Run) -> bool:
    return one[0] < other[1] and other[0] < one[1]
