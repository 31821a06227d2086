"""Texts as MixPR's loops read them: sentences of a long text, and chunks as a stream of term numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.mixpr import kernels
from niah.retrieval.normalise import FOLDS, folded
from niah.text.english_borders import ABBREVIATIONS, CLOSERS, OPENERS, ends_sentence
from niah.text.script_borders import FOREIGN_SIGNS
from niah.text.short_sentences import short_sentences
from niah.text.writing import marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Offsets = NDArray[np.int64]

# Characters that are read at a time.
BLOCK = 1 << 18
WORDS = 32
# Of the first hash table.
_SLOTS = 1 << 14

# No character from here on is white space, is part of a word, is foreign or has a lower case.
_PLAIN = 0x40000
_CODE_POINTS = 0x110000
_PATTERNS = {
    kernels.SPACE: r"\s+",
    kernels.WORD: r"\w+",
    kernels.DIGIT: r"\d+",
    kernels.ENDER: "[.!?…]+",
    kernels.CLOSER: f"[{CLOSERS}]+",
    kernels.OPENER: f"[{re.escape(OPENERS)}]+",
    kernels.CAPITAL: "[A-ZÀ-ÖØ-Þ0-9]+",
    kernels.NEWLINE: r"\n+",
    kernels.MARK: f"[{marks()}]+",
    kernels.FOREIGN: f"{FOREIGN_SIGNS}+",
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
    classes[: len(every)][list(map(str.isalpha, every))] |= kernels.LETTER
    # Two have no lower case of one character; texts with them are folded.
    lowered = every.replace("İ", "i").replace("Σ", "σ").lower()
    letters = np.zeros(_CODE_POINTS, dtype=np.uint32)
    letters[: len(every)] = codes_of(lowered)
    letters[classes & (kernels.WORD | kernels.MARK) == 0] = 0
    return classes, letters


@lru_cache(maxsize=1)
def _abbreviations() -> NDArray[np.bool_]:
    table = np.zeros(1 << 12, dtype=np.bool_)
    table[[kernels.word_hash(word) for word in ABBREVIATIONS]] = True
    return table


def codes_of(text: str) -> Codes:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The text in parts of at least BLOCK characters, each with its start, cut between paragraphs."""
    start = 0
    while start < len(text):
        blank = text.find("\n\n", start + BLOCK)
        end = blank + 2 if blank >= 0 else len(text)
        yield start, text[start:end]
        start = end


def sentences(text: str, codes: Codes) -> tuple[Offsets, Offsets]:
    """The starts and ends of ``short_sentences`` in characters, sooner: the rules are the same.

    A loop finds where sentences may end and is sure of most; ``ends_sentence`` decides the others. Texts of
    other scripts are left to ``short_sentences``.
    """
    classes, _ = characters()
    room = len(text) // 2 + 1
    stops, ends, followings, words = (np.empty(room, dtype=np.int64) for _ in range(4))
    kinds = np.empty(room, dtype=np.uint8)
    n, seen, total = kernels.candidates_into(
        codes, classes, _abbreviations(), stops, ends, followings, words, kinds
    )
    if seen & kernels.FOREIGN:
        found = np.array(short_sentences(text, WORDS), dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]
    first = len(text) - len(text.lstrip())
    kept = kinds[:n] != kernels.DOUBTFUL
    for place in np.flatnonzero(~kept).tolist():
        before = place - 1
        while before >= 0 and not kept[before]:
            before -= 1
        start = int(followings[before]) if before >= 0 else first
        kept[place] = ends_sentence(text, start, int(stops[place]), int(followings[place]))
    starts = np.append(first, followings[:n][kept])
    borders = np.append(ends[:n][kept], len(text.rstrip()))
    counts = np.diff(words[:n][kept], prepend=0, append=total)
    some = starts < borders
    starts, borders, counts = starts[some], borders[some], counts[some]
    # A cut makes at most as many more sentences as there are words.
    short_starts = np.empty(len(starts) + int(counts[counts > WORDS].sum()), dtype=np.int64)
    short_ends = np.empty_like(short_starts)
    n = kernels.cut_into(codes, classes, starts, borders, counts, WORDS, short_starts, short_ends)
    return short_starts[:n], short_ends[:n]


