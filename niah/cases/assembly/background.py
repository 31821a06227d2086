"""The haystack as one seed sees it, and the short runs that make an exact count come out."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from niah.cases.assembly.answer_leakage import Omission, leave_out_mentions, shifted
from niah.cases.assembly.joints.token_merges import JointCosts
from niah.cases.case import Case, id_part
from niah.errors import HaystackError
from niah.haystacks.corpus import Corpus, concatenate, rotate
from niah.haystacks.documents import haystack_path, is_entries
from niah.haystacks.load import load_corpus
from niah.haystacks.structure import Structure
from niah.haystacks.world import is_world
from niah.text.costs import BEFORE
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

LONGEST_RUN = 200
"""Tokens that a run before a needle may have at most, unless a single sentence is longer."""

LONGEST_BRIDGE = 2000
"""Tokens that a run may have where a long sentence stands in the needle's way (Sterne writes some of 700)."""

_RESERVE = 4000
"""Pieces at the corpus' end that runs are taken from; enough for every count, and quick to index."""


_TO_SPARE = 20_000
"""Tokens of a world beyond what a context reads, for the runs that make counts come out."""


_SAMPLED = 500
"""Pieces that show how sentences of a haystack end."""

_PLAIN_SHARE = 5
"""One sentence in so many at least must end plainly, for contexts to end so."""


class Stretch(NamedTuple):
    """Unbroken haystack text: the pieces first to last - 1."""

    first: int
    last: int


@dataclass(frozen=True)
class Boundaries:
    """Sentence boundaries where text may go in: ``pieces[i]`` has ``tokens[i]`` haystack tokens before it."""

    pieces: list[int] = field(repr=False)
    tokens: list[int] = field(repr=False)


Runs: TypeAlias = list[tuple[int, int]]
"""Runs of one number of tokens by their first pieces and those behind the last, the farthest first."""


_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _RunIndex:
    """Runs of whole sentences by their number of tokens.

    Attributes:
        tokens: cumulative, of all pieces.
        firsts, ends: pieces that a run may begin with, and those that it may end before, ascending.
        limit: the piece before which runs end.
    """

    tokens: list[int] = field(repr=False)
    firsts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    limit: int

    def of(self, tokens: int) -> tuple[Integers, Integers]:
        """First pieces and last pieces of the runs with that many tokens, in the order of the corpus."""
        if tokens > LONGEST_RUN:
            return self._long(tokens)
        counts, firsts, lasts = self._by_count
        rows = slice(*np.searchsorted(counts, [tokens, tokens + 1]))
        return firsts[rows], lasts[rows]

    @cached_property
    def _by_count(self) -> tuple[Integers, Integers, Integers]:
        """Token counts, first pieces and last pieces of all short runs, ordered by them."""
        tokens, ends, firsts = self._totals, self._is_end, self._firsts
        lasts, found = firsts + 1, []
        while len(firsts):
            within = lasts < self.limit
            firsts, lasts = firsts[within], lasts[within]
            short = tokens[lasts] - tokens[firsts] <= LONGEST_RUN
            firsts, lasts = firsts[short], lasts[short]
            found.append((firsts[ends[lasts]], lasts[ends[lasts]]))
            lasts = lasts + 1
        starts, stops = (np.concatenate(side) for side in zip(*found, (_NONE, _NONE), strict=True))
        counts = tokens[stops] - tokens[starts]
        order = np.lexsort((stops, starts, counts))
        return counts[order], starts[order], stops[order]

    def _long(self, tokens: int) -> tuple[Integers, Integers]:
        wanted = self._totals[self._firsts] + tokens
        lasts = np.searchsorted(self._totals, wanted)
        within = np.flatnonzero(lasts < self.limit)
        lasts, wanted = lasts[within], wanted[within]
        exact = self._is_end[lasts] & (self._totals[lasts] == wanted)
        return self._firsts[within][exact], lasts[exact]

    @cached_property
    def _totals(self) -> Integers:
        return np.array(self.tokens)

    @cached_property
    def _firsts(self) -> Integers:
        return np.array(self.firsts, dtype=np.int64)

    @cached_property
    def _is_end(self) -> Flags:
        """Flags per piece: a run may end before it."""
        flags = np.zeros(self.limit + 1, dtype=bool)
        flags[self.ends] = True
        return flags


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
            found = self._runs[tokens, is_end] = _farthest_first(firsts, lasts)
        return found

    def runs_anywhere(self, tokens: int) -> Runs:
        """Runs of whole sentences with exactly so many tokens where they stand, begun and ended anywhere."""
        found = self._runs_anywhere.get(tokens)
        if found is None:
            found = self._runs_anywhere[tokens] = _farthest_first(*self._all_runs.of(tokens))
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
    def _neutral_runs(self) -> _RunIndex:
        return self._index(self.corpus.inner, self.corpus.opens)

    @cached_property
    def _all_runs(self) -> _RunIndex:
        pieces = list(range(1, self.runs_end))
        return self._index(pieces, pieces)

    def _index(self, firsts: list[int], ends: list[int]) -> _RunIndex:
        return _RunIndex(self.corpus.tokens, self._of_reserve(firsts), self._of_reserve(ends), self.runs_end)

    def _of_reserve(self, pieces: list[int]) -> list[int]:
        return pieces[bisect_left(pieces, self.runs_end - _RESERVE) : bisect_left(pieces, self.runs_end)]

    def _boundaries(self, pieces: list[int]) -> Boundaries:
        return Boundaries(pieces, [self.corpus.tokens[piece] for piece in pieces])


