"""Chunks: windows, passages and sentences cover a text once, and none cuts what it should keep whole."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.tokenizer import get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


def texts(chunks: list[Chunk], text: str) -> list[str]:
    return [text[chunk.start : chunk.end] for chunk in chunks]


def chunked(chunker: Callable[..., list[Chunk]], text: str, **sizes: int) -> list[str]:
    return texts(chunker(text, TOKENIZER.starts(text), **sizes), text)


def visible(text: str) -> str:
    return "".join(text.split())


_PIECE = st.sampled_from(
    [
        *("The cat sat.", "Rain fell on Mr. Orme!", "why", "antidisestablishmentarianism", "…", "x" * 90),
        *("日本語の", "😀👩‍🚀", "Ünïcödé", "3.14,", "“Go!”"),
        "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    ]
)
_SPACE = st.sampled_from([" ", " ", " ", "  ", "\n", "\n\n", " \n \n", "\t", "\r\n\r\n", "\u00a0"])
TEXT = st.lists(st.tuples(_PIECE, _SPACE) | st.tuples(st.text(max_size=8), _SPACE), max_size=25).map(
    lambda pairs: "".join(piece + space for piece, space in pairs)
)


@settings(deadline=None)
@given(TEXT, st.integers(8, 40), st.integers(0, 7))
def test_windows_cover_everything_in_equal_steps(text: str, size: int, overlap: int) -> None:
    starts = TOKENIZER.starts(text)
    chunks = windows(text, starts, size, overlap)
    covered = "".join(text[max(a.end, b.start) : b.end] for a, b in pairwise(chunks))
    assert text[: chunks[0].end if chunks else 0] + covered == text
    assert all(c.start in starts for c in chunks)
    # A window that starts inside a character of up to 4 tokens starts with the whole character.
    assert all(c.token_end - c.token_start <= size + 3 for c in chunks)


DOCUMENT = """# Pump P-7

| part | torque (Nm) |
| --- | ---: |
| cover bolt | 24 |

1. Close the valve.
2. Open the drain.

```python
def pressure(depth):
    rho = 998.0
    return rho * 9.81 * depth
```
"""


@pytest.mark.parametrize("size", [12, 20, 40, 100])
def test_passages_of_markdown_are_whole_lines(size: int) -> None:
    pieces = chunked(passages, DOCUMENT, size=size)
    # 12 tokens hold the longest line here: no table row, list item or line of code is torn or joined.
    lines = [line.strip() for piece in pieces for line in piece.split("\n")]
    assert lines == [line.strip() for line in DOCUMENT.split("\n") if line]


@settings(deadline=None)
@given(TEXT, st.integers(8, 40), st.integers(1, 12))
def test_every_visible_character_is_covered_once(text: str, size: int, words: int) -> None:
    starts = TOKENIZER.starts(text)
    chunks = passages(text, starts, size)
    pieces, short = texts(chunks, text), texts(sentences(text, starts, words), text)
    assert "".join(map(visible, pieces)) == "".join(map(visible, short)) == visible(text)
    assert all(chunk.token_end - chunk.token_start <= size for chunk in chunks)
    assert all("\n\n" not in piece and piece.strip() == piece for piece in pieces)
    assert all(0 < len(piece.split()) <= words for piece in short)


@settings(deadline=None)
@given(TEXT, st.sampled_from([windows, passages, sentences]))
def test_token_spans_hold_the_characters(text: str, chunker: Callable[..., list[Chunk]]) -> None:
    starts = TOKENIZER.starts(text)
    chunks = chunker(text, starts)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert starts[chunk.token_start] <= chunk.start < chunk.end
        inside = np.flatnonzero((starts >= chunk.start) & (starts < chunk.end))
        assert len(inside) == 0 or chunk.token_start <= inside[0] <= inside[-1] == chunk.token_end - 1


@pytest.mark.usefixtures("bounded")
def test_a_word_of_many_tokens_is_cut_in_time_that_grows_with_it() -> None:
    text = "0123456789abcdef" * 50_000  # a search that reads the rest each time takes minutes
    chunks = passages(text, np.arange(0, len(text), 2), 10)
    assert [(chunk.start, chunk.end) for chunk in chunks] == [(at, at + 20) for at in range(0, len(text), 20)]
