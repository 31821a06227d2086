"""Which haystack text and which inserts follow one another in a context, found by one search.

The background runs on unbroken until shortly before what follows; there one cut, to a short run from the
corpus' far end, makes the count come out. Candidates come by arithmetic; what their joints cost is counted,
and the first that comes out is taken. Behind a needle the background goes on where it stopped, so that cases
of other depths and lengths share it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from operator import sub
from typing import NamedTuple, TypeAlias

from niah.cases.assembly.background import LONGEST_BRIDGE, LONGEST_RUN, Background, Run, RunIndex
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints import Seams, Side, before_insert, before_piece, held_behind
from niah.cases.assembly.placement import LEAST_GAP, NO_ROOM_FOR_DISTRACTORS, Stop
from niah.errors import CaseError

NO_WHOLE_SENTENCES = "no whole sentences add up"

_EXTRAS = (0, -1, 1, -2, 2, -3, 3, -4, 4)
"""Tokens that joints may cost together, in the order in which they are tried."""

_MOST_EXTRA = 8
_MOST_RUNS = 6
_MOST_TRIES = 1500
_FAR_ENOUGH = 60
"""Tokens that two runs may have together where one does not do."""

Candidate: TypeAlias = tuple[int, tuple[Run, ...]]
"""The piece that the background goes on to, and runs of other text behind it."""


class State(NamedTuple):
    """A text as far as it is laid.

    Attributes:
        tokens: of it, as long as other text follows it.
        end: what it ends with.
        held: the break that is due behind it.
        start: tokens before what was laid last.
        is_proven: whether all counts hold whatever is further from the joints.
        is_sound: whether a token begins at each joint.
    """

    tokens: int = 0
    end: Side | None = None
    held: str = ""
    start: int = 0
    is_proven: bool = True
    is_sound: bool = True


class Layout:
    """A context being laid out.

    Attributes:
        segments: runs and inserts in the order of the text.
        starts: the tokens before each insert.
        state: what is laid.

    Args:
        background: where haystack text comes from.
        seams: what joints with it cost.
        haystack_tokens: H.
        break_neutral: whether a blank line behind an insert costs as much as a space.
        passed_over: before each unit and the end, how many of the texts that come out are passed over.
        prompt_more: how many tokens more P has with that first sentence and that last one ("": as usual).
    """

    def __init__(
        self,
        background: Background,
        seams: Seams,
        haystack_tokens: int,
        prompt_more: Callable[[str, str], int],
        *,
        break_neutral: bool,
        passed_over: Sequence[int],
    ) -> None:
        self.segments: list[Run | Insert] = []
        self.starts: list[int] = []
        self.state = State()
        self.haystack_tokens = haystack_tokens
        self._background, self._corpus, self._tokens = background, background.corpus, background.corpus.tokens
        self._seams = seams
        self.prompt_more = prompt_more
        self._boundaries = background.corpus.opens if break_neutral else background.corpus.inner
        self._cursor = self._unit_tokens = self._units = 0
        self._passed_over = list(passed_over)
        self._used: set[int] = set()
        # Runs are taken from the first piece on that the background, even unbroken, cannot come to.
        self._reach = 0 if background.repeats else bisect_left(self._tokens, haystack_tokens)

    @property
    def placed(self) -> int:
        """Haystack tokens so far."""
        return self.state.tokens - self._unit_tokens

    def insert(self, stop: Stop) -> None:
        """Put a stop's inserts here."""
        for number, item in enumerate(stop.inserts):
            opens = self.state.end is None
            self.state = self._behind_insert(self.state, item)
            self.segments.append(item)
            self.starts.append(self.state.start)
            if number == stop.unit:
                self._units += 1
                self._unit_tokens += item.bare if opens else item.tokens

    def go_to(self, position: int, stop: Stop | None) -> bool:
        """Lay haystack text until the unit of ``stop`` has exactly ``position`` haystack tokens before it.

        Without a stop the context ends there. False, and nothing is laid, where no text comes out so.
        """
        wanted = self._wanted(position, stop)
        if wanted < 0:
            return False
        is_end = stop is None
        ways = (
            iter([(self._cursor, ())]) if not wanted else iter([]),
            self._neutral(wanted, is_end=is_end),
            self._two_neutral(wanted, is_end=is_end),
            self._anywhere(wanted),
            self._two_anywhere(wanted),
        )
        for piece, runs in chain.from_iterable(islice(way, _MOST_TRIES) for way in ways):
            if self._reached(piece, runs, stop, is_exact=True) == position:
                self._passed_over[self._units] -= 1
                if self._passed_over[self._units] >= 0:
                    continue
                self._lay(piece, runs, is_end=stop is None)
                return True
        return False

    def go_closest(self, position: int, stop: Stop | None, *, is_exact: bool = False) -> bool:
        """Lay background up to the last sentence that leaves ``stop``, or the end, at or before ``position``.

        False where even without any it would be behind. Exact mode takes a boundary near there where text may
        go in without changing a count, if there is one.
        """
        limit = self._tokens[self._cursor] + self._wanted(position, stop)
        pieces = self._back(range(self._corpus.size + 1), limit + _MOST_EXTRA)
        for piece in chain(self._back(self._boundaries, limit, LONGEST_BRIDGE) if is_exact else (), pieces):
            found = self._reached(piece, (), stop, is_exact=is_exact)
            if found is not None and found <= position:
                self._lay(piece, (), is_end=stop is None)
                return True
        return False

    def _wanted(self, position: int, stop: Stop | None) -> int:
        """Haystack tokens to be laid before a stop whose unit is due at ``position``."""
        before = stop.inserts[: stop.unit or 0] if stop else ()
        return position - sum(item.tokens for item in before) - self.placed

    def _neutral(self, wanted: int, *, is_end: bool) -> Iterator[Candidate]:
        """Background cut where that changes no count, and a run that changes none."""
        cursor, tokens = self._cursor, self._tokens
        index = self._background.last_runs if is_end else self._background.neutral_runs
        onward = 0
        if cursor < self._corpus.size:
            onward = self._behind_run(self.state, cursor, cursor + 1).tokens - self.state.tokens
            onward -= tokens[cursor + 1] - tokens[cursor]
        limit = tokens[cursor] + wanted - onward
        for piece in self._back(self._boundaries, limit, LONGEST_BRIDGE):
            rest = limit - tokens[piece] if piece > cursor else wanted
            if rest:
                yield from ((piece, (run,)) for run in self._unused(index, rest))
            elif not is_end or (piece > cursor and self._corpus.plain[piece - 1]):
                yield piece, ()

    def _two_neutral(self, wanted: int, *, is_end: bool) -> Iterator[Candidate]:
        """The same with two runs, for haystacks whose sentences have few different numbers of tokens."""
        cursor, tokens = self._cursor, self._tokens
        last = self._background.last_runs if is_end else self._background.neutral_runs
        limit = tokens[cursor] + wanted
        for piece in self._back(self._boundaries, limit, _FAR_ENOUGH):
            rest = limit - tokens[piece]
            for part in range(1, rest if piece else 0):
                for one in islice(self._unused(self._background.neutral_runs, part), 1):
                    yield from (
                        (piece, (one, run))
                        for run in self._unused(last, rest - part)
                        if not _overlap(one, run)
                    )

    def _anywhere(self, wanted: int) -> Iterator[Candidate]:
        """Background cut at any sentence, and any run, whatever the joints cost."""
        limit = self._tokens[self._cursor] + wanted
        for piece in self._back(range(self._corpus.size + 1), limit + _MOST_EXTRA, LONGEST_BRIDGE):
            rest = limit - self._tokens[piece]
            if piece > self._cursor and abs(rest) <= _MOST_EXTRA:
                yield piece, ()
            for extra in _EXTRAS:
                for run in islice(self._unused(self._background.all_runs, rest - extra), _MOST_RUNS):
                    yield piece, (run,)

    def _two_anywhere(self, wanted: int) -> Iterator[Candidate]:
        """The same with two runs, for lines of few different numbers of tokens."""
        runs, limit = self._background.all_runs, self._tokens[self._cursor] + wanted
        for piece in self._back(range(self._corpus.size + 1), limit, LONGEST_BRIDGE):
            rest = limit - self._tokens[piece]
            for part in range(1, min(rest, LONGEST_RUN + 1)):
                for one in islice(self._unused(runs, part), 1):
                    for extra in _EXTRAS:
                        others = (
                            run for run in self._unused(runs, rest - part - extra) if not _overlap(one, run)
                        )
                        yield from ((piece, (one, other)) for other in islice(others, 1))

    def _back(self, pieces: Sequence[int], limit: int, longest: int | None = None) -> Iterator[int]:
        """Pieces with at most ``limit`` tokens before them, the last first, and at last the cursor.

        ``longest`` is how many tokens there may be between a piece and the limit.
        """
        tokens, cursor = self._tokens, self._cursor
        last = bisect_right(pieces, bisect_right(tokens, limit) - 1)
        for at in range(last - 1, -1, -1):
            piece = pieces[at]
            if piece <= cursor or (longest is not None and limit - tokens[piece] > longest):
                break
            yield piece
        if longest is None or limit - tokens[cursor] <= longest:
            yield cursor

    def _unused(self, index: RunIndex, tokens: int) -> Iterator[Run]:
        """Runs of that many tokens that this context has not used, the farthest first.

        Cases of one background, whatever their needles, depth and length, so share these few sentences.
        """
        for first, last in index.of(tokens) if tokens > 0 else ():
            if first < self._reach:
                return
            if self._used.isdisjoint(range(first, last)):
                yield first, last

    def _reached(self, piece: int, runs: Sequence[Run], stop: Stop | None, *, is_exact: bool) -> int | None:
        """Haystack tokens before a stop's unit, or the end, behind such text.

        None in exact mode where no token begins at a joint, or where P would be another.
        """
        state = self.state._replace(is_sound=True)
        for first, last in ((self._cursor, piece), *runs):
            if first < last:
                state = self._behind_run(state, first, last)
                if is_exact and not state.is_sound:
                    return None
        if stop is None:
            if state.end is None:
                return None
            more = self.prompt_more("", self.text_of(state.end))
            if is_exact and more:
                return None
            return state.tokens + self._seams.closing(state.end).before + more - self._unit_tokens
        for item in stop.inserts[: (stop.unit or 0) + 1]:
            state = self._behind_insert(state, item)
        return state.start - self._unit_tokens if state.is_sound or not is_exact else None

    def _behind_run(self, state: State, first: int, last: int) -> State:
        corpus, end, tokens = self._corpus, state.end, self._tokens
        sound = state.is_sound
        if end is None:
            seam = self._seams.opening(first)
            sound = not first or not self.prompt_more(corpus.slice(first, first + 1).strip(), "")
        else:
            joint, left_out = before_piece(corpus, first, state.held)
            seam = self._seams.between(end, joint, first, left_out)
        start = state.tokens + seam.before
        return State(
            start + seam.behind + tokens[last] - tokens[first],
            last,
            held_behind(corpus, first, last, state.held),
            start,
            state.is_proven and seam.is_proven and (seam.parts or self._seams.holds(first, last)),
            sound and seam.is_border,
        )

    def _behind_insert(self, state: State, item: Insert) -> State:
        if state.end is None:
            fits = not self.prompt_more(item.text, "")
            return State(item.bare, item.text, "", 0, state.is_proven, state.is_sound and fits)
        seam = self._seams.between(state.end, before_insert(self._corpus, state.held), item.text)
        start = state.tokens + seam.before
        return State(
            start + seam.behind + item.tokens,
            item.text,
            state.held,
            start,
            state.is_proven and seam.is_proven,
            state.is_sound and seam.is_border,
        )

    def _lay(self, piece: int, runs: Sequence[Run], *, is_end: bool) -> None:
        for first, last in ((self._cursor, piece), *runs):
            if first < last:
                self.state = self._behind_run(self.state, first, last)
                self.segments.append((first, last))
        if is_end and self.state.end is not None:
            seam = self._seams.closing(self.state.end)
            proven = self.state.is_proven and seam.is_proven
            self.state = self.state._replace(tokens=self.state.tokens + seam.before, is_proven=proven)
        self._cursor = max(piece, self._cursor)
        for run in runs:
            self._used.update(range(*run))

    def text_of(self, end: Side) -> str:
        """An insert's text, or the sentence before a piece."""
        return end if isinstance(end, str) else self._corpus.slice(end - 1, end).strip()

    def describe_pieces(self) -> str:
        """How long the haystack's sentences or lines are."""
        corpus = self._corpus
        longest = max(map(sub, corpus.tokens[1:], corpus.tokens))
        what = "Lines" if corpus.structure == "lines" else "Sentences"
        mean = corpus.tokens[-1] / corpus.size
        return f"{what} of this one have {mean:,.0f} tokens on average, {longest:,} at most."


