"""Sentences of a few words at most, as MixPR has them: the rules, readable.

``niah.text.scanning.short_spans`` finds the same in long texts sooner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from niah.text.scanning.paragraphs import paragraph_spans, split_trimmed
from niah.text.sentences import sentence_spans

_Span = tuple[int, int]

_NEWLINES = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"\S+")


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
            else:
                spans.extend(_in_parts(text, start, end, words))
    return spans


def _in_parts(text: str, start: int, end: int, words: int) -> Iterator[_Span]:
    for line_start, line_end in split_trimmed(text, start, end, _NEWLINES):
        yield from _equal_parts(text, line_start, line_end, words)


def _equal_parts(text: str, start: int, end: int, words: int) -> Iterator[_Span]:
    found = [match.span() for match in _WORD.finditer(text, start, end)]
    parts = -(-len(found) // words)
    borders = [i * len(found) // parts for i in range(parts + 1)]
    for a, b in pairwise(borders):
        yield found[a][0], found[b - 1][1]
