"""The plan of a context: which haystack runs and inserts follow one another.

Exact mode: the background runs on unbroken until shortly before a needle; there one seam, to a short
run from the corpus' far end, makes the count come out. After the needle the background goes on where
it stopped, so that cases of other depths and lengths share it. Contiguous mode has no seams.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from niah.cases.background import LONGEST_BRIDGE, LONGEST_RUN, Background, Boundaries, Run
from niah.errors import CaseError


@dataclass(frozen=True)
class Insert:
    """A needle or distractor to be put into the background.

    Attributes:
        id, text, elements: as in the needle set.
        tokens: what it costs behind a space.
        is_needle: needles stand exactly where asked; distractors at a boundary nearby.
        position: haystack tokens before it, as asked.
    """

    id: str
    text: str = field(repr=False)
    elements: tuple[str, ...]
    tokens: int
    is_needle: bool
    position: int


Segment = Run | Insert


@dataclass
class Layout:
    """A context being laid out.

    ``placed`` counts the haystack tokens so far; ``reach`` is the first piece that the background, even
    unbroken, cannot come to: runs are taken from there on.
    """

    background: Background
    boundaries: Boundaries
    haystack_tokens: int
    seed: int
    segments: list[Segment] = field(default_factory=list)
    cursor: int = 0
    placed: int = 0
    reach: int = field(init=False)
    _runs_used: list[Run] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reach = bisect_left(self.background.corpus.tokens, self.haystack_tokens)

    def insert(self, item: Insert) -> None:
        """Put a needle or distractor here."""
        self.segments.append(item)
        if not item.is_needle:
            self.placed += item.tokens

    def go_to(self, position: int, *, is_end: bool = False) -> None:
        """Lay haystack text until exactly ``position`` haystack tokens stand. Raises CaseError."""
        if position == self.placed:
            return
        if position < self.placed:
            raise CaseError(
                "the text so far is too long.", "Ask for fewer distractors or a greater context length."
            )
        limit = self.background.corpus.tokens[self.cursor] + position - self.placed
        for piece in chain(self._stops(limit, LONGEST_RUN), self._stops(limit, LONGEST_BRIDGE)):
            rest = limit - self.background.corpus.tokens[piece]
            run = self._find_run(rest, is_end) if rest else None
            if (rest == 0 and self._may_stop(piece, is_end)) or run:
                self._lay(Run(self.cursor, piece))
                if run:
                    self._runs_used.append(run)
                    self._lay_run(run)
                return
        raise CaseError(
            f"no whole sentences of the haystack add up to the {position - self.placed} tokens before "
            f"position {position}.",
            "Ask for another depth or a greater context length, or use mode: contiguous.",
        )

    def go_near(self, position: int) -> None:
        """Lay haystack text up to the last sentence boundary at or before ``position`` haystack tokens."""
        limit = self.background.corpus.tokens[self.cursor] + position - self.placed
        at = self.boundaries.last_within(limit)
        if at >= 0 and self.boundaries.pieces[at] > self.cursor:
            self._lay(Run(self.cursor, self.boundaries.pieces[at]))

    def go_to_end(self) -> None:
        """Lay haystack text up to the last plain sentence end within the haystack's room, unbroken."""
        limit = self.background.corpus.tokens[self.cursor] + self.haystack_tokens - self.placed
        for piece in self._stops(limit, LONGEST_BRIDGE):
            if self._may_stop(piece, is_end=True):
                self._lay(Run(self.cursor, piece))
                return

    def _stops(self, limit: int, longest: int) -> Iterator[int]:
        """Boundaries from the last within ``limit`` back, as far as a run of ``longest`` tokens bridges."""
        tokens = self.background.corpus.tokens
        for at in range(self.boundaries.last_within(limit), -1, -1):
            piece = self.boundaries.pieces[at]
            if piece <= self.cursor or limit - self.boundaries.tokens[at] > longest:
                break
            yield piece
        if limit - tokens[self.cursor] <= longest:
            yield self.cursor

    def _may_stop(self, piece: int, is_end: bool) -> bool:
        return not is_end or (piece > self.cursor and self.background.corpus.plain[piece - 1])

    def _find_run(self, tokens: int, is_end: bool) -> Run | None:
        """An unused run of exactly ``tokens`` tokens beyond what this context's background can reach."""
        corpus = self.background.corpus
        candidates = self.background.runs_of(tokens)
        first_choice = (self.seed * 31 + self.placed * 7 + tokens) % max(1, len(candidates))
        begins_context = not self.segments and not self.cursor
        for at in range(len(candidates)):
            run = candidates[at + first_choice - len(candidates)]
            if (
                run.first >= self.reach
                and (not is_end or corpus.plain[run.last - 1])
                and (not begins_context or corpus.neutral_start[run.first])
                and not any(run.overlaps(used) for used in self._runs_used)
            ):
                return run
        return None

    def _lay(self, run: Run) -> None:
        if run.last > run.first:
            self._lay_run(run)
            self.cursor = run.last

    def _lay_run(self, run: Run) -> None:
        self.segments.append(run)
        tokens = self.background.corpus.tokens
        self.placed += tokens[run.last] - tokens[run.first]


def lay_out_exactly(
    layout: Layout, needles: Sequence[Insert], distractors: Sequence[Insert]
) -> list[Segment]:
    """Every needle exactly at its position, and exactly ``haystack_tokens`` in all. Raises CaseError."""
    waiting = list(distractors)
    for needle in needles:
        waiting = _place_before(layout, waiting, needle.position)
        layout.go_to(needle.position)
        layout.insert(needle)
    if _place_before(layout, waiting, layout.haystack_tokens):
        raise CaseError("no room for all distractors.", "Ask for fewer, or for a greater context length.")
    layout.go_to(layout.haystack_tokens, is_end=True)
    return layout.segments


def lay_out_contiguously(
    layout: Layout, needles: Sequence[Insert], distractors: Sequence[Insert]
) -> list[Segment]:
    """Every insert at the last boundary before its position, one unbroken passage, never over."""
    for item in sorted([*needles, *distractors], key=lambda item: item.position):
        layout.go_near(item.position)
        layout.insert(item)
    if layout.placed > layout.haystack_tokens:
        raise CaseError("no room for all distractors.", "Ask for fewer, or for a greater context length.")
    layout.go_to_end()
    return layout.segments


def _place_before(layout: Layout, waiting: list[Insert], position: int) -> list[Insert]:
    """Put in the distractors that are due before ``position``; returns those that wait until after it."""
    return [item for item in waiting if not (item.position < position and _place(layout, item, position))]


def _place(layout: Layout, item: Insert, position: int) -> bool:
    """Put a distractor near where it is asked, or right before ``position``, which must stay reachable."""
    latest = position - item.tokens
    if layout.placed <= item.position <= latest - LONGEST_RUN // 2:
        layout.go_near(item.position)
    else:
        try:
            layout.go_to(latest)
        except CaseError:
            return False
    layout.insert(item)
    return True
