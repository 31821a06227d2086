"""Paragraphs, and their sentences of a few words at most, as MixPR has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from niah.text.sentences import sentence_spans

_Span = tuple[int, int]

BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
"""What separates two paragraphs."""
_NEWLINES = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"\S+")


def paragraph_spans(text: str) -> Iterator[_Span]:
    """Stretches between blank lines, without the white space around them."""
    return split_trimmed(text, 0, len(text), BLANK_LINES)


def split_trimmed(text: str, start: int, end: int, border: re.Pattern[str]) -> Iterator[_Span]:
    """The stretches of ``text[start:end]`` between borders, trimmed; empty ones are left out."""
    for match in border.finditer(text, start, end):
        stop = match.start()
        if start < stop and not (text[start].isspace() or text[stop - 1].isspace()):  # as most are
            yield start, stop
        else:
            yield from _trimmed(text, start, stop)
        start = match.end()
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[_Span]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    if start < end:
        yield start, start + len(piece.strip())


def short_sentences(text: str, words: int = 32) -> list[_Span]:
    """Character spans of sentences (mixture-of-pageranks, section 4, "Chunking method").

    A sentence of more than ``words`` words is cut at its newlines; a line that is still longer is cut into
    the fewest parts that fit, of nearly equal numbers of words. A sentence ends with its paragraph at the
    latest. Raises ValueError for less than 1 word.
    """
    if words < 1:
        raise ValueError(f"sentences of {words} words; need at least 1")
    spans: list[_Span] = []
    for paragraph in paragraph_spans(text):
        for start, end in sentence_spans(text, *paragraph):
            if len(text[start:end].split()) <= words:
                spans.append((start, end))
                continue
            for line in split_trimmed(text, start, end, _NEWLINES):
                found = [match.span() for match in _WORD.finditer(text, *line)]
                parts = -(-len(found) // words)
                borders = [i * len(found) // parts for i in range(parts + 1)]
                spans.extend((found[a][0], found[b - 1][1]) for a, b in pairwise(borders))
    return spans
