"""The text of a context as far as it is laid: its segments, where the background stopped, the break due."""

from __future__ import annotations

from typing import TypeAlias

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import Stretch
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints.joins import held_after, trailing_break

ContextSegment: TypeAlias = Stretch | Insert


class LaidText:
    """A context as far as it is laid.

    Attributes:
        background, corpus, tokens: where haystack text comes from.
        additive: whether the tokenizer makes all joints at the boundaries that are used cost nothing.
        segments: in the order of the text.
        cursor: the piece before which the background stopped.
        placed: haystack tokens so far, with what joints add.
        measured: whether a joint was used whose cost is not known beforehand.
        opening: what the first sentence costs more than inside, where that is known.
        pieces_used: those of runs.
    """

    def __init__(self, background: Background, *, additive: bool) -> None:
        self.background = background
        self.corpus = background.corpus
        self.tokens = background.corpus.tokens
        self.additive = additive
        self.segments: list[ContextSegment] = []
        self.cursor = 0
        self.placed = 0
        self.measured = False
        self.opening = 0
        self.pieces_used: set[int] = set()
        self._held_at = (0, "")

    def end(self) -> int | str | None:
        """What the text ends with: an insert's text, or the piece behind a stretch's last."""
        if not self.segments:
            return None
        last = self.segments[-1]
        return last.last if isinstance(last, Stretch) else last.text

    def text_of(self, left: int | str) -> str:
        """An insert's text, or that of the piece before ``left``."""
        return left if isinstance(left, str) else self.corpus.slice(left - 1, left).strip()

    @property
    def held(self) -> str:
        """The break that is due behind the text so far."""
        known, held = self._held_at
        for segment in self.segments[known:]:
            if isinstance(segment, Stretch):
                held = self.held_behind(segment, held)
        self._held_at = len(self.segments), held
        return held

    def held_after(self, piece: int, run: Stretch | None) -> str:
        """The break that is due where the background goes on up to ``piece``, and ``run`` follows."""
        held = self.held
        if piece > self.cursor:
            held = self.held_behind(Stretch(self.cursor, piece), held)
        return held if run is None else self.held_behind(run, held)

    def held_behind(self, run: Stretch, held: str) -> str:
        """The break that is due behind a run, where ``held`` was due before it."""
        own = trailing_break(self.corpus.text, self.corpus.offsets[run.last])
        return held_after(self.corpus, run.first, own, held)

    def lay_onward(self, piece: int, run: Stretch | None, onward: int) -> None:
        """Lay the background up to ``piece``, which costs ``onward`` more here, and a run of other text."""
        extra = onward if piece > self.cursor else 0
        if self.additive and not self.segments:  # known without being measured
            self.opening, measured = extra, False
        else:
            measured = extra != 0
        self.lay(piece, run, extra, measured=measured)

    def lay(self, piece: int, run: Stretch | None, extra: int = 0, *, measured: bool = False) -> None:
        """Lay the background up to ``piece``, and a run of other text; joints cost ``extra``."""
        if piece > self.cursor:
            self.lay_run(Stretch(self.cursor, piece))
            self.cursor = piece
        if run is not None:
            self.pieces_used.update(range(*run))
            self.lay_run(run)
        self.placed += extra
        self.measured |= measured

    def lay_run(self, run: Stretch) -> None:
        """Lay a stretch of haystack text."""
        first, last = run
        self.segments.append(run)
        self.placed += self.tokens[last] - self.tokens[first]

    def take_back(self, run: Stretch, *, placed: int, measured: bool) -> None:
        """Take away the run that was laid last; ``placed`` and ``measured`` are what they were before it."""
        self.pieces_used.difference_update(range(*run))
        self.segments.pop()
        self._held_at, self.measured, self.placed = (0, ""), measured, placed
