"""Sentences of a haystack that answer a question by accident: to find them, and to do without them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

from niah.errors import CaseError
from niah.haystacks.corpus import Corpus, Kept, keep
from niah.haystacks.documents import Document
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_starts
from niah.text.sentences import sentence_spans
from niah.text.tokenizer import get_tokenizer


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

    A neighbour goes with a sentence only where the tokens of what comes together would not be those that were
    counted. A paragraph whose last sentence is gone ends with the one before; one whose first is gone goes on
    the paragraph before. The corpus still begins where a context can. Raises CaseError where nothing is left.
    """
    starts = mention_starts(corpus.text, corpus.text.casefold(), names) if names else []
    pieces = list(dict.fromkeys(corpus.piece_at(start) for start in starts))
    if not pieces:
        return corpus, ()
    gaps = _Gaps(corpus, names, frozenset(pieces)).around(pieces)
    kept, omissions, cursor, gone = list[Kept](), list[Omission](), 0, 0
    for gap in gaps:
        if cursor < gap.first:
            kept.append(Kept(cursor, gap.first, gap.ending, gap.tokens))
        omissions.append(Omission(gap.first - gone, corpus.slice(gap.first, gap.last).strip()))
        cursor, gone = gap.last, gone + gap.last - gap.first
    if cursor < corpus.size:
        kept.append(Kept(cursor, corpus.size))
    if not kept:
        raise CaseError(
            "nothing is left of the haystack without the sentences that answer by accident.",
            "Use another haystack or needle set.",
            "the haystack answers by accident",
        )
    return keep(corpus, kept), tuple(omissions)


_FURTHER = (0, 2, 6, 30, 150)
"""So many pieces on each side of a sentence may have to go with it: as few as will do."""

_NEAR, _FAR = 200, 300
"""Characters on each side of a joint whose tokens must stay what they were, and that are read for it."""


class _Gap(NamedTuple):
    """Pieces first to last - 1, which can go.

    Attributes:
        ending, tokens: what then becomes of the piece before them; see ``Kept``.
    """

    first: int
    last: int
    ending: str | None = None
    tokens: int = 0


def _going_back(piece: int, gaps: Sequence[_Gap]) -> Iterator[int]:
    """``piece`` and those before it that are in none of the ``gaps``; a gap's first for all of it."""
    before = len(gaps)
    while piece >= 0:
        if before and piece == gaps[before - 1].last:
            before -= 1
            piece = gaps[before].first
        yield piece
        piece -= 1


class _Gaps:
    """Finds the stretches of a corpus that can go, so that what comes together costs what it did.

    Args:
        corpus: the haystack.
        names: what the pieces ``leaking`` mention, and no other.
    """

    def __init__(self, corpus: Corpus, names: Sequence[str], leaking: Collection[int]) -> None:
        self._corpus = corpus
        self._names = names
        self._leaking = leaking
        self._beginnings = frozenset(corpus.beginnings)
        self._tokenizer = get_tokenizer(corpus.tokenizer)

    def around(self, pieces: Iterable[int]) -> list[_Gap]:
        """Gaps that hold all of ``pieces``, ascending, none next to another."""
        gaps: list[_Gap] = []
        for piece in pieces:
            if gaps and piece < gaps[-1].last:
                continue
            gap = self._around(piece, gaps)
            while gaps and gap.first <= gaps[-1].first:
                gaps.pop()
            gaps.append(gap)
        return gaps

    def _around(self, piece: int, gaps: Sequence[_Gap]) -> _Gap:
        """The smallest gap that holds ``piece``, and those of the ``gaps`` before it that it comes to."""
        corpus, end = self._corpus, piece + 1
        while end in self._leaking:
            end += 1
        for further in _FURTHER:
            firsts = islice(_going_back(piece, gaps), further + 1)
            lasts = range(end, min(corpus.size, end + further) + 1)
            by_tokens = sorted(
                product(firsts, lasts), key=lambda ends: corpus.tokens[ends[1]] - corpus.tokens[ends[0]]
            )
            for first, last in by_tokens:
                if last not in self._leaking and (gap := self._closed(first, last)):
                    return gap
        sentence = corpus.slice(piece, piece + 1).strip()
        raise CaseError(
            f"{sentence!r} answers by accident, and cannot go, exactly counted by {corpus.tokenizer}.",
            "Use another tokenizer, or take the sentence out of the haystack.",
            "a sentence that answers by accident cannot be left out",
        )

    def _closed(self, first: int, last: int) -> _Gap | None:
        """The gap between two pieces, where what stands around it can come together."""
        corpus = self._corpus
        if not first:
            return _Gap(first, last) if last == corpus.size or last in self._beginnings else None
        starts_next = last == corpus.size or corpus.is_start[last]  # at the end, the text begins again
        if not (corpus.cuttable[first] and corpus.cuttable[last % corpus.size]):
            return None
        ending = None
        if corpus.is_start[first] != starts_next:
            ending = _line_ends(corpus.slice(last - 1, last)) if starts_next else ""
        return self._joined(first, last, ending)

    def _joined(self, first: int, last: int, ending: str | None) -> _Gap | None:
        """The gap, where tokens stay and no name comes about: the joint is tokenised again."""
        corpus, text = self._corpus, self._corpus.text
        following = last % corpus.size
        end, start = corpus.offsets[first], corpus.offsets[following]
        own = _line_ends(corpus.slice(first - 1, first))
        ending = own if ending is None else ending
        left, right = text[max(0, end - _FAR) : end].removesuffix(own), text[start : start + _FAR]
        together = (
            corpus.slice(first - 1, first).removesuffix(own) + ending + corpus.slice(following, following + 1)
        )
        if mention_starts(together, together.casefold(), self._names):
            return None
        before_right = text[max(0, start - _FAR) : start] if start else text[-_FAR:]
        near = min(_NEAR, len(left))
        now = self._starts(left + ending + right, len(left), near, len(ending) + _NEAR)
        then = self._starts(left + text[end - len(own) : end + _FAR], len(left), near, len(own))
        behind = self._starts(before_right + right, len(before_right), 0, _NEAR)
        if [at for at in now if at < 0] != [at for at in then if at < 0]:
            return None
        if [at - len(ending) for at in now if at >= len(ending)] != behind:
            return None
        more = sum(0 <= at < len(ending) for at in now) - sum(at >= 0 for at in then)
        return _Gap(first, last, None if ending == own else ending, more)

    def _starts(self, text: str, joint: int, before: int, after: int) -> list[int]:
        """Where tokens begin, as characters from the joint on, from ``before`` that to ``after`` it."""
        starts = self._tokenizer.starts(text) - joint
        return [int(start) for start in starts[(starts >= -before) & (starts < after)]]


def _line_ends(piece: str) -> str:
    return piece[len(piece.rstrip("\n")) :]
