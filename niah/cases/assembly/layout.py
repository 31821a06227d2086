"""Which haystack text and which inserts follow one another in a context, found by one search.

The background runs on unbroken until shortly before what follows; there one cut, to a short run from the
corpus' far end, makes the count come out. Candidates come by arithmetic; what their joints cost is counted,
and the first that comes out is taken. Behind a needle the background goes on where it stopped, so that cases
of other depths and lengths share it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from niah.cases.assembly.background import Background, Run
from niah.cases.assembly.joints import Seams, Side, before_insert, before_piece, held_behind, trailing_break
from niah.cases.assembly.placement import LEAST_GAP, Insert, Stop, no_room
from niah.errors import CaseError

NO_WHOLE_SENTENCES = "no whole sentences add up"

_EXTRAS = (0, -1, 1, -2, 2, -3, 3, -4, 4)
"""Tokens that joints may cost together, in the order in which they are tried."""

_MOST_EXTRA = 8
_MOST_RUNS = 6
_MOST_TRIES = 3000
_LONGEST_RUN = 200  # tokens of the first of two runs
_LONGEST_BRIDGE = 2000
"""Tokens of a run where a long sentence is in the needle's way (Sterne writes some of 700)."""

Candidate: TypeAlias = tuple[int, tuple[Run, ...]]
"""The piece that the background goes on to, and runs of other text behind it."""


class State(NamedTuple):
    """A text as far as it is laid."""

    tokens: int = 0  # as long as other text follows
    end: Side | None = None
    held: str = ""  # the break that is due behind it
    start: int = 0  # tokens before what was laid last
    joint: str = ""  # before what was laid last
    left_out: int = 0  # characters of its first piece
    is_proven: bool = True  # counts hold whatever is further from the joints
    is_sound: bool = True  # a token begins at each joint, and P is as reckoned


class Segment(NamedTuple):
    """A run or an insert in its place: the joint before it, its text, and the tokens before it."""

    what: Run | Insert
    joint: str
    text: str
    start: int


