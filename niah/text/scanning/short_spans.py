"""``short_sentences`` for millions of tokens: the same spans, in arrays, without strings.

Paragraphs with characters that the rules for English prose know nothing of are left to ``short_sentences``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from niah.text import english_borders
from niah.text.scanning.characters import ENDER, FOREIGN, NEWLINE, SPACE, characters
from niah.text.scanning.compiling import loops_for
from niah.text.scanning.paragraphs import BLANK_LINES
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.threads import parts_for, together
from niah.text.scanning.utf8 import Utf8

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Offsets = NDArray[np.int64]


# The plain form reads as many characters while the loops are compiled.
_PLAIN = 20_000_000
# Characters in which the last blank line is looked for first.
_NEAR_CHARACTERS = 1 << 12
# Bytes in which the next blank line is looked for.
_NEAR = 1 << 16


def short_spans(text: str, words: int = 32) -> tuple[Offsets, Offsets]:
    """The starts and ends of ``short_sentences``, in characters, in document order.

    Raises ValueError for less than 1 word.
    """
    if not loops_for(len(text), _PLAIN):
        starts, ends = np.array(short_sentences(text, words), dtype=np.int64).reshape(-1, 2).T
        return starts, ends
    encoded = Utf8.of(text)
    starts, ends = short_byte_spans(encoded, words)
    return encoded.to_characters(starts), encoded.to_characters(ends)


def short_byte_spans(text: Utf8, words: int = 32) -> tuple[Offsets, Offsets]:
    """The starts and ends of ``short_sentences`` as bytes of the encoded text, in document order.

    Raises ValueError for less than 1 word.
    """
    if words < 1:
        raise ValueError(f"sentences of {words} words; need at least 1")
    places = text.places_of(FOREIGN)
    if not len(places):
        return _plain_spans(text, words)
    decoded = text.data.tobytes().decode("utf-8", "surrogatepass")
    return _joined(text, decoded, list(_foreign_paragraphs(decoded, text.to_characters(places))), words)


def _plain_spans(text: Utf8, words: int, parts: int | None = None) -> tuple[Offsets, Offsets]:
    """Those of a long text in parts, cut between paragraphs; as many as it is worth where nobody says."""
    edges = [0, *_between_paragraphs(text, parts or parts_for(len(text.data))), len(text.data)]
    found = together([partial(_spans_within, text, *edge, words) for edge in pairwise(edges)])
    if len(found) == 1:
        return found[0]
    starts, ends = zip(*found, strict=True)
    return np.concatenate(starts), np.concatenate(ends)


def _between_paragraphs(text: Utf8, parts: int) -> list[int]:
    """Where to cut a text into parts of about the same size: behind blank lines, if there are such nearby."""
    found: list[int] = []
    for part in range(1, parts):
        near = part * len(text.data) // parts
        blank = text.data[near : near + _NEAR].tobytes().find(b"\n\n")
        if blank >= 0 and near + blank + 2 < len(text.data):
            found.append(near + blank + 2)
    return sorted(set(found))


def _spans_within(text: Utf8, first: int, last: int, words: int) -> tuple[Offsets, Offsets]:
    """Those of a stretch that begins and ends with paragraphs, as bytes of the whole text."""
    from niah.text.scanning.kernels.short_span_kernel import short_spans_into

    # Only what is written takes memory.
    starts = np.empty((last - first) // 2 + 1, dtype=np.int64)
    ends = np.empty_like(starts)
    classes = characters(text.is_ascii).classes
    piece = text.data[first:last]
    n = short_spans_into(piece, classes, _leads(text.is_ascii), words, *_lists(), starts, ends)
    return starts[:n] + first, ends[:n] + first


def _foreign_paragraphs(text: str, places: Offsets) -> Iterator[tuple[int, int]]:
    """The stretches between blank lines that have such characters: the rules for English do not do there."""
    end, number = 0, 0
    while number < len(places):
        found = int(places[number])
        start = _paragraph_start(text, end, found)
        border = BLANK_LINES.search(text, found)
        end = border.end() if border else len(text)
        yield start, end
        number = int(np.searchsorted(places, end))


def _paragraph_start(text: str, first: int, place: int) -> int:
    """Behind the last blank line between the two; ``first`` without one."""
    near = _NEAR_CHARACTERS
    while True:
        begin = max(first, place - near)
        ends = [match.end() for match in BLANK_LINES.finditer(text, begin, place)]
        if ends or begin == first:
            return max(ends, default=first)
        near *= 8


def _joined(
    text: Utf8, decoded: str, foreign: Sequence[tuple[int, int]], words: int
) -> tuple[Offsets, Offsets]:
    """The spans of all stretches, the foreign ones and those between them."""
    edges = [0, *(edge for stretch in foreign for edge in stretch), len(decoded)]
    in_bytes = text.to_bytes(np.array(edges, dtype=np.int64)).tolist()
    found = []
    for number, (start, end) in enumerate(pairwise(edges)):
        first, last = in_bytes[number : number + 2]
        piece = Utf8(text.data[first:last], False)
        if number % 2:
            spans = np.array(short_sentences(decoded[start:end], words), dtype=np.int64).reshape(-1, 2)
            starts, ends = piece.to_bytes(spans.ravel()).reshape(-1, 2).T
        else:
            starts, ends = _plain_spans(piece, words)
        found.append((starts + first, ends + first))
    every_start, every_end = zip(*found, strict=True)
    return np.concatenate(every_start), np.concatenate(every_end)


@lru_cache
def _leads(ascii_only: bool) -> NDArray[np.uint8]:
    """Shape (256,): what a byte may be the first one of."""
    from niah.text.scanning.kernels.short_span_kernel import IS_NEWLINE, MAYBE_SPACE, MAYBE_STOP

    classes = characters(ascii_only).classes
    leads = np.zeros(256, dtype=np.uint8)
    for point in np.flatnonzero(classes & (SPACE | ENDER | NEWLINE)).tolist():
        lead = chr(point).encode()[0]
        if classes[point] & (ENDER | NEWLINE):
            leads[lead] |= MAYBE_STOP
        if classes[point] & NEWLINE:
            leads[lead] |= IS_NEWLINE
        if classes[point] & SPACE:
            leads[lead] |= 1 if point < 128 else MAYBE_SPACE
    return leads


@lru_cache
def _lists() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """The splitter's words as 8-byte keys in a hash table, and the flags of each."""
    from niah.text.scanning.kernels.short_span_kernel import (
        BEFORE_NUMBERS,
        HASH,
        HASH_BITS,
        NEVER_LAST,
        SOMETIMES_LAST,
        STARTER,
    )

    keys = np.zeros(1 << HASH_BITS, dtype=np.uint64)
    flags = np.zeros(1 << HASH_BITS, dtype=np.uint8)
    for flag, words in (
        (NEVER_LAST, english_borders.NEVER_LAST),
        (BEFORE_NUMBERS, english_borders.BEFORE_NUMBERS),
        (SOMETIMES_LAST, english_borders.SOMETIMES_LAST),
        (STARTER, english_borders.STARTERS),
    ):
        for word in words:
            key = int.from_bytes(word.encode().ljust(8, b"\0"), "little")
            at = (key * HASH % 2**64) >> (64 - HASH_BITS)
            while keys[at] not in (0, key):
                at = (at + 1) % len(keys)
            keys[at] = key
            flags[at] |= flag
    return keys, flags
