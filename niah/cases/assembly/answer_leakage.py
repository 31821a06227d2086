"""Sentences of a haystack that answer a question by accident: to find them, and to do without them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from niah.errors import CaseError
from niah.haystacks.corpus import Corpus, keep
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

    A sentence inside a paragraph goes alone. At a paragraph's edge its neighbour may have to go with it, or
    the whole paragraph, and so wherever the tokens of what comes together would not be those that were
    counted. The corpus still begins where a context can. Raises CaseError where nothing is left.
    """
    starts = mention_starts(corpus.text, corpus.text.casefold(), names) if names else []
    pieces = list(dict.fromkeys(corpus.piece_at(start) for start in starts))
    if not pieces:
        return corpus, ()
    gaps = _Gaps(corpus, names, frozenset(pieces)).around(pieces)
    firsts, lasts = [0, *(last for _, last in gaps)], [*(first for first, _ in gaps), corpus.size]
    kept = [(first, last) for first, last in zip(firsts, lasts, strict=True) if first < last]
    if not kept:
        raise CaseError(
            "nothing is left of the haystack without the sentences that answer by accident.",
            "Use another haystack or needle set.",
            "the haystack answers by accident",
        )
    omissions, gone = list[Omission](), 0
    for first, last in gaps:
        omissions.append(Omission(first - gone, corpus.slice(first, last).strip()))
        gone += last - first
    return keep(corpus, kept), tuple(omissions)


_FURTHER = (2, 6, 30, 150)
"""So many pieces on each side of a sentence may have to go with it: as few as will do."""

_NEAR, _FAR = 200, 300
"""Characters on each side of a joint whose tokens must stay what they were, and that are read for it."""


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

    def around(self, pieces: Iterable[int]) -> list[tuple[int, int]]:
        """Gaps, from a first piece to before a last, that hold all of ``pieces``; none next to another."""
        gaps: list[tuple[int, int]] = []
        for piece in pieces:
            if gaps and piece < gaps[-1][1]:
                continue
            before = gaps[-1] if gaps else None
            gap = self._gap(piece, before)
            if before and gap[0] == before[0]:
                gaps.pop()
            gaps.append(gap)
        return gaps

    def _gap(self, piece: int, before: tuple[int, int] | None) -> tuple[int, int]:
        """The smallest gap that holds ``piece`` and comes after ``before``, or holds it too."""
        end = piece + 1
        while end in self._leaking:
            end += 1
        lowest = before[1] if before else 0
        for further in _FURTHER:
            firsts = range(max(lowest, piece - further), piece + 1)
            lasts = range(end, min(self._corpus.size, end + further) + 1)
            for first, last in sorted(product(firsts, lasts), key=self._tokens):
                start = before[0] if before and first == before[1] else first
                if last not in self._leaking and self._closes(start, last):
                    return start, last
        sentence = self._corpus.slice(piece, piece + 1).strip()
        raise CaseError(
            f"{sentence!r} answers by accident, and cannot be left out, exactly counted by "
            f"{self._corpus.tokenizer}.",
            "Use another tokenizer, or take the sentence out of the haystack.",
            "a sentence that answers by accident cannot be left out",
        )

    def _tokens(self, gap: tuple[int, int]) -> int:
        return self._corpus.tokens[gap[1]] - self._corpus.tokens[gap[0]]

    def _closes(self, first: int, last: int) -> bool:
        """Whether the pieces before ``first`` and from ``last`` on can come together."""
        corpus = self._corpus
        if not first:
            return last == corpus.size or last in self._beginnings
        if last == corpus.size:  # where the text begins again
            return corpus.is_start[first] and self._fits(first, 0)
        if corpus.is_start[first] != corpus.is_start[last]:
            return False
        return corpus.cuttable[first] and corpus.cuttable[last] and self._fits(first, last)

    def _fits(self, first: int, last: int) -> bool:
        """Whether tokens stay, and no name comes about, where ``last`` follows the piece before ``first``."""
        corpus, text = self._corpus, self._corpus.text
        together = corpus.slice(first - 1, first) + corpus.slice(last, last + 1)
        if mention_starts(together, together.casefold(), self._names):
            return False
        end, start = corpus.offsets[first], corpus.offsets[last]
        left, right = text[max(0, end - _FAR) : end], text[start : start + _FAR]
        before_right = text[max(0, start - _FAR) : start] if start else text[-_FAR:]
        near = min(_NEAR, len(left))
        now = self._starts(left + right, len(left), near, _NEAR)
        return now == self._starts(left + text[end : end + _FAR], len(left), near, 0) + self._starts(
            before_right + right, len(before_right), 0, _NEAR
        )

    def _starts(self, text: str, joint: int, before: int, after: int) -> list[int]:
        """Where tokens begin, as characters from the joint on, from ``before`` that to ``after`` it."""
        starts = self._tokenizer.starts(text) - joint
        return [int(start) for start in starts[(starts >= -before) & (starts < after)]]
