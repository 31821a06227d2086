"""Texts as MixPR's loops read them: chunks as a stream of term numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.lexical import FOLDS, folded
from niah.retrieval.mixpr import kernels
from niah.text.mentions import marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Offsets = NDArray[np.int64]

# Characters that are read at a time, and slots of the first hash table.
_BLOCK = 1 << 15
_SLOTS = 1 << 14

# No character from here on is white space, is part of a word, is foreign or has a lower case.
_PLAIN = 0x40000
_CODE_POINTS = 0x110000
_PATTERNS = {
    kernels.WORD: r"\w+",
    kernels.DIGIT: r"\d+",
    kernels.MARK: f"[{marks()}]+",
    kernels.FOLDED: f"{FOLDS}+",
}


@lru_cache(maxsize=1)
def characters() -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """The class of each code point, and its lower case, 0 where it is no part of a word.

    They are Python's own answers, and take 40 ms.
    """
    every = "".join(map(chr, range(_PLAIN)))
    classes = np.zeros(_CODE_POINTS, dtype=np.uint16)
    for bit, pattern in _PATTERNS.items():
        for match in re.finditer(pattern, every):
            classes[match.start() : match.end()] |= bit
    # Two have no lower case of one character; texts with them are folded.
    lowered = every.replace("İ", "i").replace("Σ", "σ").lower()
    letters = np.zeros(_CODE_POINTS, dtype=np.uint32)
    letters[: len(every)] = _codes(lowered)
    letters[classes & (kernels.WORD | kernels.MARK) == 0] = 0
    return classes, letters


def _codes(text: str) -> Codes:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@dataclass(frozen=True)
class TermStream:
    """The terms of n chunks, in document order, a term as often as the chunk has it."""

    terms: NDArray[np.uint32]  # shape (terms in all,), numbers from 0 by first appearance
    borders: Offsets  # shape (n + 1,): chunk i has ``terms[borders[i]:borders[i + 1]]``
    chunks_with: Offsets  # shape (distinct terms,): in how many chunks each term is


def term_stream(texts: Sequence[str]) -> TermStream:
    """The terms of the texts, those of ``niah.retrieval.lexical.term_lists``: 4 bytes for each."""
    reader, part, size = _Reader(), list[str](), 0
    for text in texts:
        part.append(text)
        size += len(text)
        if size > _BLOCK:
            reader.read(part)
            part, size = [], 0
    reader.read(part)
    return TermStream(
        np.concatenate(reader.terms), np.concatenate(reader.borders), reader.chunks_with[: reader.distinct]
    )


class _Reader:
    """Reads chunks, part after part, by one hash table of terms."""

    def __init__(self) -> None:
        self.terms: list[NDArray[np.uint32]] = []
        self.borders = [np.zeros(1, dtype=np.int64)]
        self.distinct = self._chunks = 0
        self._keys, self._ids = np.zeros(_SLOTS, dtype=np.uint64), np.empty(_SLOTS, dtype=np.uint32)
        self._latest, self.chunks_with = (np.empty(_SLOTS // 2, dtype=np.int64) for _ in range(2))

    def read(self, chunks: Sequence[str]) -> None:
        """More chunks, in document order."""
        classes, letters = characters()
        text = "".join(chunks)
        codes = _codes(text)
        if not text.isascii() and (classes[codes] & kernels.FOLDED).any():
            chunks = folded(chunks)
            codes = _codes("".join(chunks))
        lengths = np.array([len(chunk) for chunk in chunks], dtype=np.int64)
        terms = np.empty(int(((lengths + 1) // 2).sum()), dtype=np.uint32)
        borders = np.zeros(len(chunks) + 1, dtype=np.int64)
        if 2 * (self.distinct + len(terms)) > len(self._keys):
            self._grow(2 * (self.distinct + len(terms)))
        table = (self._keys, self._ids, self._latest, self.chunks_with, self.distinct)
        self.distinct = kernels.terms_into(
            codes, classes, letters, np.cumsum(lengths), self._chunks, terms, borders, *table
        )
        self._chunks += len(chunks)
        self.terms.append(terms[: borders[-1]].copy())
        self.borders.append(borders[1:] + self.borders[-1][-1])

    def _grow(self, slots: int) -> None:
        """Gives the hash table at least so many slots, and half as many terms."""
        slots, old_keys, old_ids = 1 << (slots - 1).bit_length(), self._keys, self._ids
        self._keys, self._ids = np.zeros(slots, dtype=np.uint64), np.empty(slots, dtype=np.uint32)
        kernels.fill(self._keys, self._ids, old_keys, old_ids)
        self._latest, self.chunks_with = (
            np.concatenate([each[: self.distinct], np.empty(slots // 2 - self.distinct, dtype=np.int64)])
            for each in (self._latest, self.chunks_with)
        )
