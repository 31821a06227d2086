"""Chunkers: pure functions from a text and ``Tokenizer.starts`` of it to chunks, in document order.

Sizes are tokens of the whole text; a chunk counted on its own may come out a token or two apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.text.sentences import LINE_END, paragraph_spans, sentence_spans, short_sentences, split_trimmed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Starts = NDArray[np.int64]

_Span = tuple[int, int]

_NO_SPACE = re.compile(r"\S")


@dataclass(frozen=True)
class Chunk:
    """A piece of a context, ``context[start:end]``, and the tokens that hold it; ends exclusive."""

    index: int  # its place in document order, from 0
    start: int
    end: int
    token_start: int  # the space before a sentence belongs to the sentence's first token
    token_end: int
    covers: int = 1  # chunks that it stands for: more where small ones were joined to be read


def windows(
    text: str, token_starts: Starts, size: int = 600, overlap: int = 100, *, equal_steps: bool = False
) -> list[Chunk]:
    """Windows of ``size`` tokens that share at least ``overlap`` with the one before (u-niah, section 4.2).

    The paper's are at ``equal_steps``, so a needle at another depth moves every window behind it. Here a
    window starts with the last paragraph that the overlap allows, if one does.
    """
    import numpy as np

    tokens, borders = len(token_starts), np.append(token_starts, len(text))
    paragraphs = [] if equal_steps else [start for start, _ in paragraph_spans(text)]
    starts = [0, *np.searchsorted(token_starts, paragraphs).tolist()]
    spans, first = list[_Span](), 0
    while True:
        spans.append((int(borders[first]), int(borders[min(first + size, tokens)])))
        if first + size >= tokens:
            return as_chunks((span for span in spans if span[0] < span[1]), token_starts)
        step = first + size - overlap
        last = starts[bisect_right(starts, step) - 1]
        first = last if last > first else step


def passages(text: str, token_starts: Starts, size: int = 100) -> list[Chunk]:
    """Whole consecutive sentences, as many as fit in ``size`` tokens (stronger-baselines-dos-rag, 2.3).

    None crosses a blank line. Longer ones are cut at line breaks, word borders, token borders.
    """
    paragraphs = list(paragraph_spans(text))
    whole = [span for at in paragraphs for span in sentence_spans(text, *at)]
    firsts, stops = _token_spans(whole, token_starts)
    pieces: list[_Span] = []
    for (start, end), first, stop in zip(whole, firsts, stops, strict=True):
        if stop - first <= size:
            pieces.append((start, end))
            continue
        for line in split_trimmed(text, start, end, LINE_END):
            pieces.extend(_cut(text, token_starts, *line, size))
    return as_chunks(_packed(pieces, {start for start, _ in paragraphs}, token_starts, size), token_starts)


def sentences(text: str, token_starts: Starts, words: int = 32) -> list[Chunk]:
    """Sentences, none of more than ``words`` words: those of ``short_sentences``."""
    return as_chunks(short_sentences(text, words), token_starts)


def as_chunks(spans: Iterable[_Span], token_starts: Starts) -> list[Chunk]:
    """Chunks that start and end at these characters."""
    edges = list(spans)
    tokens = zip(*_token_spans(edges, token_starts), strict=True)
    return [Chunk(i, *edge, *held) for i, (edge, held) in enumerate(zip(edges, tokens, strict=True))]


def _token_spans(spans: Sequence[_Span], token_starts: Starts) -> tuple[list[int], list[int]]:
    """For each span the first token that holds some of it, and the first token after it."""
    import numpy as np

    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    holding = np.searchsorted(token_starts, starts, side="right") - 1
    # Of several tokens that start in one character, the first.
    firsts = np.searchsorted(token_starts, token_starts[holding])
    return firsts.tolist(), np.searchsorted(token_starts, ends).tolist()


def _cut(text: str, token_starts: Starts, start: int, end: int, size: int) -> Iterator[_Span]:
    """``text[start:end]`` in parts of at most ``size`` tokens, greedily, at word borders where possible."""
    while start < end:
        firsts, stops = _token_spans([(start, end)], token_starts)
        limit = firsts[0] + size
        if stops[0] <= limit:
            yield start, end
            return
        border = int(token_starts[limit])
        stop, head = border, text[start:border]
        words = head.rsplit(None, 1)
        if head[-1:].isspace() or text[border].isspace():
            stop = start + len(head.rstrip())
        elif len(words) == 2:
            stop = start + len(words[0])
        # A single character may have more than ``size`` tokens; it stays whole.
        stop = max(start + 1, stop)
        yield start, stop
        following = _NO_SPACE.search(text, stop, end)
        start = following.start() if following else end


def _packed(
    pieces: Sequence[_Span], paragraph_starts: set[int], token_starts: Starts, size: int
) -> Iterator[_Span]:
    """Neighbours of one paragraph joined while together they have at most ``size`` tokens."""
    firsts, stops = _token_spans(pieces, token_starts)
    opened = 0
    for i in range(1, len(pieces) + 1):
        at_end = i == len(pieces) or pieces[i][0] in paragraph_starts
        if at_end or stops[i] - firsts[opened] > size:
            yield pieces[opened][0], pieces[i - 1][1]
            opened = i