class Layout:
    """A context of H ``tokens`` being laid out; ``prompt_more``: P's further ones by first and last text."""

    def __init__(
        self, background: Background, seams: Seams, tokens: int, prompt_more: Callable[[str, str], int]
    ) -> None:
        self.segments: list[Segment] = []
        self.state = State()
        self.haystack_tokens = tokens
        self._background, self._corpus, self._tokens = background, background.corpus, background.corpus.tokens
        self._seams, self._prompt_more = seams, prompt_more
        self._cursor = self._unit_tokens = 0
        self._used: set[int] = set()
        # Runs are taken from the first piece on that the background, even unbroken, cannot come to.
        self._reach = 0 if background.repeats else bisect_left(self._tokens, tokens)

    @property
    def placed(self) -> int:
        """Haystack tokens so far."""
        return self.state.tokens - self._unit_tokens

    @property
    def _begun(self) -> State:
        """The text so far, sound or not, as that which more is tried behind."""
        return self.state if self.state.is_sound else self.state._replace(is_sound=True)

    def insert(self, stop: Stop) -> None:
        """Put a stop's inserts here."""
        for number, item in enumerate(stop.inserts):
            if number == stop.unit:
                self._unit_tokens += item.bare if self.state.end is None else item.tokens
            self.state = self._behind_insert(self.state, item)
            self.segments.append(Segment(item, self.state.joint, item.text, self.state.start))

    def go_to(self, position: int, stop: Stop | None) -> bool:
        """Lay haystack text until ``stop``'s unit, or the end, is at ``position``; false if none fits."""
        wanted = position - self.placed - (stop.before_unit if stop else 0)
        nothing: Iterator[Candidate] = iter([(self._cursor, ())] if wanted <= LEAST_GAP else [])
        for way in (nothing, self._with_a_run(wanted), self._with_two(wanted)):
            for piece, runs in islice(way, _MOST_TRIES):
                reached, laid = self._tried(piece, runs, stop, is_exact=True)
                if reached == position:
                    self._lay(piece, laid, is_end=stop is None)
                    return True
        if wanted > 0 or not (self.state.held and isinstance(self.state.end, str)):
            return False
        self.state = self.state._replace(held="")  # inserts at one place share a line
        return self.go_to(position, stop)

    def go_closest(self, position: int, stop: Stop | None, *, is_exact: bool = False) -> bool:
        """Lay background until ``stop``, or the end, is at or just before ``position``; false if behind."""
        wanted = position - self.placed - (stop.before_unit if stop else 0)
        for piece in self._back(wanted + _MOST_EXTRA):
            reached, laid = self._tried(piece, (), stop, is_exact=is_exact)
            if reached is not None and reached <= position:
                self._lay(piece, laid, is_end=stop is None)
                return True
        return False

    def _with_a_run(self, wanted: int) -> Iterator[Candidate]:
        """Background cut at any sentence, and any run; first as if joints cost nothing."""
        for extra in _EXTRAS:
            for piece, rest in self._rests(wanted - min(extra, 0), wanted):
                if rest == extra and piece > self._cursor:
                    yield piece, ()
                for run in islice(self._unused(rest - extra), _MOST_RUNS):
                    yield piece, (run,)

    def _with_two(self, wanted: int) -> Iterator[Candidate]:
        """The same with two runs, for lines of few different numbers of tokens."""
        for extra in _EXTRAS:
            for piece, rest in self._rests(wanted, wanted):
                for part in range(1, min(rest, _LONGEST_RUN + 1)):
                    for one in islice(self._unused(part), 1):
                        others = self._unused(rest - part - extra)
                        apart = (other for other in others if one[1] <= other[0] or other[1] <= one[0])
                        yield from ((piece, (one, other)) for other in islice(apart, 1))

    def _rests(self, most: int, wanted: int) -> Iterator[tuple[int, int]]:
        """The pieces that the background may go on to, and how many tokens are wanted behind them."""
        begun = self._begun
        for piece in self._back(most):
            state = begun if piece == self._cursor else self._behind_run(begun, self._cursor, piece)
            rest = begun.tokens + wanted - state.tokens
            if rest > _LONGEST_BRIDGE:
                break
            if state.is_sound:
                yield piece, rest

    def _back(self, most: int) -> Iterator[int]:
        """Pieces at most ``most`` tokens behind the cursor, the last first, and at last the cursor."""
        yield from range(bisect_right(self._tokens, self._tokens[self._cursor] + most) - 1, self._cursor, -1)
        yield self._cursor

    def _unused(self, tokens: int) -> Iterator[Run]:
        """Runs of that many tokens that this context has not used, the farthest first."""
        for first, last in self._background.runs(tokens) if tokens > 0 else ():
            if first < self._reach:
                return
            if self._used.isdisjoint(range(first, last)) and self._seams.is_countable(first, last):
                yield first, last

    def _tried(
        self, piece: int, runs: Sequence[Run], stop: Stop | None, *, is_exact: bool
    ) -> tuple[int | None, list[tuple[Run, State]]]:
        """Such text, and haystack tokens before a stop's unit, or the end, behind it; None if unsound."""
        state, laid = self._begun, list[tuple[Run, State]]()
        for run in ((self._cursor, piece), *runs):
            if run[0] < run[1]:
                state = self._behind_run(state, *run)
                laid.append((run, state))
                if is_exact and not state.is_sound:
                    return None, laid
        if stop is None:
            if state.end is None:
                return None, laid
            more = self._prompt_more("", self.text_of(state.end))
            if is_exact and more:
                return None, laid
            reached = state.tokens + self._seams.between(state.end, "", None).before + more
            return reached - self._unit_tokens, laid
        for item in stop.inserts[: (stop.unit or 0) + 1]:
            state = self._behind_insert(state, item)
        return state.start - self._unit_tokens if state.is_sound or not is_exact else None, laid

    def _behind_run(self, state: State, first: int, last: int) -> State:
        corpus, sound = self._corpus, state.is_sound
        if state.end is None:
            joint, left_out = "", int(corpus.text.startswith(" ", corpus.offsets[first]))
            sound = not first or not self._prompt_more(corpus.slice(first, first + 1).strip(), "")
        else:
            joint, left_out = before_piece(corpus, first, state.held)
        seam = self._seams.between(state.end, joint, first, left_out)
        start = state.tokens + seam.before
        tokens = start + seam.behind + self._tokens[last] - self._tokens[first]
        held, parts = held_behind(corpus, first, last, state.held), seam.parts
        proven = state.is_proven and seam.is_proven and (parts or self._seams.are_apart(first, last))
        return State(tokens, last, held, start, joint, left_out, proven, sound and seam.is_border)

    def _behind_insert(self, state: State, item: Insert) -> State:
        if state.end is None:
            sound = state.is_sound and not self._prompt_more(item.text, "")
            held = "\n" if self._corpus.structure == "lines" else ""
            return State(item.bare, item.text, held, is_proven=state.is_proven, is_sound=sound)
        joint = before_insert(self._corpus, state.held)
        seam = self._seams.between(state.end, joint, item.text)
        start = state.tokens + seam.before
        proven, sound = state.is_proven and seam.is_proven, state.is_sound and seam.is_border
        return State(start + seam.behind + item.tokens, item.text, state.held, start, joint, 0, proven, sound)

    def _lay(self, piece: int, laid: Sequence[tuple[Run, State]], *, is_end: bool) -> None:
        text, offsets = self._corpus.text, self._corpus.offsets
        for (first, last), state in laid:
            end = offsets[last] - len(trailing_break(text, offsets[last]))
            own = text[offsets[first] + state.left_out : end]
            self.segments.append(Segment((first, last), state.joint, own, state.start))
            self.state = state
        if is_end and self.state.end is not None:
            seam = self._seams.between(self.state.end, "", None)
            proven = self.state.is_proven and seam.is_proven
            self.state = self.state._replace(tokens=self.state.tokens + seam.before, is_proven=proven)
        self._used.update(*(range(*run) for run, _ in laid if run != (self._cursor, piece)))
        self._cursor = piece

    def text_of(self, end: Side) -> str:
        """An insert's text, or the sentence before a piece."""
        return end if isinstance(end, str) else self._corpus.slice(end - 1, end).strip()

    def no_whole_sentences(self, position: int) -> CaseError:
        """The error of a position before which no text adds up."""
        wanted = position - self.placed
        inserts = [each.what for each in self.segments if isinstance(each.what, Insert)]
        if wanted < 0 and any(item.role == "distractor" for item in inserts):
            return no_room("the text so far is too long for its distractors.")
        problem = f"no whole sentences add up to the {wanted} tokens before position {position}."
        return CaseError(problem, "Leave out mode: exact, or use another haystack.", NO_WHOLE_SENTENCES)


