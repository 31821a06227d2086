"""A haystack as one seed sees it: its boundaries, its runs, what joints with its sentences cost."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from niah.cases.assembly.answer_leakage import Omission
from niah.cases.assembly.backgrounds.runs import RunIndex, Runs, farthest_first
from niah.cases.assembly.joints.token_merges import JointCosts
from niah.haystacks.corpus import Corpus
from niah.text.costs import BEFORE
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from niah.cases.assembly.backgrounds.runs import Flags

_RESERVE = 4000
"""Pieces at the corpus' end that runs are taken from; enough for every count, and quick to index."""

_SAMPLED = 500
"""Pieces that show how sentences of a haystack end."""

_PLAIN_SHARE = 5
"""One sentence in so many at least must end plainly, for contexts to end so."""


@dataclass(frozen=True)
class Boundaries:
    """Sentence boundaries where text may go in: ``pieces[i]`` has ``tokens[i]`` haystack tokens before it."""

    pieces: list[int] = field(repr=False)
    tokens: list[int] = field(repr=False)


@dataclass(frozen=True)
class Background:
    """A corpus begun where (haystack, seed) says.

    Attributes:
        corpus: the haystack, and more after it where a context asks for more.
        base_size: pieces of the haystack before anything comes again.
        repeats: whether what comes after it is the same text, not a world's next instance.
        goes_on: whether there is always more of the haystack, so that it need not begin again.
        omissions: what was left out of the haystack, ascending.
    """

    corpus: Corpus
    base_size: int
    repeats: bool = False
    goes_on: bool = False
    omissions: tuple[Omission, ...] = ()

    @cached_property
    def loose(self) -> Boundaries:
        """Boundaries for text that costs the same with a blank line after it."""
        return self._boundaries(self.corpus.opens)

    @cached_property
    def strict(self) -> Boundaries:
        """Boundaries for any text."""
        return self._boundaries(self.corpus.inner)

    @cached_property
    def usual_end(self) -> str:
        """A sentence that most contexts end like: a plain one where there are some, else one of its own."""
        pieces = range(min(self.base_size, _SAMPLED))
        if sum(self.corpus.plain[piece] for piece in pieces) * _PLAIN_SHARE >= len(pieces):
            return BEFORE
        ends = [self.corpus.slice(piece, piece + 1).strip() for piece in pieces]
        usual, _ = Counter(end[-1:] for end in ends).most_common(1)[0]
        return next(end for end in ends if end.endswith(usual))

    @cached_property
    def joint_costs(self) -> JointCosts:
        """What joints with its sentences cost."""
        return JointCosts(get_tokenizer(self.corpus.tokenizer), self.corpus)

    @cached_property
    def opening(self) -> int:
        """What its first sentence costs more where a context begins with it."""
        return self.joint_costs.start(0)

    @cached_property
    def other_joints(self) -> frozenset[int]:
        """Pieces that do not begin a line behind another one, the corpus' ends among them."""
        return frozenset(range(self.corpus.size + 1)).difference(self.corpus.line_starts)

    @property
    def runs_end(self) -> int:
        """The piece before which runs are taken from."""
        return self.base_size if self.repeats else self.corpus.size

    def runs_of(self, tokens: int, *, is_end: bool) -> Runs:
        """Runs of whole sentences with exactly so many tokens, begun inside a paragraph.

        ``is_end`` asks for those that a context may end with.
        """
        found = self._runs.get((tokens, is_end))
        if found is None:
            firsts, lasts = self._neutral_runs.of(tokens)
            if is_end:
                plain = self._plain_ends[lasts]
                firsts, lasts = firsts[plain], lasts[plain]
            found = self._runs[tokens, is_end] = farthest_first(firsts, lasts)
        return found

    def runs_anywhere(self, tokens: int) -> Runs:
        """Runs of whole sentences with exactly so many tokens where they stand, begun and ended anywhere."""
        found = self._runs_anywhere.get(tokens)
        if found is None:
            found = self._runs_anywhere[tokens] = farthest_first(*self._all_runs.of(tokens))
        return found

    @cached_property
    def _runs_anywhere(self) -> dict[int, Runs]:
        return {}

    @cached_property
    def _runs(self) -> dict[tuple[int, bool], Runs]:
        return {}

    @cached_property
    def _plain_ends(self) -> Flags:
        """Flags per boundary: a context may end there."""
        return np.array([False, *self.corpus.plain])

    @cached_property
    def _neutral_runs(self) -> RunIndex:
        return self._index(self.corpus.inner, self.corpus.opens)

    @cached_property
    def _all_runs(self) -> RunIndex:
        pieces = list(range(1, self.runs_end))
        return self._index(pieces, pieces)

    def _index(self, firsts: list[int], ends: list[int]) -> RunIndex:
        return RunIndex(self.corpus.tokens, self._of_reserve(firsts), self._of_reserve(ends), self.runs_end)

    def _of_reserve(self, pieces: list[int]) -> list[int]:
        return pieces[bisect_left(pieces, self.runs_end - _RESERVE) : bisect_left(pieces, self.runs_end)]

    def _boundaries(self, pieces: list[int]) -> Boundaries:
        return Boundaries(pieces, [self.corpus.tokens[piece] for piece in pieces])
