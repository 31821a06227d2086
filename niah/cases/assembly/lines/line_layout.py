"""The plan of a context of lines, where nothing has to be measured.

A token border stands at every line's end, so that what a line costs does not depend on those beside it:
counts add up, and what the search of ``ContextLayout`` would come to first is found in tables. The segments
are the same. Where a line is no such line, or that search would do something unusual, there is no plan here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import LONGEST_BRIDGE, LONGEST_RUN, Runs
from niah.cases.assembly.layout.search_limits import EXTRAS, MOST_EXTRA, MOST_RUNS
from niah.cases.assembly.lines.gaps import FilledGap, GapLayout, LineRun, NoPlan


class LineLayout(GapLayout):
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
        tokens = background.corpus.tokens
        super().__init__(background, haystack_tokens, range(len(tokens)), tokens)
        self._ending = ending
        self._two_runs = two_runs
        self._others = background.other_joints

    def close(self, tokens: int) -> None:
        """Lay lines until the context has that many tokens. Raises NoPlan, also where one is no line."""
        wanted = tokens - self._placed
        if min(wanted, wanted + self._closing) <= 0:
            raise NoPlan
        try:
            piece, runs = self._last_pieces_of(wanted)
        except NoPlan:
            if not self._two_runs:
                raise
            piece, runs = self._last_pieces_by_two(wanted)
        self._lay_last(piece, runs)
        stops = [piece for piece, _ in self.gaps if piece]
        if not self._others.isdisjoint(chain(stops, *chain.from_iterable([runs for _, runs in self.gaps]))):
            raise NoPlan

    def _other_gap(self, target: int) -> FilledGap:
        """Two runs, for lines of few different numbers of tokens."""
        tokens, cursor = self._tokens, self._cursor
        for piece in range(bisect_right(tokens, target) - 1, cursor - 1, -1) if self._two_runs else ():
            rest = target - tokens[piece]
            if rest > LONGEST_BRIDGE:
                break
            for part in range(1, min(rest, LONGEST_RUN + 1)):
                for one in islice(self._of(part), 1):
                    others = (run for run in self._of(rest - part) if not _overlap(one, run))
                    if (other := next(others, None)) is not None:
                        self._use((one, other))
                        return piece, (one, other)
        raise NoPlan

    def _last_pieces_of(self, wanted: int) -> FilledGap:
        """Where the background stops, and the runs behind it, for exactly so many tokens at the end.

        The last line has no end of its own.
        """
        tokens, cursor, target = self._tokens, self._cursor, self._laid + wanted
        last = min(bisect_right(tokens, target + self._closing + MOST_EXTRA), len(tokens)) - 1
        for piece in range(last, cursor - 1, -1):
            rest = target - tokens[piece]
            if rest + self._closing > LONGEST_BRIDGE:
                break
            if piece > cursor and abs(rest + self._closing) <= MOST_EXTRA and self._ending(piece) == rest:
                return piece, ()
            for ending in self._usual_ending(rest):
                for run in islice(self._of(rest - ending), MOST_RUNS):
                    if self._ending(run[1]) == ending:
                        return piece, (run,)
        raise NoPlan

    def _last_pieces_by_two(self, wanted: int) -> FilledGap:
        """The same with one run more before the last."""
        for part in range(1, min(wanted, LONGEST_RUN + 1)):
            for first, last in islice(self._of(part), 1):
                self._use([(first, last)])
                with suppress(NoPlan):
                    piece, runs = self._last_pieces_of(wanted - part)
                    if runs:
                        return piece, ((first, last), *runs)
                self._used[first:last] = bytes(last - first)
        raise NoPlan

    def _usual_ending(self, rest: int) -> Sequence[int]:
        """What the first run that there is costs more at the context's end; it tells for the others."""
        for extra in EXTRAS:
            for run in self._of(rest + self._closing - extra):
                ending = self._ending(run[1])
                return () if ending is None or ending + self._closing not in EXTRAS else (ending,)
        return ()

    def _of(self, tokens: int) -> Iterator[LineRun]:
        """Runs of so many tokens that this context has not used, the farthest first."""
        return self._unused(self._runs_of(tokens)) if tokens > 0 else iter(())

    def _runs_of(self, tokens: int) -> Runs:
        return self._background.runs_anywhere(tokens)


def _overlap(one: LineRun, other: LineRun) -> bool:
    return one[0] < other[1] and other[0] < one[1]
