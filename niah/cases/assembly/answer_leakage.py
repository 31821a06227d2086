"""Sentences of a haystack that answer a question by accident: to find them, and to do without them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from niah.errors import CaseError
from niah.haystacks.corpus import Corpus, Kept, keep
from niah.haystacks.documents import Document
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.sentences import sentence_spans

_Runs: TypeAlias = Callable[[], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class AnswerLeak:
    """A sentence that mentions an element of a needle set."""

    needle_set: str
    document: str
    sentence: str


def answer_leaks(documents: Sequence[Document], needle_sets: Sequence[NeedleSet]) -> Iterator[AnswerLeak]:
    """Every sentence of the documents that mentions an element or alias, once for each needle set."""
    for document in documents:
        for text in document.paragraphs:
            folded = text.casefold()
            for needle_set in needle_sets:
                names = [name for element in needle_set.stated for name in element.names]
                found = mention_starts(text, folded, names)
                for start, end in sentence_spans(text, 0, len(text)) if found else ():
                    if any(start <= at < end for at in found):
                        yield AnswerLeak(needle_set.name, document.name, text[start:end])


class Omission(NamedTuple):
    """What was left out of a corpus at one place.

    Attributes:
        at: the piece of the remaining corpus that follows.
        text: a sentence, or several that stood together.
    """

    at: int
    text: str


def shifted(omissions: Iterable[Omission], pieces: int) -> tuple[Omission, ...]:
    """The omissions of a corpus that has ``pieces`` more before it."""
    return tuple(Omission(omission.at + pieces, omission.text) for omission in omissions)


def leave_out_mentions(corpus: Corpus, names: Sequence[str]) -> tuple[Corpus, tuple[Omission, ...]]:
    """The corpus without the sentences that mention one of the names, counted as exactly as before.

    A paragraph whose last sentence is gone ends with the one before; one whose first is gone goes on with the
    paragraph before. The corpus still begins where a context can. Raises CaseError where nothing is left.
    """
    starts = mention_starts(corpus.text, corpus.text.casefold(), names) if names else []
    leaking = frozenset(corpus.piece_at(start) for start in starts)
    if not leaking:
        return corpus, ()
    kept, omissions, cursor, gone = list[Kept](), list[Omission](), 0, 0
    for first, last in _gaps(corpus, names, leaking):
        if cursor < first:
            kept.append(Kept(cursor, first, _ending(corpus, first, last)))
        omissions.append(Omission(first - gone, corpus.slice(first, last).strip()))
        cursor, gone = last, gone + last - first
    if cursor < corpus.size:
        kept.append(Kept(cursor, corpus.size))
    rest = keep(corpus, kept) if kept else None
    if rest is None or corpus.neutral_start[0] > rest.neutral_start[0]:
        raise CaseError(
            "nothing to begin a context with is left of the haystack without what answers by accident.",
            "Use another haystack or needle set.",
            "the haystack answers by accident",
        )
    return rest, tuple(omissions)


def check_no_accidents(corpus: Corpus, needle_set: str, names: tuple[str, ...], runs: _Runs) -> None:
    """Raise CaseError where a context answers by accident.

    Args:
        corpus: the haystack.
        needle_set: whose question is asked.
        names: those that answer it.
        runs: makes the context's runs of the haystack, by their first pieces and those behind the last.
    """
    offsets = _accidents(corpus.text, names)
    if not offsets:
        return
    there = runs()
    for offset in offsets:
        piece = corpus.piece_at(offset)
        if any(first <= piece < last for first, last in there):
            raise CaseError(
                f"the haystack answers by accident: {corpus.slice(piece, piece + 1).strip()!r} holds "
                f"an element of {needle_set}.",
                "Use another haystack or needle set, or leave it out with accidents: avoid in the suite.",
                "the haystack answers by accident",
            )


@lru_cache(maxsize=512)
def _accidents(text: str, names: tuple[str, ...]) -> list[int]:
    """Character offsets at which the corpus mentions an element."""
    return mention_starts(text, _folded(text), names)


@lru_cache(maxsize=4)
def _folded(text: str) -> str:
    return text.casefold()


def _gaps(corpus: Corpus, names: Sequence[str], leaking: Collection[int]) -> Iterator[tuple[int, int]]:
    """First pieces, and those behind the last, of what has to go; ascending, none next to another."""
    beginnings = frozenset(corpus.beginnings)
    last = 0
    for first in sorted(leaking):
        if first < last:
            continue
        last = first + 1
        while last < corpus.size and not _may_follow(corpus, names, leaking, beginnings, first, last):
            last += 1
        yield first, last


def _may_follow(
    corpus: Corpus,
    names: Sequence[str],
    leaking: Collection[int],
    beginnings: Collection[int],
    first: int,
    last: int,
) -> bool:
    """Whether piece ``last`` may follow the one before ``first``, or begin the corpus where there is none."""
    if last in leaking or not first:
        return last not in leaking and last in beginnings
    together = corpus.slice(first - 1, first).rstrip() + " " + corpus.slice(last, last + 1).lstrip()
    return not mention_starts(together, together.casefold(), names)


def _ending(corpus: Corpus, first: int, last: int) -> str | None:
    """How the piece before ``first`` is to end where piece ``last`` follows; None for as it does.

    The corpus' end is followed by its beginning.
    """
    starts_paragraph = last == corpus.size or corpus.is_start[last]
    if corpus.is_start[first] == starts_paragraph:
        return None
    gone = corpus.slice(last - 1, last)
    return gone[len(gone.rstrip("\n")) :] if starts_paragraph else ""