def _overlap(one: Run, other: Run) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def lay_exactly(layout: Layout, stops: Sequence[Stop]) -> None:
    """Every unit exactly at its position, distractors near theirs, and H tokens in all. Raises CaseError."""
    waiting = [stop for stop in stops if stop.unit is None]
    for stop in stops:
        if stop.unit is None:
            break
        due = stop.position + sum(item.tokens for item in stop.inserts[: stop.unit])
        waiting = _place_before(layout, waiting, stop.position)
        _go_to(layout, due, stop)
        layout.insert(stop)
    if waiting and _place_before(layout, waiting, layout.haystack_tokens, left=LEAST_GAP):
        raise _no_room_for_all()
    _go_to(layout, layout.haystack_tokens, None)


def _go_to(layout: Layout, position: int, stop: Stop | None) -> None:
    if layout.go_to(position, stop):
        return
    wanted = position - layout.placed
    if wanted < 0 and any(isinstance(item, Insert) and item.role == "distractor" for item in layout.segments):
        remedy = "Ask for fewer distractors or a greater context length."
        raise CaseError("the text so far is too long.", remedy, NO_ROOM_FOR_DISTRACTORS)
    raise CaseError(
        f"no whole sentences of the haystack add up to the {wanted} tokens before position {position}.",
        f"Leave out mode: exact, or use another haystack. {layout.describe_pieces()}",
        NO_WHOLE_SENTENCES,
    )


