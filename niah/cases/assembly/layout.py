"""The plan of a context: which haystack runs and inserts follow one another.

Exact mode: the background runs on unbroken until shortly before a needle; there one seam, to a short
run from the corpus' far end, makes the count come out. After the needle the background goes on where
it stopped, so that cases of other depths and lengths share it. Contiguous mode has no seams.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from operator import sub
from typing import TypeAlias

from niah.cases.assembly.background import (
    LONGEST_BRIDGE,
    LONGEST_RUN,
    Background,
    Boundaries,
    Runs,
    Stretch,
)
from niah.cases.assembly.insertion_points import LEAST_GAP, NO_ROOM_FOR_DISTRACTORS, InsertionPoint
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints.joins import before_insert, before_piece, held_after, trailing_break
from niah.cases.assembly.joints.token_merges import TokenMerges
from niah.errors import CaseError
from niah.haystacks.corpus import Corpus

NO_WHOLE_SENTENCES = "no whole sentences add up"
LONG_LINES_REMEDY = " (Break its long lines.)"

ContextSegment: TypeAlias = Stretch | Insert

# How far the search goes where joints cost something.
EXTRAS = (0, -1, 1, -2, 2, -3, 3, -4, 4)
MOST_EXTRA = 8
MOST_RUNS = 6
_MOST_TRIES = 1500
_FAR_ENOUGH = 60
"""Tokens that two runs may have together where one does not do."""


LINES_REMEDY = (
    " (Where its lines are shorter, or you break it into such, structure: lines ends sentences with lines, "
    "in the suite or in a haystack.yaml beside the text.)"
)


class ContextLayout:
    """A context being laid out.

    ``placed`` counts the haystack tokens so far, with what joints add; ``reach`` is the first piece that the
    background, even unbroken, cannot come to: runs are taken from there on, unless the background repeats
    itself anyway. ``measured`` says whether a joint was used whose cost is not known beforehand, ``opening``
    what the first sentence costs more than inside, where that is known; ``unit_starts`` are the tokens before
    each unit, as reckoned.

    Args:
        background: where haystack text comes from.
        boundaries: where it may be interrupted without changing a count.
        haystack_tokens: H.
        merges: makes what says what joints cost, when it is first asked.
        additive: whether the tokenizer makes all joints at ``boundaries`` cost nothing.
        passed_over: of the ways that come out exactly, how many to pass over before each unit and the end.
        two_runs: whether two runs may stand where one does not come out, whatever joints cost.
    """

    def __init__(
        self,
        background: Background,
        boundaries: Boundaries,
        haystack_tokens: int,
        merges: Callable[[], TokenMerges],
        *,
        additive: bool,
        passed_over: Sequence[int] = (),
        two_runs: bool = False,
    ) -> None:
        self.background = background
        self.haystack_tokens = haystack_tokens
        self.segments: list[ContextSegment] = []
        self.cursor = 0
        self.placed = 0
        self.measured = False
        self.opening = 0
        self._corpus = background.corpus
        self._tokens = background.corpus.tokens
        self._boundaries = boundaries
        self._make_merges = merges
        self._additive = additive
        self._passed_over = passed_over
        self._two_runs = two_runs
        self._to_pass = 0
        self.unit_starts: list[int] = []
        self._held_at = (0, "")
        self._unit_tokens = 0
        self._pieces_used: set[int] = set()
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)

    def insert(self, stop: InsertionPoint) -> None:
        """Put a stop's inserts here."""
        for number, item in enumerate(stop.inserts):
            if number and not self._additive:
                extra = self._between(stop, number)
                self.placed += extra
                self.measured |= extra != 0
            tokens = item.tokens if self.segments else item.bare
            if number == stop.unit:
                self.unit_starts.append(self.placed + self._unit_tokens)
                self._unit_tokens += tokens
            else:
                self.placed += tokens
            self.segments.append(item)

    def go_to(self, position: int, following: InsertionPoint | None = None) -> None:
        """Lay haystack text until exactly ``position`` haystack tokens stand; to the end without it.

        Raises CaseError.
        """
        wanted = position - self.placed
        if following is not None and not self._additive:
            wanted -= sum(self._between(following, number) for number in range(1, (following.unit or 0) + 1))
        if not wanted:
            return
        if wanted < 0:
            raise CaseError(
                "the text so far is too long.",
                "Ask for fewer distractors or a greater context length.",
                NO_ROOM_FOR_DISTRACTORS,
            )
        self._to_pass = self._passed_over[len(self.unit_starts)] if self._passed_over else 0
        if not (
            self._lay_neutrally(wanted, following)
            or self._lay_two_runs(wanted, following)
            or self._lay_measured(wanted, following)
            or (self._two_runs and self._lay_measured_behind_run(wanted, following))
        ):
            fits = self._tokens[-1] < self._corpus.size * self.haystack_tokens // 2
            contiguous = "mode: contiguous, one sentence short at most, or " if fits else ""
            raise CaseError(
                f"no whole sentences of the haystack add up to the {wanted} tokens before "
                f"position {position}.",
                f"Use {contiguous}another haystack. {self.describe_pieces()}",
                NO_WHOLE_SENTENCES,
            )

    def go_near(self, position: int, following: InsertionPoint) -> None:
        """Lay haystack text up to a sentence boundary shortly before ``position`` haystack tokens."""
        onward = self._onward()
        limit = self._tokens[self.cursor] + position - self.placed
        for at in range(bisect_right(self._boundaries.tokens, limit) - 1, -1, -1):
            piece = self._boundaries.pieces[at]
            if piece <= self.cursor or limit - self._boundaries.tokens[at] > LONGEST_BRIDGE:
                break
            if self._may_stop(piece, following):
                self._lay_onward(piece, None, onward)
                return
        self.go_closest(position, following)

    def go_closest(self, position: int, following: InsertionPoint | None = None) -> None:
        """Lay haystack text up to the last sentence boundary at or before ``position`` haystack tokens.

        Without ``following`` the context ends there.
        """
        wanted = position - self.placed
        limit = self._tokens[self.cursor] + wanted
        for piece in range(bisect_right(self._tokens, limit + MOST_EXTRA) - 1, self.cursor, -1):
            is_free, extra = self._is_free(piece, is_end=following is None), 0
            if not is_free:
                extra = self._stopping_cost(piece, following) if following else self._closing_cost(piece)
            if self._tokens[piece] - self._tokens[self.cursor] + extra <= wanted:
                self._lay_both(piece, None, extra, measured=not is_free)
                return

    def check_edges(self) -> None:
        """Set ``measured`` unless the context begins and ends with what P was reckoned with."""
        first, last = self.segments[0], self.segments[-1]
        head = self._text_of(first.first + 1) if isinstance(first, Stretch) else first.text
        tail = self._text_of(last.last if isinstance(last, Stretch) else last.text)
        self.measured |= head != self._merges.head or not self._merges.fits_end(tail)

    def describe_pieces(self) -> str:
        """What the haystack is made of, and how that may be changed."""
        corpus = self._corpus
        longest = max(map(sub, self._tokens[1:], self._tokens))
        what, remedy = (
            ("Lines", LONG_LINES_REMEDY) if corpus.structure == "lines" else ("Sentences", LINES_REMEDY)
        )
        remedy = remedy if longest > LONGEST_RUN else ""
        mean = self._tokens[-1] / corpus.size
        return f"{what} of this one have {mean:,.0f} tokens on average, {longest:,} at most.{remedy}"

    def _lay_neutrally(self, wanted: int, following: InsertionPoint | None) -> bool:
        """Lay exactly ``wanted`` tokens, interrupted where that changes no count; False where none do."""
        onward, cursor, tokens = self._onward(), self.cursor, self._tokens
        limit = tokens[cursor] + wanted - onward
        for longest in (LONGEST_RUN, LONGEST_BRIDGE):
            for piece in self._stops(limit, longest):
                rest = limit - tokens[piece] if piece > cursor else wanted
                if not rest:
                    if self._may_stop(piece, following) and self._takes_it():
                        self._lay_onward(piece, None, onward)
                        return True
                elif run := self._find_run(piece, rest, following):
                    self._lay_onward(piece, run, onward)
                    return True
        return False

    def _lay_two_runs(self, wanted: int, following: InsertionPoint | None) -> bool:
        """The same by two runs, for haystacks whose sentences have few different numbers of tokens.

        Only where no joint costs anything.
        """
        if not self._additive or self._onward() or self.measured or self.opening:
            return False
        limit = self._tokens[self.cursor] + wanted
        for piece in self._stops(limit, _FAR_ENOUGH):
            rest = limit - self._tokens[piece] if piece > self.cursor else wanted
            for first in range(1, rest if piece else 0):
                one = next(self._unused(self.background.runs_of(first, is_end=False)), None)
                if one is None:
                    continue
                self._pieces_used.update(range(*one))
                if other := self._find_run(piece, rest - first, following):
                    self._lay_both(piece, None)
                    self._lay_run(one)
                    self._lay_both(self.cursor, other)
                    return True
                self._pieces_used.difference_update(range(*one))
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
        if not self.segments:
            return False
        before, placed = self.measured, self.placed
        for tokens in range(1, min(wanted, LONGEST_RUN + 1)):
            for run in islice(self._runs_anywhere(tokens), 1):
                extra = self._onto(self._last(), self._held, run.first)
                if extra is None:
                    continue
                self._lay_both(self.cursor, run, extra, measured=True)
                if self._lay_measured(wanted - tokens - extra, following):
                    return True
                self._pieces_used.difference_update(range(*run))
                self.segments.pop()
                self._held_at, self.measured, self.placed = (0, ""), before, placed
        return False

    def _lay_measured_by(
        self,
        extras_of: Callable[[int, int, InsertionPoint | None], Sequence[int]],
        wanted: int,
        following: InsertionPoint | None,
    ) -> bool:
        """The same where joints cost what ``extras_of`` says: of a piece, and the tokens from there."""
        tries = _MOST_TRIES
        for longest in (LONGEST_RUN, LONGEST_BRIDGE):
            for piece in self._stops_anywhere(wanted, longest):
                rest = wanted - self._tokens[piece] + self._tokens[self.cursor]
                if piece > self.cursor and abs(rest) <= MOST_EXTRA:
                    extra = self._cost(piece, None, following)
                    if extra == rest and self._takes_it():
                        self._lay_both(piece, None, extra, measured=True)
                        return True
                for extra in extras_of(piece, rest, following):
                    for run in self._runs_anywhere(rest - extra):
                        tries -= 1
                        if self._cost(piece, run, following) == extra and self._takes_it():
                            self._lay_both(piece, run, extra, measured=True)
                            return True
                    if tries < 0:
                        return False
        return False

    def _first_extra(self, piece: int, rest: int, following: InsertionPoint | None) -> Sequence[int]:
        """What joints cost with the first run that there is, where a joint is known to cost anything."""
        for extra in EXTRAS:
            for run in self._runs_anywhere(rest - extra):
                cost = self._cost(piece, run, following)
                return (cost,) if cost in EXTRAS else ()
        return ()

    def _takes_it(self) -> bool:
        """Whether a way that comes out exactly is taken, not passed over."""
        self._to_pass -= 1
        return self._to_pass < 0

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

    def _stops_anywhere(self, wanted: int, longest: int) -> Iterator[int]:
        """The same of all pieces, from a little behind ``wanted`` tokens, since a joint may save some."""
        limit, cursor = self._tokens[self.cursor] + wanted, self.cursor
        last = min(bisect_right(self._tokens, limit + MOST_EXTRA) - 1, self._corpus.size)
        for piece in range(last, cursor - 1, -1):
            if limit - self._tokens[piece] > longest:
                break
            yield piece

    def _may_stop(self, piece: int, following: InsertionPoint | None) -> bool:
        if following is None and not (piece > self.cursor and self._corpus.plain[piece - 1]):
            return False
        return self._additive or self._fits(piece, None, following)

    def _is_free(self, piece: int, *, is_end: bool) -> bool:
        """Whether it is proven that nothing costs more where the background stops before ``piece``."""
        if not self._additive or self.measured or (is_end and not self._corpus.plain[piece - 1]):
            return False
        at = bisect_left(self._boundaries.pieces, piece)
        if at == len(self._boundaries.pieces) or self._boundaries.pieces[at] != piece:
            return False
        return self._goes_on_free

    def _find_run(self, piece: int, tokens: int, following: InsertionPoint | None) -> Stretch | None:
        """An unused run of exactly ``tokens`` tokens beyond what this context's background can reach.

        It stands between the background that ends before ``piece`` and what follows.
        """
        begins_context = not self.segments and not piece
        found = self.background.runs_of(tokens, is_end=following is None)
        for run in self._unused(found):
            if (
                not (begins_context and not self._corpus.neutral_start[run.first])
                and (self._additive or self._fits(piece, run, following))
                and self._takes_it()
            ):
                return run
        return None

    def _runs_anywhere(self, tokens: int) -> Iterator[Stretch]:
        """Some unused runs of that many tokens, begun and ended at any sentence."""
        if tokens > 0:
            yield from islice(self._unused(self.background.runs_anywhere(tokens)), MOST_RUNS)

    def _unused(self, found: Runs) -> Iterator[Stretch]:
        """Those that this context has not used, the farthest first.

        Cases of one background, whatever their needles, depth and length, so share these few sentences.
        """
        used, reach = self._pieces_used, self._reach
        for first, last in found:
            if first < reach:
                return
            if used.isdisjoint(range(first, last)):
                yield Stretch(first, last)

    def _fits(self, piece: int, run: Stretch | None, following: InsertionPoint | None) -> bool:
        """Whether no joint costs anything: background up to ``piece``, then ``run``, then ``following``."""
        onward = self._onward() if piece > self.cursor else 0
        if self._cost(piece, run, following) != onward:
            return False
        if following is None or piece >= self._corpus.size:
            return True
        # The background goes on behind what follows.
        held = self._held_after(piece, run)
        joint, left_out = before_piece(self._corpus, piece, held)
        return self._merges.extra(following.inserts[-1].text, joint, piece, left_out) == 0

    def _cost(self, piece: int, run: Stretch | None, following: InsertionPoint | None) -> int | None:
        """What all joints cost: background up to ``piece``, then ``run``, then ``following`` or the end.

        None where they cannot be: no token begins at one, or the prompt would cost something else.
        """
        left, held, cost = self._last(), self._held, 0
        for stretch in (Stretch(self.cursor, piece), run):
            if stretch is not None and stretch.first < stretch.last:
                extra = self._onto(left, held, stretch.first)
                if extra is None:
                    return None
                left, held = stretch.last, self._held_behind(stretch, held)
                cost += extra
        if following is None:
            if left is None or not self._merges.fits_end(self._text_of(left)):
                return None
            return cost + self._merges.end(left)
        if left is None:
            return cost
        extra = self._merges.extra(left, before_insert(self._corpus, held), following.inserts[0].text)
        return None if extra is None else cost + extra

    def _closing_cost(self, piece: int) -> int:
        """What joints cost where the background runs on up to ``piece`` and the context ends, P with it."""
        merges = self._merges
        return self._onward() + merges.end(piece) + merges.closing(self._text_of(piece))

    def _stopping_cost(self, piece: int, following: InsertionPoint) -> int:
        """What joints cost where the background runs on up to ``piece`` and ``following`` comes; P stays."""
        joint = before_insert(self._corpus, self._held_after(piece, None))
        return self._onward() + (self._merges.extra(piece, joint, following.inserts[0].text) or 0)

    def _onward(self) -> int:
        """What it costs that the background goes on here."""
        if self.segments and self._additive and not self.measured and self._goes_on_free:
            return 0
        if self.cursor >= self._corpus.size:
            return 0
        if not self.segments:
            if self._corpus.neutral_start[self.cursor]:
                return 0
            self.measured |= not self._additive
            return self.background.joint_costs.start(self.cursor)
        return self._onto(self._last(), self._held, self.cursor) or 0

    @property
    def _goes_on_free(self) -> bool:
        """Whether the background's next piece costs what it does where it stands, behind an insert too."""
        is_inside = bool(self.segments) and self.cursor > 0
        return is_inside or self._corpus.neutral_start[self.cursor]

    def _onto(self, left: int | str | None, held: str, piece: int) -> int | None:
        """What the joint costs between ``left`` and a piece; None where no token begins at it."""
        if left is None:
            fits = self._merges.fits_start(self._corpus.slice(piece, piece + 1).strip())
            return self._merges.start(piece) if fits else None
        joint, left_out = before_piece(self._corpus, piece, held)
        return self._merges.extra(left, joint, piece, left_out)

    @cached_property
    def _merges(self) -> TokenMerges:
        return self._make_merges()

    def _between(self, stop: InsertionPoint, number: int) -> int:
        """What the joint costs between an insert of a stop and the one before it."""
        left, right = stop.inserts[number - 1].text, stop.inserts[number].text
        return self._merges.extra(left, before_insert(self._corpus, self._held), right) or 0

    def _last(self) -> int | str | None:
        """What the text ends with: an insert's text, or the piece behind a stretch's last."""
        if not self.segments:
            return None
        last = self.segments[-1]
        return last.last if isinstance(last, Stretch) else last.text

    def _text_of(self, left: int | str) -> str:
        return left if isinstance(left, str) else self._corpus.slice(left - 1, left).strip()

    def _held_after(self, piece: int, run: Stretch | None) -> str:
        held = self._held
        if piece > self.cursor:
            held = self._held_behind(Stretch(self.cursor, piece), held)
        return held if run is None else self._held_behind(run, held)

    @property
    def _held(self) -> str:
        """The break that is due behind the text so far."""
        known, held = self._held_at
        for segment in self.segments[known:]:
            if isinstance(segment, Stretch):
                held = self._held_behind(segment, held)
        self._held_at = len(self.segments), held
        return held

    def _held_behind(self, run: Stretch, held: str) -> str:
        own = trailing_break(self._corpus.text, self._corpus.offsets[run.last])
        return held_after(self._corpus, run.first, own, held)

    def _lay_onward(self, piece: int, run: Stretch | None, onward: int) -> None:
        """Lay the background up to ``piece``, which costs ``onward`` more here, and a run of other text."""
        extra = onward if piece > self.cursor else 0
        if self._additive and not self.segments:  # known without being measured
            self.opening, measured = extra, False
        else:
            measured = extra != 0
        self._lay_both(piece, run, extra, measured=measured)

    def _lay_both(self, piece: int, run: Stretch | None, extra: int = 0, *, measured: bool = False) -> None:
        """Lay the background up to ``piece``, and a run of other text; joints cost ``extra``."""
        if piece > self.cursor:
            self._lay_run(Stretch(self.cursor, piece))
            self.cursor = piece
        if run is not None:
            self._pieces_used.update(range(*run))
            self._lay_run(run)
        self.placed += extra
        self.measured |= measured

    def _lay_run(self, run: Stretch) -> None:
        first, last = run
        self.segments.append(run)
        self.placed += self._tokens[last] - self._tokens[first]


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

    Raises CaseError, also where one sentence is so long that most of what the haystack gets stays empty.
    """
    for stop in sorted(stops, key=lambda stop: stop.position):
        layout.go_closest(stop.position, stop)
        layout.insert(stop)
    if layout.placed > layout.haystack_tokens:
        raise _no_room_for_distractors()
    layout.go_closest(layout.haystack_tokens)
    layout.check_edges()
    short = layout.haystack_tokens - layout.placed
    if short > max(LONGEST_RUN, layout.haystack_tokens // 2):
        raise CaseError(
            f"the next sentence of the haystack is too long for the {short:,} tokens that are left of "
            f"{layout.haystack_tokens:,}.",
            f"Use a greater context length or another haystack. {layout.describe_pieces()}",
            "no whole sentence fits",
        )
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


def last_sentence(corpus: Corpus, segments: Sequence[ContextSegment]) -> str:
    """What a context ends with."""
    last = segments[-1]
    return corpus.slice(last.last - 1, last.last).strip() if isinstance(last, Stretch) else last.text


def pieces_before_inserts(segments: Sequence[ContextSegment]) -> list[int]:
    """How many pieces stand before each insert of an unbroken layout, and in all."""
    pieces, reached = list[int](), 0
    for segment in segments:
        if isinstance(segment, Stretch):
            reached = segment.last
        else:
            pieces.append(reached)
    return [*pieces, reached]
