"""Where a case's background comes from: a haystack begun where its seed says, and more of it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from niah.cases.assembly.answer_leakage import Omission, leave_out_mentions, shifted
from niah.cases.assembly.backgrounds.background import Background
from niah.cases.case import Case, id_part
from niah.errors import HaystackError
from niah.haystacks.corpus import Corpus, concatenate, rotate
from niah.haystacks.documents import haystack_path, is_entries
from niah.haystacks.load import load_corpus
from niah.haystacks.structure import Structure
from niah.haystacks.world import is_world

_TO_SPARE = 20_000
"""Tokens of a world beyond what a context reads, for the runs that make counts come out."""


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
