"""The plan of a context: which haystack runs and inserts follow one another.

Exact mode: the background runs on unbroken until shortly before a needle; there one seam, to a short
run from the corpus' far end, makes the count come out. After the needle the background goes on where
it stopped, so that cases of other depths and lengths share it. Contiguous mode has no seams.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from niah.cases.assembly.background import LONGEST_BRIDGE, LONGEST_RUN, Background, Boundaries, Stretch
from niah.cases.assembly.insertion_points import LEAST_GAP, NO_ROOM_FOR_DISTRACTORS, InsertionPoint
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.token_merges import TokenMerges
from niah.errors import CaseError

ContextSegment = Stretch | Insert


class ContextLayout:
    """A context being laid out.

    ``placed`` counts the haystack tokens so far; ``reach`` is the first piece that the background, even
    unbroken, cannot come to: runs are taken from there on, unless the background repeats itself anyway.

    Args:
        background: where haystack text comes from.
        boundaries: where it may be interrupted.
        haystack_tokens: H.
        seed: chooses among equal runs.
        joints: checks joints where the tokenizer needs it.
    """

    def __init__(
        self,
        background: Background,
        boundaries: Boundaries,
        haystack_tokens: int,
        seed: int,
        joints: TokenMerges | None = None,
    ) -> None:
        self.background = background
        self.haystack_tokens = haystack_tokens
        self.segments: list[ContextSegment] = []
        self.cursor = 0
        self.placed = 0
        self._corpus = background.corpus
        self._tokens = background.corpus.tokens
        self._boundaries = boundaries
        self._seed = seed
        self._joints = joints
        self._runs_used: list[Stretch] = []
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)

    def insert(self, stop: InsertionPoint) -> None:
        """Put a stop's inserts here."""
        self.segments += stop.inserts
        for number, item in enumerate(stop.inserts):
            if number != stop.unit:
                self.placed += item.tokens

    def go_to(self, position: int, following: InsertionPoint | None = None) -> None:
        """Lay haystack text until exactly ``position`` haystack tokens stand; to the end without it.

        Raises CaseError.
        """
        wanted = position - self.placed
        if not wanted:
            return
        if wanted < 0:
            raise CaseError(
                "the text so far is too long.",
                "Ask for fewer distractors or a greater context length.",
                NO_ROOM_FOR_DISTRACTORS,
            )
        limit = self._tokens[self.cursor] + wanted
        for longest in (LONGEST_RUN, LONGEST_BRIDGE):
            for piece in self._stops(limit, longest):
                rest = limit - self._tokens[piece]
                if not rest:
                    if self._may_stop(piece, following):
                        self._lay(Stretch(self.cursor, piece))
                        return
                elif run := self._find_run(piece, rest, following):
                    self._lay(Stretch(self.cursor, piece))
                    self._runs_used.append(run)
                    self._lay_run(run)
                    return
        raise CaseError(
            f"no whole sentences of the haystack add up to the {wanted} tokens before position {position}.",
            "Ask for another depth or a greater context length, or use mode: contiguous.",
            "no whole sentences add up",
        )

    def go_near(self, position: int, following: InsertionPoint) -> None:
        """Lay haystack text up to the last sentence boundary at or before ``position`` haystack tokens."""
        limit = self._tokens[self.cursor] + position - self.placed
        for at in range(bisect_right(self._boundaries.tokens, limit) - 1, -1, -1):
            piece = self._boundaries.pieces[at]
            if piece <= self.cursor:
                return
            if self._may_stop(piece, following):
                self._lay(Stretch(self.cursor, piece))
                return

    def go_to_end(self) -> None:
        """Lay haystack text up to the last plain sentence end within the haystack's room, unbroken."""
        limit = self._tokens[self.cursor] + self.haystack_tokens - self.placed
        for piece in self._stops(limit, LONGEST_BRIDGE):
            if self._may_stop(piece, None):
                self._lay(Stretch(self.cursor, piece))
                return

    def _stops(self, limit: int, longest: int) -> Iterator[int]:
        """Boundaries from the last within ``limit`` back, as far as a run of ``longest`` tokens bridges."""
        pieces, tokens, cursor = self._boundaries.pieces, self._boundaries.tokens, self.cursor
        for at in range(bisect_right(tokens, limit) - 1, -1, -1):
            piece = pieces[at]
            if piece <= cursor or limit - tokens[at] > longest:
                break
            yield piece
        if limit - self._tokens[cursor] <= longest:
            yield cursor

    def _may_stop(self, piece: int, following: InsertionPoint | None) -> bool:
        if following is None and not (piece > self.cursor and self._corpus.plain[piece - 1]):
            return False
        return self._joints is None or self._fits(piece, None, following)

    def _find_run(self, piece: int, tokens: int, following: InsertionPoint | None) -> Stretch | None:
        """An unused run of exactly ``tokens`` tokens beyond what this context's background can reach.

        It stands between the background that ends before ``piece`` and what follows.
        """
        found = self.background.runs_of(tokens, is_end=following is None)
        least = bisect_left(found.firsts, self._reach)
        candidates = len(found.firsts) - least
        if not candidates:
            return None
        first_choice = self._seed * 31 + self.placed * 7 + tokens
        begins_context = not self.segments and not piece
        for at in range(candidates):
            choice = least + (first_choice + at) % candidates
            run = Stretch(found.firsts[choice], found.lasts[choice])
            if (
                not (begins_context and not self._corpus.neutral_start[run.first])
                and not any(run.overlaps(used) for used in self._runs_used)
                and (self._joints is None or self._fits(piece, run, following))
            ):
                return run
        return None

    def _fits(self, piece: int, run: Stretch | None, following: InsertionPoint | None) -> bool:
        """Whether all joints fit: background up to ``piece``, then ``run``, then ``following``."""
        assert self._joints is not None
        fit, text = self._joints.fit, self._text_of
        left = text(piece - 1) if piece > self.cursor else self._last_text()
        if run is not None:
            first = text(run.first)
            if not (fit(left, first) if left else self._joints.fit_start(first.strip())):
                return False
            left = text(run.last - 1)
        if following is None:
            return self._joints.fit_end(left.strip())
        return fit(left, following.inserts[0].text) and fit(following.inserts[-1].text, text(piece))

    def _text_of(self, piece: int) -> str:
        return self._corpus.slice(piece, piece + 1) if piece < self._corpus.size else ""

    def _last_text(self) -> str:
        if not self.segments:
            return ""
        last = self.segments[-1]
        return self._text_of(last.last - 1) if isinstance(last, Stretch) else last.text

    def _lay(self, run: Stretch) -> None:
        if run.last > run.first:
            self._lay_run(run)
            self.cursor = run.last

    def _lay_run(self, run: Stretch) -> None:
        self.segments.append(run)
        self.placed += self._tokens[run.last] - self._tokens[run.first]


