"""What a needle at ten depths costs to embed, where equal chunks are embedded once."""

from collections.abc import Callable

import pytest

from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.tokenizer import get_tokenizer


@pytest.mark.parametrize("chunker", [windows, passages, sentences])
def test_ten_depths_cost_at_most_two_fifths_more_than_one(chunker: Callable[..., list[Chunk]]) -> None:
    tokenizer, seen, costs = get_tokenizer("cl100k"), set[str](), list[int]()
    for depth in range(10, 101, 10):
        text = build_context(Case("ferry-lanterns", "essays", 64_000, depth)).text
        chunks = chunker(text, tokenizer.starts(text))
        new = [chunk for chunk in chunks if text[chunk.start : chunk.end] not in seen]
        seen |= {text[chunk.start : chunk.end] for chunk in new}
        costs.append(sum(chunk.token_end - chunk.token_start for chunk in new))
    assert sum(costs) <= 1.4 * costs[0]
