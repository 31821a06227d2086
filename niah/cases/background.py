"""The haystack as one seed sees it, and the short runs that make an exact count come out."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from niah.cases.case import slug
from niah.errors import HaystackError
from niah.haystacks.corpus import Corpus, repeat, rotate
from niah.haystacks.load import load_corpus

LONGEST_RUN = 200
"""Tokens that a run before a needle may have at most, unless a single sentence is longer."""

LONGEST_BRIDGE = 2000
"""Tokens that a run may have where a long sentence stands in the needle's way (Sterne writes some of 700)."""

_RESERVE = 4000
"""Pieces at the corpus' end that runs are taken from; enough for every count, and quick to index."""


class Run(NamedTuple):
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


@dataclass(frozen=True)
class Runs:
    """Runs that all have the same number of tokens, in the order of the corpus.

    ``firsts`` are their first pieces.
    """

    runs: list[Run] = field(repr=False)
    firsts: list[int] = field(repr=False)


_NO_RUNS = Runs([], [])


@dataclass(frozen=True)
class Background:
    """A corpus begun where (haystack, seed) says, ``times`` over."""

    corpus: Corpus
    times: int = 1

    @cached_property
    def loose(self) -> Boundaries:
        """Boundaries for text that costs the same with a blank line after it."""
        return self._boundaries(self.corpus.opens)

    @cached_property
    def strict(self) -> Boundaries:
        """Boundaries for any text."""
        return self._boundaries(self.corpus.inner)

    @property
    def base_size(self) -> int:
        """Pieces of the corpus once over."""
        return self.corpus.size // self.times

    def runs_of(self, tokens: int, *, is_end: bool) -> Runs:
        """Runs of whole sentences with exactly so many tokens, begun inside a paragraph.

        ``is_end`` asks for those that a context may end with.
        """
        if tokens <= LONGEST_RUN:
            return (self._last_runs if is_end else self._runs).get(tokens, _NO_RUNS)
        if (tokens, is_end) not in self._bridges:
            found = self._search(tokens)
            self._bridges[tokens, is_end] = _listed(self._plain(found) if is_end else found)
        return self._bridges[tokens, is_end]

    @cached_property
    def _runs(self) -> dict[int, Runs]:
        return {tokens: _listed(runs) for tokens, runs in self._by_count.items()}

    @cached_property
    def _last_runs(self) -> dict[int, Runs]:
        return {tokens: _listed(self._plain(runs)) for tokens, runs in self._by_count.items()}

    @cached_property
    def _by_count(self) -> dict[int, list[Run]]:
        corpus, runs = self.corpus, dict[int, list[Run]]()
        ends = set(self._ends)
        for first in self._firsts:
            for last in range(first + 1, self.base_size):
                tokens = corpus.tokens[last] - corpus.tokens[first]
                if tokens > LONGEST_RUN:
                    break
                if last in ends:
                    runs.setdefault(tokens, []).append(Run(first, last))
        return runs

    @cached_property
    def _bridges(self) -> dict[tuple[int, bool], Runs]:
        return {}

    def _search(self, tokens: int) -> list[Run]:
        corpus, ends, found = self.corpus, set(self._ends), []
        for first in self._firsts:
            wanted = corpus.tokens[first] + tokens
            last = bisect_left(corpus.tokens, wanted)
            if last in ends and corpus.tokens[last] == wanted:
                found.append(Run(first, last))
        return found

    def _plain(self, runs: Sequence[Run]) -> list[Run]:
        return [run for run in runs if self.corpus.plain[run.last - 1]]

    @cached_property
    def _firsts(self) -> list[int]:
        return self._of_base(self.corpus.inner, self.base_size - _RESERVE)

    @cached_property
    def _ends(self) -> list[int]:
        return self._of_base(self.corpus.opens, self.base_size - _RESERVE)

    def _of_base(self, pieces: list[int], least: int) -> list[int]:
        return pieces[bisect_left(pieces, least) : bisect_left(pieces, self.base_size)]

    def _boundaries(self, pieces: list[int]) -> Boundaries:
        return Boundaries(pieces, [self.corpus.tokens[piece] for piece in pieces])


def _listed(runs: Sequence[Run]) -> Runs:
    return Runs(list(runs), [run.first for run in runs])


@lru_cache(maxsize=16)
def load_background(haystack: str, tokenizer: str, seed: int, times: int = 1) -> Background:
    """The haystack from its starting sentence on, which depends on (haystack, seed) alone, ``times`` over.

    A haystack by path counts as the last part of it, as in case ids: moving a folder changes no context.
    Raises UnknownName, or HaystackError for a haystack that no context can begin with.
    """
    if times > 1:
        return Background(repeat(load_background(haystack, tokenizer, seed).corpus, times), times)
    corpus = load_corpus(haystack, tokenizer)
    if not corpus.beginnings:
        raise HaystackError(
            f"haystack {haystack!r} has no paragraph that a context could begin with, exactly counted by "
            f"{tokenizer}.",
            "Give it more text, or use another tokenizer.",
        )
    digest = hashlib.sha256(f"{slug(corpus.name)}|{seed}".encode()).digest()
    first = corpus.beginnings[int.from_bytes(digest[:8], "big") % len(corpus.beginnings)]
    return Background(rotate(corpus, first))
