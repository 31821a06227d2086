"""A haystack tokenised once: every sentence a piece whose token count adds up.

A piece is a sentence with what joins it to its neighbours: a leading space inside a paragraph, a
blank line after a paragraph's last sentence. Both tokenizers that ship cut their text before a
space that precedes a word and after a line break, so the pieces' counts add up exactly; building
a corpus checks that they do. (o200k reads slashes together with a line break before them, which is why
``niah.haystacks.prose`` lets no paragraph begin with one.)
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.errors import HaystackError
from niah.haystacks.documents import Document, load_documents
from niah.text.sentences import split_sentences
from niah.text.tokenizer import Tokenizer, count, get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARAGRAPH_BREAK = "\n\n"
_PLAIN_END = re.compile(r"[A-Za-z0-9]\.$")


@dataclass(frozen=True)
class Corpus:
    """Sentences of a haystack in order, as one text with the offsets of its n pieces.

    Attributes:
        name: the haystack's name.
        tokenizer: whose tokens are counted.
        text: all pieces, one after another.
        offsets: n + 1 character offsets of the pieces in ``text``.
        tokens: n + 1 cumulative token counts.
        is_start: n flags, whether the piece starts a paragraph.
        neutral_start: n flags, whether the piece costs as many tokens behind a space as without.
        neutral_break: n flags, whether the piece costs as many tokens with a blank line after it as without.
        plain: n flags, whether the sentence ends in a letter or digit and a full stop.
    """

    name: str
    tokenizer: str
    text: str = field(repr=False)
    offsets: list[int] = field(repr=False)
    tokens: list[int] = field(repr=False)
    is_start: list[bool] = field(repr=False)
    neutral_start: list[bool] = field(repr=False)
    neutral_break: list[bool] = field(repr=False)
    plain: list[bool] = field(repr=False)

    @property
    def size(self) -> int:
        """Number of pieces."""
        return len(self.offsets) - 1

    @cached_property
    def inner(self) -> list[int]:
        """Pieces that stand inside a paragraph, ascending: any text may go in before them."""
        return [piece for piece in range(1, self.size) if not self.is_start[piece]]

    @cached_property
    def opens(self) -> list[int]:
        """``inner``, and the paragraph starts before which break-neutral text may go in."""
        return [
            piece
            for piece in range(1, self.size)
            if not self.is_start[piece] or self.neutral_break[piece - 1]
        ]

    @cached_property
    def beginnings(self) -> list[int]:
        """Pieces that a context may begin with: neutral starts of a paragraph."""
        return [piece for piece in range(self.size) if self.is_start[piece] and self.neutral_start[piece]]

    @cached_property
    def sha256(self) -> str:
        """Digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def slice(self, first: int, last: int) -> str:
        """Text of the pieces first to last - 1."""
        return self.text[self.offsets[first] : self.offsets[last]]

    def piece_at(self, offset: int) -> int:
        """Number of the piece that holds the character at ``offset``."""
        return bisect_right(self.offsets, offset) - 1


@lru_cache(maxsize=8)
def load_corpus(name: str, tokenizer: str) -> Corpus:
    """The haystack of that name or path, tokenised. Raises UnknownName or HaystackError."""
    return build_corpus(name, load_documents(name), get_tokenizer(tokenizer))


def build_corpus(name: str, documents: Sequence[Document], tokenizer: Tokenizer) -> Corpus:
    """Split, join and count. Raises HaystackError where there is no text or counts do not add up."""
    paragraphs = [split_sentences(paragraph) for document in documents for paragraph in document.paragraphs]
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    if not sentences:
        raise HaystackError(f"haystack {name!r} holds no sentences.", "Give it text.")
    is_start, is_end = _paragraph_edges([len(paragraph) for paragraph in paragraphs if paragraph])
    pieces = [_piece(*joints) for joints in zip(sentences, is_start, is_end, strict=True)]
    counts = tokenizer.counts(pieces)
    text = "".join(pieces)
    if count(tokenizer, text) != counts.sum():
        raise HaystackError(
            f"haystack {name!r}: token counts of {tokenizer.name} do not add up over its sentences.",
            "Look for a paragraph that begins with a slash or a stray mark.",
        )
    bare = tokenizer.counts([_piece(text, True, end) for text, end in zip(sentences, is_end, strict=True)])
    spaced = tokenizer.counts([_piece(text, False, end) for text, end in zip(sentences, is_end, strict=True)])
    unbroken = tokenizer.counts([_piece(*joints, False) for joints in zip(sentences, is_start, strict=True)])
    return Corpus(
        name=name,
        tokenizer=tokenizer.name,
        text=text,
        offsets=_cumulative([len(piece) for piece in pieces]),
        tokens=_cumulative(counts),
        is_start=is_start,
        neutral_start=(spaced == bare).tolist(),
        neutral_break=(unbroken == counts).tolist(),
        plain=[_PLAIN_END.search(sentence) is not None for sentence in sentences],
    )


def _paragraph_edges(lengths: Sequence[int]) -> tuple[list[bool], list[bool]]:
    """Flags per sentence: starts its paragraph, ends its paragraph."""
    ends = np.cumsum(lengths)
    is_end = np.zeros(ends[-1], dtype=bool)
    is_end[ends - 1] = True
    return np.concatenate(([True], is_end[:-1])).tolist(), is_end.tolist()


def _piece(sentence: str, is_start: bool, is_end: bool) -> str:
    return ("" if is_start else " ") + sentence + (PARAGRAPH_BREAK if is_end else "")


def _cumulative(values: Sequence[int] | NDArray[np.int64]) -> list[int]:
    totals: list[int] = np.concatenate(([0], np.cumsum(values, dtype=np.int64))).tolist()
    return totals


def rotate(corpus: Corpus, first: int) -> Corpus:
    """The same corpus begun at ``first``, one of ``beginnings``; what stood before goes to the end."""

    def turned(flags: list[bool]) -> list[bool]:
        return flags[first:] + flags[:first]

    return Corpus(
        name=corpus.name,
        tokenizer=corpus.tokenizer,
        text=corpus.text[corpus.offsets[first] :] + corpus.text[: corpus.offsets[first]],
        offsets=_turned_totals(corpus.offsets, first),
        tokens=_turned_totals(corpus.tokens, first),
        is_start=turned(corpus.is_start),
        neutral_start=turned(corpus.neutral_start),
        neutral_break=turned(corpus.neutral_break),
        plain=turned(corpus.plain),
    )


def _turned_totals(totals: list[int], first: int) -> list[int]:
    before, everything = totals[first], totals[-1]
    tail = [total - before for total in totals[first:]]
    return tail + [total + everything - before for total in totals[1 : first + 1]]
