"""Texts as MixPR's loops read them: chunks as a stream of term numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from niah.retrieval.lexical import FOLDS, folded
from niah.retrieval.mixpr import kernels
from niah.retrieval.mixpr.kernels import Codes, Offsets
from niah.text.mentions import marks

_BLOCK, _SLOTS = 1 << 15, 1 << 14  # characters that are read at a time; slots of the first hash table

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
    """The class of each code point, and its lower case, 0 where it is no part of a word, as Python has it."""
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
    tables = characters()
    distinct, first, terms, borders = 0, 0, list[NDArray[np.uint32]](), [np.zeros(1, dtype=np.int64)]
    # One hash table of terms; by term the last chunk with it, and how many chunks have it.
    keys, ids = np.zeros(_SLOTS, dtype=np.uint64), np.empty(_SLOTS, dtype=np.uint32)
    latest, chunks_with = (np.empty(_SLOTS // 2, dtype=np.int64) for _ in range(2))
    all_lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    for start, stop in _blocks(all_lengths):
        chunks, lengths = texts[start:stop], all_lengths[start:stop]
        text = "".join(chunks)
        codes = _codes(text)
        if not text.isascii() and (tables[0][codes] & kernels.FOLDED).any():
            chunks = folded(chunks)
            codes = _codes("".join(chunks))
            lengths = np.array([len(chunk) for chunk in chunks], dtype=np.int64)
        found = np.empty(int(((lengths + 1) // 2).sum()), dtype=np.uint32)
        stops = np.zeros(len(chunks) + 1, dtype=np.int64)
        if (needed := 2 * (distinct + len(found))) > len(keys):
            slots, old_keys, old_ids = 1 << (needed - 1).bit_length(), keys, ids
            keys, ids = np.zeros(slots, dtype=np.uint64), np.empty(slots, dtype=np.uint32)
            kernels.fill(keys, ids, old_keys, old_ids)
            room = np.empty(slots // 2 - distinct, dtype=np.int64)
            latest, chunks_with = (np.append(each[:distinct], room) for each in (latest, chunks_with))
        known = (keys, ids, latest, chunks_with, distinct)
        distinct = kernels.terms_into(codes, tables, np.cumsum(lengths), first, found, stops, known)
        first += len(chunks)
        terms.append(found[: stops[-1]].copy())
        borders.append(stops[1:] + borders[-1][-1])
    return TermStream(np.concatenate(terms), np.concatenate(borders), chunks_with[:distinct])


def _blocks(lengths: Offsets) -> Iterator[tuple[int, int]]:
    """From which text to which, so many at a time that they have some more than ``_BLOCK`` characters."""
    blocks = np.cumsum(lengths) // _BLOCK
    borders = np.flatnonzero(np.diff(blocks, prepend=0)) + 1
    yield from pairwise(dict.fromkeys((0, *borders.tolist(), len(lengths))))