def _place_before(layout: Layout, waiting: list[Stop], position: int, left: int = 0) -> list[Stop]:
    """Put in the distractors that are due before ``position``; returns those that wait until after it.

    ``left`` haystack tokens at least come between the last of them and ``position``.
    """
    due = [stop for stop in waiting if stop.position < position]
    late = list[Stop]()
    for number, stop in enumerate(due):
        latest = position - left - sum(item.tokens for stop in due[number:] for item in stop.inserts)
        if layout.placed <= stop.position <= latest - LONGEST_RUN // 2:
            found = layout.go_closest(stop.position, stop, is_exact=True)
        else:
            found = layout.go_to(latest, stop)
        if found:
            layout.insert(stop)
        else:
            late.append(stop)
    return late + waiting[len(due) :]


def lay_contiguously(layout: Layout, stops: Sequence[Stop]) -> None:
    """One unbroken passage, every stop at the last boundary at or before its position. Raises CaseError."""
    for stop in _clear_of_units(stops, layout.haystack_tokens):
        due = stop.position + sum(item.tokens for item in stop.inserts[: stop.unit or 0])
        if not layout.go_closest(due, stop) and stop.unit is not None:
            raise _no_room_for_all()
        layout.insert(stop)
    if not layout.go_closest(layout.haystack_tokens, None):
        raise _no_room_for_all()