def _farthest_first(firsts: Integers, lasts: Integers) -> Runs:
    return list(zip(firsts[::-1].tolist(), lasts[::-1].tolist(), strict=True))


class BackgroundSource(NamedTuple):
    """The haystack of a case, as one seed sees it.

    Attributes:
        haystack: a name or path.
        tokenizer: whose tokens count.
        seed: chooses the starting sentence.
        structure: how the text is read, if that is said.
        without: names; sentences that mention one are left out.
        entries_of: the needle set whose further entries are the haystack; "" for text of its own.
    """

    haystack: str
    tokenizer: str
    seed: int
    structure: Structure | None = None
    without: tuple[str, ...] = ()
    entries_of: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether there is always more of it, so that it need not begin again."""
        return bool(self.entries_of) or is_world(haystack_path(self.haystack))

    def load(self, instance: int = 0) -> Corpus:
        """The haystack, or a further instance of one that goes on. Raises UserError."""
        if self.entries_of:
            from niah.needles.entries import load_entries  # families are imported where one is asked for

            return load_entries(self.entries_of, self.tokenizer, self.seed, instance)
        return load_corpus(self.haystack, self.tokenizer, self.seed, instance, self.structure)


def background_source(case: Case, names: tuple[str, ...]) -> BackgroundSource:
    """Where a case's background comes from; ``names`` are those that answer its question."""
    without = names if case.accidents == "avoid" else ()
    entries_of = case.needle_set if is_entries(case.haystack) else ""
    return BackgroundSource(case.haystack, case.tokenizer, case.seed, case.structure, without, entries_of)


def background_of(source: BackgroundSource, tokens: int, *, to_spare: bool = False) -> Background:
    """The haystack from its starting sentence on, and then over again until it holds ``tokens`` tokens.

    What goes on does so with further instances, with some to spare for runs; other text repeats itself. The
    starting sentence depends on (haystack, seed) alone, and more tokens never change those before. Raises as
    ``load_background`` does.

    Args:
        source: of the haystack.
        tokens: those that a context reads.
        to_spare: whether there must be some to spare even where the first instance is long enough.
    """
    background = load_background(source)
    once = background.corpus.tokens[-1]
    if tokens + (_TO_SPARE if to_spare and background.goes_on else 0) <= once:
        return background
    if not once:
        raise HaystackError(
            f"{source.tokenizer} finds no tokens at all in the haystack {source.haystack!r}.",
            "Use another tokenizer.",
        )
    if not background.goes_on:
        return _again(source, -(-tokens // once))
    parts, there = 1, once
    while there < tokens + _TO_SPARE:
        there += _instance(source, parts)[0].tokens[-1]
        parts += 1
    return _again(source, parts)


def load_background(source: BackgroundSource) -> Background:
    """The haystack from its starting sentence on, which depends on (haystack, seed) alone.

    A haystack by path counts as the last part of it, as in case ids: moving a folder changes no context.
    Contexts begin with a paragraph, one that costs the same there as inside, if there is any. Sentences that
    mention one of the names ``without`` are left out; where the starting sentence is one, the first after it
    that can begin a context is the start.

    Raises UnknownName, ConfigError or HaystackError, or CaseError where nothing is left of it.
    """
    return _without(source) if source.without else _whole(source)


@lru_cache(maxsize=16)
def _whole(source: BackgroundSource) -> Background:
    corpus = source.load()
    beginnings = corpus.beginnings
    digest = hashlib.sha256(f"{id_part(corpus.name)}|{source.seed}".encode()).digest()
    first = beginnings[int.from_bytes(digest[:8], "big") % len(beginnings)]
    return Background(rotate(corpus, first), corpus.size, goes_on=source.goes_on)


@lru_cache(maxsize=4)
def _without(source: BackgroundSource) -> Background:
    whole = _whole(source._replace(without=()))
    corpus, omissions = leave_out_mentions(whole.corpus, source.without)
    return Background(corpus, corpus.size, goes_on=whole.goes_on, omissions=omissions)


@lru_cache(maxsize=32)
def _instance(source: BackgroundSource, instance: int) -> tuple[Corpus, tuple[Omission, ...]]:
    """A further instance of a haystack that goes on, and what was left out of it."""
    corpus, omissions = leave_out_mentions(source.load(instance), source.without)
    return corpus, tuple(omissions)


@lru_cache(maxsize=4)
def _again(source: BackgroundSource, parts: int) -> Background:
    """The haystack, and ``parts`` - 1 times more of it."""
    begun = load_background(source)
    first, size = begun.corpus, begun.corpus.size
    if not begun.goes_on:
        omissions = [shifted(begun.omissions, part * size) for part in range(parts)]
        corpus = concatenate([first] * parts)
        return Background(corpus, size, repeats=True, omissions=tuple(chain.from_iterable(omissions)))
    corpora, omissions = [first], [begun.omissions]
    for instance in range(1, parts):
        corpus, more = _instance(source, instance)
        omissions.append(shifted(more, sum(each.size for each in corpora)))
        corpora.append(corpus)
    left_out = tuple(chain.from_iterable(omissions))
    return Background(concatenate(corpora), size, goes_on=True, omissions=left_out)
