"""What a needle at ten depths costs to embed, where equal chunks are embedded once."""

from collections.abc import Callable

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.tokenizer import get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    cases = [Case("ferry-lanterns", "essays", 32_000, depth) for depth in range(10, 101, 10)]
    return [build_context(case).text for case in cases]


@pytest.mark.parametrize("chunker", [windows, passages, sentences])
def test_ten_depths_cost_at_most_two_fifths_more_than_one(
    texts: list[str], chunker: Callable[..., list[Chunk]]
) -> None:
    seen, costs = set[str](), list[int]()
    for text in texts:
        chunks = chunker(text, TOKENIZER.starts(text))
        new = [chunk for chunk in chunks if text[chunk.start : chunk.end] not in seen]
        seen |= {text[chunk.start : chunk.end] for chunk in new}
        costs.append(sum(chunk.token_end - chunk.token_start for chunk in new))
    assert sum(costs) <= 1.4 * costs[0]