def lay_out(layout: Layout, stops: Sequence[Stop], *, is_exact: bool) -> None:
    """Every unit exactly at its position and H tokens in all; or one unbroken passage, as close to that."""
    for stop in _clear_of_units(stops, layout.haystack_tokens, LEAST_GAP if is_exact else 0):
        is_unit, due = stop.unit is not None, stop.position + stop.before_unit
        if is_exact and is_unit:
            if not layout.go_to(due, stop):
                raise layout.no_whole_sentences(due)
        elif not layout.go_closest(due, stop, is_exact=is_exact) and (is_unit or is_exact):
            raise no_room()
        layout.insert(stop)
    end = layout.haystack_tokens
    if is_exact and not layout.go_to(end, None):
        raise layout.no_whole_sentences(end)
    if not is_exact and not layout.go_closest(end, None):
        raise no_room()


def _clear_of_units(stops: Sequence[Stop], haystack_tokens: int, gap: int) -> list[Stop]:
    """The stops by position, distractors moved forward so that none pushes a unit or the end back."""
    moved = [stop for stop in stops if stop.unit is not None]
    edges = [0, *sorted(stop.position for stop in moved), haystack_tokens]
    limit = haystack_tokens - gap
    others = [stop for stop in stops if stop.unit is None]
    for stop in sorted(others, key=lambda stop: stop.position, reverse=True):
        tokens, at = sum(item.tokens for item in stop.inserts), stop.position
        while True:  # until it fits between two units
            behind = bisect_right(edges, at, hi=len(edges) - 1)
            limit = min(limit, edges[behind] - gap)
            at = min(at, limit - tokens)
            if at >= edges[behind - 1]:
                break
            at = edges[behind - 1] - tokens - gap
            if at < 0:
                raise no_room()
        moved.append(stop._replace(position=at))
        limit -= tokens
    return sorted(moved, key=lambda stop: stop.position)