def lay_out_exactly(layout: ContextLayout, stops: Sequence[InsertionPoint]) -> list[ContextSegment]:
    """Every unit exactly at its position, and exactly ``haystack_tokens`` in all. Raises CaseError."""
    waiting = [stop for stop in stops if stop.unit is None]
    for stop in stops:
        if stop.unit is None:
            break
        if waiting:
            waiting = _place_before(layout, waiting, stop.position)
        layout.go_to(stop.position, stop)
        layout.insert(stop)
    if waiting and _place_before(layout, waiting, layout.haystack_tokens, left=LEAST_GAP):
        raise _no_room_for_distractors()
    layout.go_to(layout.haystack_tokens)
    return layout.segments


def lay_out_contiguously(layout: ContextLayout, stops: Sequence[InsertionPoint]) -> list[ContextSegment]:
    """Every stop at the last boundary before its position, one unbroken passage, never over.

    Raises CaseError.
    """
    for stop in sorted(stops, key=lambda stop: stop.position):
        layout.go_near(stop.position, stop)
        layout.insert(stop)
    if layout.placed > layout.haystack_tokens:
        raise _no_room_for_distractors()
    layout.go_to_end()
    return layout.segments


def _no_room_for_distractors() -> CaseError:
    remedy = "Ask for fewer, or for a greater context length."
    return CaseError("no room for all distractors.", remedy, NO_ROOM_FOR_DISTRACTORS)


def _place_before(
    layout: ContextLayout, waiting: list[InsertionPoint], position: int, left: int = 0
) -> list[InsertionPoint]:
    """Put in the distractors that are due before ``position``; returns those that wait until after it.

    ``left`` haystack tokens at least come between the last of them and ``position``.
    """
    due = [stop for stop in waiting if stop.position < position]
    tokens = [sum(item.tokens for item in stop.inserts) for stop in due]
    late = [
        stop
        for number, stop in enumerate(due)
        if not _place(layout, stop, position - left - sum(tokens[number:]))
    ]
    return late + waiting[len(due) :]


def _place(layout: ContextLayout, stop: InsertionPoint, latest: int) -> bool:
    """Put a distractor near where it is asked, or at ``latest``, from where what follows can be reached."""
    if layout.placed <= stop.position <= latest - LONGEST_RUN // 2:
        layout.go_near(stop.position, stop)
    else:
        try:
            layout.go_to(latest, stop)
        except CaseError:
            return False
    layout.insert(stop)
    return True
