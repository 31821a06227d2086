"""Whether tokens add up where essays are cut: which tokenizers are additive, and why the others are not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.haystacks.documents import load_documents
from niah.text.sentences import split_sentences
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import some_of


def cut(before_paragraph: str, after_paragraph: str) -> list[str]:
    """The essays' sentences, a space before each inside a paragraph; joined they are the whole text."""
    paragraphs = [
        split_sentences(paragraph)
        for document in some_of(load_documents("essays"), 15)
        for paragraph in document.paragraphs
    ]
    return [
        (before_paragraph if place == 0 else " ")
        + sentence
        + (after_paragraph if place == len(sentences) - 1 else "")
        for sentences in paragraphs
        for place, sentence in enumerate(sentences)
    ]


def mismatches(name: str, pieces: list[str]) -> list[tuple[str, str]]:
    """Neighbours that cost more or fewer tokens apart than together."""
    tokenizer = get_tokenizer(name)
    alone = tokenizer.counts(pieces).tolist()
    together = tokenizer.counts([first + second for first, second in pairwise(pieces)]).tolist()
    return [
        (first, second)
        for (first, second), (a, b), both in zip(pairwise(pieces), pairwise(alone), together, strict=True)
        if a + b != both
    ]


@pytest.mark.parametrize("name", ["cl100k", "o200k", "minilm"])
def test_these_add_up(name: str) -> None:
    pieces, tokenizer = cut("", "\n\n"), get_tokenizer(name)
    assert mismatches(name, pieces) == []
    assert tokenizer.counts(pieces).sum() == count(tokenizer, "".join(pieces))


@pytest.mark.parametrize("name", ["cl100k", "o200k", "smollm2", "minilm"])
@given(
    left=st.text(min_size=1, max_size=20).filter(lambda text: not text[-1].isspace()),
    right=st.text(min_size=1, max_size=20).filter(lambda text: text[0].isalnum()),
)
def test_what_is_cut_at_lines_counts_on_each_side_alone(name: str, left: str, right: str) -> None:
    tokenizer, line_end = get_tokenizer(name), "\n"
    assert tokenizer.cuts_at_lines == (name != "minilm")
    if tokenizer.cuts_at_lines:
        starts = tokenizer.starts(left + line_end + right)
        before, behind = left + line_end + "The end.", "It ends here." + line_end + right
        expected = sum(tokenizer.starts(before) < len(left + line_end))
        expected += sum(tokenizer.starts(behind) >= len("It ends here." + line_end))
        assert len(starts) == expected