def _clear_of_units(stops: Sequence[Stop], haystack_tokens: int) -> list[Stop]:
    """The stops by position, distractors moved forward so that none pushes a unit, or the end, back.

    Distractors are part of the haystack: one of n tokens at p pushes what is asked at p + 1 to p + n.
    Raises CaseError where there is no room for all.
    """
    moved = [stop for stop in stops if stop.unit is not None]
    edges = [0, *sorted(stop.position for stop in moved), haystack_tokens]
    limit = haystack_tokens
    others = [stop for stop in stops if stop.unit is None]
    for stop in sorted(others, key=lambda stop: stop.position, reverse=True):
        tokens, at = sum(item.tokens for item in stop.inserts), stop.position
        while True:  # until it fits between two units
            behind = bisect_right(edges, at, hi=len(edges) - 1)
            limit = min(limit, edges[behind])
            at = min(at, limit - tokens)
            if at >= edges[behind - 1]:
                break
            at = edges[behind - 1] - tokens
            if at < 0:
                raise _no_room_for_all()
        moved.append(stop._replace(position=at))
        limit -= tokens
    return sorted(moved, key=lambda stop: stop.position)


def _no_room_for_all() -> CaseError:
    remedy = "Ask for fewer, or for a greater context length."
    return CaseError("no room for all distractors.", remedy, NO_ROOM_FOR_DISTRACTORS)
