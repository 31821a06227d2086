"""The plan of a context of lines, where nothing has to be measured.

A token border stands at every line's end, so that what a line costs does not depend on those beside it:
counts add up, and what the search of ``ContextLayout`` would come to first is found in tables. The segments
are the same. Where a line is no such line, or that search would do something unusual, there is no plan here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from niah.cases.assembly.background import LONGEST_BRIDGE, Background, Stretch
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.layout import EXTRAS, MOST_EXTRA, MOST_RUNS, ContextSegment
from niah.cases.assembly.lines.line_costs import LineCosts


class NoLines(Exception):
    """The context cannot be laid out as lines."""


class LineLayout:
    """A context of lines being laid out, from its first token on.

    Args:
        background: where haystack lines come from.
        haystack_tokens: H.
        ending: what the line before a piece costs more where the context ends with it; None where P would be
            another one.
    """

    def __init__(
        self, background: Background, haystack_tokens: int, ending: Callable[[int], int | None]
    ) -> None:
        self.segments: list[ContextSegment] = []
        self._background = background
        self._tokens = background.corpus.tokens
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)
        self._ending = ending
        self._cursor = self._placed = self._closing = 0
        self._used: set[int] = set()
        self._next: dict[int, Iterator[Stretch]] = {}

    def insert(self, unit: Insert, costs: LineCosts, start: int) -> None:
        """Put a unit in, with ``start`` tokens before it. Raises NoLines."""
        wanted, extra = start - self._placed, self._closing + costs.opening
        if self.segments or wanted:
            if min(wanted, wanted + extra) <= 0 or extra not in EXTRAS:
                raise NoLines
            self._lay(*self._pieces_of(wanted, extra))
        self.segments.append(unit)
        self._placed, self._closing = start + costs.tokens, costs.closing

    def close(self, tokens: int) -> None:
        """Lay lines until the context has that many tokens. Raises NoLines."""
        wanted = tokens - self._placed
        if min(wanted, wanted + self._closing) <= 0:
            raise NoLines
        self._lay(*self._last_pieces_of(wanted))

    def _pieces_of(self, wanted: int, extra: int) -> tuple[int, Stretch | None]:
        """Where the background stops, and the run behind it, for exactly so many tokens.

        ``extra`` is what joints cost next to what insert and lines cost apart: the search ends by that sum.
        """
        tokens, cursor = self._tokens, self._cursor
        target = tokens[cursor] + wanted
        for piece in range(bisect_right(tokens, target) - 1, cursor - 1, -1):
            rest = target - tokens[piece]
            if rest + extra > LONGEST_BRIDGE:
                break
            if not rest:
                return piece, None
            if rest not in self._next:
                self._next[rest] = self._unused(rest)
            for run in self._next[rest]:
                return piece, run
        raise NoLines

    def _last_pieces_of(self, wanted: int) -> tuple[int, Stretch | None]:
        """The same for the context's end, where the last line has no end of its own."""
        tokens, cursor = self._tokens, self._cursor
        target = tokens[cursor] + wanted
        last = min(bisect_right(tokens, target + self._closing + MOST_EXTRA), len(tokens)) - 1
        for piece in range(last, cursor - 1, -1):
            rest = target - tokens[piece]
            if rest + self._closing > LONGEST_BRIDGE:
                break
            if piece > cursor and abs(rest + self._closing) <= MOST_EXTRA and self._ending(piece) == rest:
                return piece, None
            for ending in self._usual_ending(rest):
                for run in islice(self._unused(rest - ending), MOST_RUNS):
                    if self._ending(run.last) == ending:
                        return piece, run
        raise NoLines

    def _usual_ending(self, rest: int) -> Sequence[int]:
        """What the first run that there is costs more at the context's end; it tells for the others."""
        for extra in EXTRAS:
            for run in self._unused(rest + self._closing - extra):
                ending = self._ending(run.last)
                return () if ending is None or ending + self._closing not in EXTRAS else (ending,)
        return ()

    def _unused(self, tokens: int) -> Iterator[Stretch]:
        """Runs of so many tokens that this context has not used, the farthest first."""
        if tokens <= 0:
            return
        found, used, reach = self._background.runs_anywhere(tokens), self._used, self._reach
        for first, last in zip(reversed(found.firsts), reversed(found.lasts), strict=True):
            if first < reach:
                return
            if used.isdisjoint(range(first, last)):
                yield Stretch(first, last)

    def _lay(self, piece: int, run: Stretch | None) -> None:
        if piece > self._cursor:
            self._check_border(piece)
            self.segments.append(Stretch(self._cursor, piece))
            self._cursor = piece
        elif not piece:
            raise NoLines  # the context would not begin with what P was reckoned with
        if run is not None:
            self._check_border(run.first)
            self._check_border(run.last)
            self._used.update(range(*run))
            self.segments.append(run)

    def _check_border(self, piece: int) -> None:
        if piece in self._background.other_joints:
            raise NoLines
