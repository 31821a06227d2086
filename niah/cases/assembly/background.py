"""A haystack as one seed sees it: from the starting sentence on, with short runs of it by their tokens."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from niah.cases.case import Case, id_part
from niah.errors import CaseError, HaystackError
from niah.haystacks.corpus import (
    Corpus,
    concatenate,
    haystack_state,
    load_corpus,
    rotate,
    shuffled,
    without_pieces,
)
from niah.haystacks.documents import haystack_path, is_entries
from niah.haystacks.world import is_world
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.tokenizer import BEFORE

_TO_SPARE = 20_000  # tokens of a haystack that goes on beyond what a context reads, for runs
_RESERVE = 4000  # pieces at the corpus' end that runs are taken from
ACCIDENT = "the haystack answers by accident"
Run = tuple[int, int]  # unbroken haystack text: its first piece and the one behind its last


class BackgroundSource(NamedTuple):
    """The haystack of a case, as one seed sees it."""

    haystack: str
    tokenizer: str
    seed: int
    without: tuple[str, ...] = ()  # sentences that mention one of these names are left out
    entries_of: str = ""  # the needle set whose further entries are the haystack; "" for text of its own
    state: Hashable = None  # of its files: another where one was edited
    shuffled: int = 0  # tokens of it whose sentences are shuffled

    @property
    def goes_on(self) -> bool:
        """Whether there is always more of it, so that it need not begin again."""
        return bool(self.entries_of) or is_world(haystack_path(self.haystack))

    def load(self, instance: int = 0) -> Corpus:
        """The haystack, or a further instance of one that goes on. Raises UserError."""
        if self.entries_of:
            from niah.needles.entries import load_entries  # families are imported where one is asked for

            return load_entries(self.entries_of, self.tokenizer, self.seed, instance)
        return load_corpus(self.haystack, self.tokenizer, self.seed, instance)


@dataclass(frozen=True, eq=False)
class Background:
    """A corpus from its start, and more behind ``base_size`` pieces: itself again, or a further instance."""

    corpus: Corpus
    base_size: int
    repeats: bool = False  # behind it is the same text again
    goes_on: bool = False  # behind it is a further instance
    _known: dict[int, list[Run]] = field(default_factory=dict, init=False)

    @cached_property
    def usual_end(self) -> str:
        """A sentence that ends as most do."""
        pieces = range(min(self.base_size, 500))
        ends = [self.corpus.slice(piece, piece + 1).strip() for piece in pieces]
        usual, _ = Counter(end[-1:] for end in ends).most_common(1)[0]
        return BEFORE if usual == "." else next(end for end in ends if end.endswith(usual))

    def runs(self, tokens: int) -> list[Run]:
        """The runs of whole pieces at the corpus' end with that many tokens, the farthest first."""
        if tokens not in self._known:
            first, totals = self._totals
            wanted = totals + tokens
            lasts = np.searchsorted(totals, wanted)
            found = np.flatnonzero(totals[np.minimum(lasts, len(totals) - 1)] == wanted)[::-1]
            pairs = zip((found + first).tolist(), (lasts[found] + first).tolist(), strict=True)
            self._known[tokens] = list(pairs)
        return self._known[tokens]

    @cached_property
    def _totals(self) -> tuple[int, np.ndarray]:
        """The first piece that runs may begin with, and the tokens before it and each of the next."""
        end = self.base_size if self.repeats else self.corpus.size
        first = max(1, end - _RESERVE)
        return first, np.array(self.corpus.tokens[first:end])


def background_source(case: Case, needle_set: NeedleSet) -> BackgroundSource:
    """Where the background of a case, with that needle set, comes from. Raises UserError."""
    without = needle_set.answering if case.accidents == "avoid" else ()
    entries_of = case.needle_set if is_entries(case.haystack) else ""
    state = needle_set if entries_of else haystack_state(case.haystack)
    many = case.context_length if case.haystack_order == "shuffled" else 0
    return BackgroundSource(case.haystack, case.tokenizer, case.seed, without, entries_of, state, many)


def background_of(source: BackgroundSource, tokens: int, *, to_spare: bool = False) -> Background:
    """The haystack from its starting sentence on, and as much more of it as ``tokens`` tokens need.

    What goes on does so with further instances, other text begins again; what comes before never changes.
    """
    background = load_background(source)
    once = background.corpus.tokens[-1]
    if tokens + (_TO_SPARE if to_spare and background.goes_on else 0) <= once:
        return background
    if not once:
        problem = f"{source.tokenizer} finds no tokens at all in the haystack {source.haystack!r}."
        raise HaystackError(problem, "Use another tokenizer.")
    if not background.goes_on:
        return _extended(source, -(-tokens // once))
    parts = 1
    while once < tokens + _TO_SPARE:
        once += _instance(source, parts).tokens[-1]
        parts += 1
    return _extended(source, parts)


@lru_cache(maxsize=16)
def load_background(source: BackgroundSource) -> Background:
    """The haystack from its starting sentence on, which depends on (haystack, seed) alone.

    One by path counts as its last part, as in case ids: moving a folder changes no context. Raises UserError.
    """
    whole = source.load()
    digest = hashlib.sha256(f"{id_part(whole.name)}|{source.seed}".encode()).digest()
    first = whole.beginnings[int.from_bytes(digest[:8], "big") % len(whole.beginnings)]
    corpus = begun = rotate(whole, first)
    if source.without:
        corpus = _leave_out(begun, source.without)
        if corpus.neutral_start[0] < begun.neutral_start[0]:
            corpus = rotate(corpus, corpus.beginnings[0])
    if source.shuffled:
        corpus = shuffled(corpus, source.shuffled, f"{id_part(whole.name)}|{source.seed}|order")
    return Background(corpus, corpus.size, goes_on=source.goes_on)


def _leave_out(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """The corpus without the sentences that mention one of the names. Raises CaseError where none is left."""
    gone, rest, pieces = set[int](), corpus, list(range(corpus.size))
    while found := {pieces[rest.piece_at(at)] for at in mention_starts(rest.text, names)}:
        gone |= found  # those that come together may mention a name only then
        pieces = [piece for piece in pieces if piece not in gone]
        if not pieces:
            problem = "nothing is left of the haystack without what answers by accident."
            raise CaseError(problem, "Use another haystack or needle set.", ACCIDENT)
        rest = without_pieces(corpus, gone)
    return rest


@lru_cache(maxsize=32)
def _instance(source: BackgroundSource, instance: int) -> Corpus:
    """A further instance of a haystack that goes on, without what is to be left out of it."""
    corpus = source.load(instance)
    corpus = _leave_out(corpus, source.without) if source.without else corpus
    return shuffled(corpus, source.shuffled, f"{source.seed}|{instance}") if source.shuffled else corpus


@lru_cache(maxsize=4)
def _extended(source: BackgroundSource, parts: int) -> Background:
    """The haystack, and ``parts`` - 1 times more of it."""
    begun = load_background(source)
    more = (_instance(source, part) if begun.goes_on else begun.corpus for part in range(1, parts))
    corpus = concatenate([begun.corpus, *more])
    return Background(corpus, begun.corpus.size, repeats=not begun.goes_on, goes_on=begun.goes_on)
