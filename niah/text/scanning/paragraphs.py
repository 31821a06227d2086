"""Paragraphs, and other stretches of a text between borders."""

from __future__ import annotations

import re
from collections.abc import Iterator

BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
"""What stands between two paragraphs."""


def paragraph_spans(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between blank lines, without the white space around them."""
    return split_trimmed(text, 0, len(text), BLANK_LINES)


def split_trimmed(text: str, start: int, end: int, border: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches of ``text[start:end]`` between borders, trimmed; empty ones are left out."""
    for match in border.finditer(text, start, end):
        stop = match.start()
        if start < stop and not (text[start].isspace() or text[stop - 1].isspace()):  # as most are
            yield start, stop
        else:
            yield from _trimmed(text, start, stop)
        start = match.end()
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    if start < end:
        yield start, start + len(piece.strip())
