"""The search for haystack text of exactly so many tokens: where the background stops, and which runs follow.

The background runs on unbroken until shortly before what follows; there one seam, to a short run from the
corpus' far end, makes the count come out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from niah.cases.assembly.backgrounds.background import Boundaries
from niah.cases.assembly.backgrounds.runs import LONGEST_BRIDGE, LONGEST_RUN, Stretch
from niah.cases.assembly.insertion_points import InsertionPoint
from niah.cases.assembly.layout.laid_text import LaidText
from niah.cases.assembly.layout.next_joints import NextJoints
from niah.cases.assembly.layout.search_limits import EXTRAS, FAR_ENOUGH, MOST_EXTRA, MOST_TRIES
from niah.cases.assembly.layout.unused_runs import UnusedRuns


class ExactSearch:
    """Lays exactly as many tokens as are asked for behind a text, where there is a way to.

    Args:
        text: as far as it is laid.
        joints: what the next ones would cost.
        boundaries: where the background may be interrupted without changing a count.
        runs: those that may follow it.
        two_runs: whether two runs may stand where one does not come out, whatever joints cost.
    """

    def __init__(
        self, text: LaidText, joints: NextJoints, boundaries: Boundaries, runs: UnusedRuns, *, two_runs: bool
    ) -> None:
        self._text = text
        self._corpus = text.corpus
        self._tokens = text.tokens
        self._joints = joints
        self._boundaries = boundaries
        self._runs = runs
        self._two_runs = two_runs
        self._to_pass = 0

    def lay(self, wanted: int, following: InsertionPoint | None, passed_over: int) -> bool:
        """Lay exactly ``wanted`` tokens; False where no way comes out.

        Args:
            wanted: how many.
            following: what is put in behind them; None where the context ends.
            passed_over: of the ways that come out exactly, how many are passed over.
        """
        self._to_pass = passed_over
        return (
            self._lay_neutrally(wanted, following)
            or self._lay_two_runs(wanted, following)
            or self._lay_measured(wanted, following)
            or (self._two_runs and self._lay_measured_behind_run(wanted, following))
        )

    def _lay_neutrally(self, wanted: int, following: InsertionPoint | None) -> bool:
        """Lay exactly ``wanted`` tokens, interrupted where that changes no count; False where none do."""
        onward, cursor, tokens = self._joints.onward(), self._text.cursor, self._tokens
        limit = tokens[cursor] + wanted - onward
        for longest in (LONGEST_RUN, LONGEST_BRIDGE):
            for piece in self._stops(limit, longest):
                rest = limit - tokens[piece] if piece > cursor else wanted
                if not rest:
                    if self._joints.may_stop(piece, following) and self._takes_it():
                        self._text.lay_onward(piece, None, onward)
                        return True
                elif run := self._find_run(piece, rest, following):
                    self._text.lay_onward(piece, run, onward)
                    return True
        return False

    def _lay_two_runs(self, wanted: int, following: InsertionPoint | None) -> bool:
        """The same by two runs, for haystacks whose sentences have few different numbers of tokens.

        Only where no joint costs anything.
        """
        text = self._text
        if not text.additive or self._joints.onward() or text.measured or text.opening:
            return False
        limit = self._tokens[text.cursor] + wanted
        for piece in self._stops(limit, FAR_ENOUGH):
            rest = limit - self._tokens[piece] if piece > text.cursor else wanted
            for first in range(1, rest if piece else 0):
                one = next(self._runs.among(text.background.runs_of(first, is_end=False)), None)
                if one is None:
                    continue
                text.pieces_used.update(range(*one))
                if other := self._find_run(piece, rest - first, following):
                    text.lay(piece, None)
                    text.lay_run(one)
                    text.lay(text.cursor, other)
                    return True
                text.pieces_used.difference_update(range(*one))
        return False

    def _lay_measured(self, wanted: int, following: InsertionPoint | None) -> bool:
        """Lay exactly ``wanted`` tokens, interrupted at any sentence, whatever the joints cost."""
        to_pass = self._to_pass
        if self._corpus.structure == "lines" and self._lay_measured_by(self._first_extra, wanted, following):
            return True  # lines cost the same behind each other, so that one run tells for all
        self._to_pass = to_pass
        return self._lay_measured_by(lambda *_: EXTRAS, wanted, following)

    def _lay_measured_behind_run(self, wanted: int, following: InsertionPoint | None) -> bool:
        """The same behind a run, short ones first, for haystacks of few different numbers of tokens."""
        text = self._text
        if not text.segments:
            return False
        measured, placed = text.measured, text.placed
        for tokens in range(1, min(wanted, LONGEST_RUN + 1)):
            for run in islice(self._runs.anywhere(tokens), 1):
                extra = self._joints.onto(text.end(), text.held, run.first)
                if extra is None:
                    continue
                text.lay(text.cursor, run, extra, measured=True)
                if self._lay_measured(wanted - tokens - extra, following):
                    return True
                text.take_back(run, placed=placed, measured=measured)
        return False

    def _lay_measured_by(
        self,
        extras_of: Callable[[int, int, InsertionPoint | None], Sequence[int]],
        wanted: int,
        following: InsertionPoint | None,
    ) -> bool:
        """The same where joints cost what ``extras_of`` says: of a piece, and the tokens from there."""
        text, tries = self._text, MOST_TRIES
        for longest in (LONGEST_RUN, LONGEST_BRIDGE):
            for piece in self._stops_anywhere(wanted, longest):
                rest = wanted - self._tokens[piece] + self._tokens[text.cursor]
                if piece > text.cursor and abs(rest) <= MOST_EXTRA:
                    extra = self._joints.cost(piece, None, following)
                    if extra == rest and self._takes_it():
                        text.lay(piece, None, extra, measured=True)
                        return True
                for extra in extras_of(piece, rest, following):
                    for run in self._runs.anywhere(rest - extra):
                        tries -= 1
                        if self._joints.cost(piece, run, following) == extra and self._takes_it():
                            text.lay(piece, run, extra, measured=True)
                            return True
                    if tries < 0:
                        return False
        return False

    def _first_extra(self, piece: int, rest: int, following: InsertionPoint | None) -> Sequence[int]:
        """What joints cost with the first run that there is, where a joint is known to cost anything."""
        for extra in EXTRAS:
            for run in self._runs.anywhere(rest - extra):
                cost = self._joints.cost(piece, run, following)
                return (cost,) if cost in EXTRAS else ()
        return ()

    def _takes_it(self) -> bool:
        """Whether a way that comes out exactly is taken, not passed over."""
        self._to_pass -= 1
        return self._to_pass < 0

    def _stops(self, limit: int, longest: int) -> Iterator[int]:
        """Boundaries from the last within ``limit`` back, as far as a run of ``longest`` tokens bridges."""
        pieces, tokens, cursor = self._boundaries.pieces, self._boundaries.tokens, self._text.cursor
        for at in range(bisect_right(tokens, limit) - 1, -1, -1):
            piece = pieces[at]
            if piece <= cursor or limit - tokens[at] > longest:
                break
            yield piece
        if limit - self._tokens[cursor] <= longest:
            yield cursor

    def _stops_anywhere(self, wanted: int, longest: int) -> Iterator[int]:
        """The same of all pieces, from a little behind ``wanted`` tokens, since a joint may save some."""
        limit, cursor = self._tokens[self._text.cursor] + wanted, self._text.cursor
        last = min(bisect_right(self._tokens, limit + MOST_EXTRA) - 1, self._corpus.size)
        for piece in range(last, cursor - 1, -1):
            if limit - self._tokens[piece] > longest:
                break
            yield piece

    def _find_run(self, piece: int, tokens: int, following: InsertionPoint | None) -> Stretch | None:
        """An unused run of exactly ``tokens`` tokens beyond what this context's background can reach.

        It stands between the background that ends before ``piece`` and what follows.
        """
        begins_context = not self._text.segments and not piece
        found = self._text.background.runs_of(tokens, is_end=following is None)
        for run in self._runs.among(found):
            if (
                not (begins_context and not self._corpus.neutral_start[run.first])
                and (self._text.additive or self._joints.fits(piece, run, following))
                and self._takes_it()
            ):
                return run
        return None
