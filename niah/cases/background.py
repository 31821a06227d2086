"""The haystack as one seed sees it, and the short runs that make an exact count come out."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from niah.cases.case import slug
from niah.errors import HaystackError
from niah.haystacks.corpus import Corpus, load_corpus, rotate

LONGEST_RUN = 200
"""Tokens that a run before a needle may have at most, unless a single sentence is longer."""

LONGEST_BRIDGE = 2000
"""Tokens that a run may have where a long sentence stands in the needle's way (Sterne writes some of 700)."""

_RESERVE = 4000
"""Pieces at the corpus' end that runs are taken from; enough for every count, and quick to index."""


@dataclass(frozen=True)
class Run:
    """Unbroken haystack text: the pieces first to last - 1."""

    first: int
    last: int

    def overlaps(self, other: Run) -> bool:
        """Whether the two share a piece."""
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True)
class Boundaries:
    """Sentence boundaries where text may go in: ``pieces[i]`` has ``tokens[i]`` haystack tokens before it."""

    pieces: list[int] = field(repr=False)
    tokens: list[int] = field(repr=False)

    def last_within(self, limit: int) -> int:
        """Index of the last boundary with at most ``limit`` tokens before it; -1 if there is none."""
        return bisect_right(self.tokens, limit) - 1


@dataclass(frozen=True)
class Background:
    """A corpus begun where (haystack, seed) says."""

    corpus: Corpus

    @cached_property
    def loose(self) -> Boundaries:
        """Boundaries for text that costs the same with a blank line after it."""
        return self._boundaries(self.corpus.opens)

    @cached_property
    def strict(self) -> Boundaries:
        """Boundaries for any text."""
        return self._boundaries(self.corpus.inner)

    @cached_property
    def runs(self) -> dict[int, list[Run]]:
        """Runs of whole sentences from the reserve, begun inside a paragraph, by their token count."""
        corpus, runs = self.corpus, dict[int, list[Run]]()
        ends = set(corpus.opens)
        for first in corpus.inner:
            if first < corpus.size - _RESERVE:
                continue
            for last in range(first + 1, corpus.size):
                tokens = corpus.tokens[last] - corpus.tokens[first]
                if tokens > LONGEST_RUN:
                    break
                if last in ends:
                    runs.setdefault(tokens, []).append(Run(first, last))
        return runs

    def runs_of(self, tokens: int) -> list[Run]:
        """Runs of exactly so many tokens, in the order of the corpus."""
        if tokens <= LONGEST_RUN:
            return self.runs.get(tokens, [])
        if tokens not in self._bridges:
            self._bridges[tokens] = self._search(tokens)
        return self._bridges[tokens]

    @cached_property
    def _bridges(self) -> dict[int, list[Run]]:
        return {}

    def _search(self, tokens: int) -> list[Run]:
        corpus, ends, found = self.corpus, set(self.corpus.opens), []
        for first in corpus.inner[bisect_left(corpus.inner, corpus.size - _RESERVE) :]:
            wanted = corpus.tokens[first] + tokens
            last = bisect_left(corpus.tokens, wanted)
            if last in ends and corpus.tokens[last] == wanted:
                found.append(Run(first, last))
        return found

    def _boundaries(self, pieces: list[int]) -> Boundaries:
        return Boundaries(pieces, [self.corpus.tokens[piece] for piece in pieces])


@lru_cache(maxsize=16)
def load_background(haystack: str, tokenizer: str, seed: int) -> Background:
    """The haystack from its starting sentence on, which depends on (haystack, seed) alone.

    A haystack by path counts as the last part of it, as in case ids: moving a folder changes no context.
    Raises UnknownName, or HaystackError for a haystack that no context can begin with.
    """
    corpus = load_corpus(haystack, tokenizer)
    if not corpus.beginnings:
        raise HaystackError(f"haystack {haystack!r} has no paragraph to begin with.", "Give it more text.")
    digest = hashlib.sha256(f"{slug(corpus.name)}|{seed}".encode()).digest()
    first = corpus.beginnings[int.from_bytes(digest[:8], "big") % len(corpus.beginnings)]
    return Background(rotate(corpus, first))