@dataclass(frozen=True)
class TermStream:
    """The terms of n chunks, in document order, a term as often as the chunk has it.

    Attributes:
        terms: shape (terms in all,), numbers from 0 by first appearance.
        borders: shape (n + 1,): chunk i has ``terms[borders[i]:borders[i + 1]]``.
        chunks_with: shape (distinct terms,): in how many chunks each term is.
    """

    terms: NDArray[np.uint32]
    borders: Offsets
    chunks_with: Offsets


class TermReader:
    """Reads chunks, part after part, into one stream: 4 bytes for each term stand for the TF-IDF matrix.

    The terms are those of ``niah.retrieval.lexical.term_lists``.
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint32]] = []
        self._borders = [np.zeros(1, dtype=np.int64)]
        self._count = 0
        self._keys, self._ids = np.zeros(_SLOTS, dtype=np.uint64), np.empty(_SLOTS, dtype=np.uint32)
        self._latest, self._chunks_with = (np.empty(_SLOTS // 2, dtype=np.int64) for _ in range(2))

    @property
    def chunks(self) -> int:
        """How many were read."""
        return sum(map(len, self._borders)) - 1

    def read(self, text: str, codes: Codes, starts: Offsets, ends: Offsets) -> None:
        """The chunks ``text[start:end]``."""
        classes, letters = characters()
        if not text.isascii() and kernels.classes_of(codes, classes) & kernels.FOLDED:
            chunks = folded([text[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])
            lengths = np.array([len(chunk) for chunk in chunks], dtype=np.int64)
            codes, ends = codes_of("".join(chunks)), np.cumsum(lengths)
            starts = ends - lengths
        terms = np.empty(int((ends - starts + 1).sum()) // 2 + 1, dtype=np.uint32)
        borders = np.zeros(len(starts) + 1, dtype=np.int64)
        first, done = self.chunks, 0
        while done < len(starts):
            read, self._count = kernels.terms_into(
                codes,
                classes,
                letters,
                starts[done:],
                ends[done:],
                first + done,
                terms,
                borders[done:],
                self._keys,
                self._ids,
                self._latest,
                self._chunks_with,
                self._count,
            )
            done += read
            if done < len(starts):
                self._grow(2 * max(len(self._keys), int(ends[done] - starts[done])))
        self._parts.append(terms[: borders[-1]].copy())
        self._borders.append(borders[1:] + self._borders[-1][-1])

    def read_texts(self, texts: Sequence[str]) -> None:
        """The texts as chunks, in document order."""
        part, size = list[str](), 0
        for text in texts:
            part.append(text)
            size += len(text)
            if size > BLOCK:
                self._read_all(part)
                part, size = [], 0
        if part:
            self._read_all(part)

    def _read_all(self, texts: Sequence[str]) -> None:
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        ends = np.cumsum(lengths)
        text = "".join(texts)
        self.read(text, codes_of(text), ends - lengths, ends)

    def stream(self) -> TermStream:
        """All that was read."""
        return TermStream(
            np.concatenate(self._parts), np.concatenate(self._borders), self._chunks_with[: self._count]
        )

    def _grow(self, slots: int) -> None:
        """Gives the hash table at least so many slots, and half as many terms."""
        slots, old_keys, old_ids = 1 << (slots - 1).bit_length(), self._keys, self._ids
        self._keys, self._ids = np.zeros(slots, dtype=np.uint64), np.empty(slots, dtype=np.uint32)
        kernels.fill(self._keys, self._ids, old_keys, old_ids)
        self._latest, self._chunks_with = (
            np.concatenate([each[: self._count], np.empty(slots // 2 - self._count, dtype=np.int64)])
            for each in (self._latest, self._chunks_with)
        )
