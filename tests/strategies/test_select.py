"""What is read where chunks were retrieved, and that a budget holds it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.cases.case import Context
from niah.strategies.chunkers import Expand, merge_leaves, sentence_windows
from niah.strategies.facts import Selection
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk
from niah.text.tokenizer import count, get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


class Marks:
    """Scores a chunk by the digits in it, added up: texts say themselves how they shall rank."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(sum(int(c) for c in text if c.isdigit())) for text in texts])


def leaves(*tokens: int) -> list[Chunk]:
    """Chunks of so many tokens each, one after the other; a character a token."""
    ends = [sum(tokens[: i + 1]) for i in range(len(tokens))]
    return [
        Chunk(i, end - own, end, end - own, end)
        for i, (own, end) in enumerate(zip(tokens, ends, strict=True))
    ]


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=40).flatmap(
        lambda tokens: st.tuples(
            st.just(leaves(*tokens)),
            st.lists(st.integers(0, len(tokens) - 1), min_size=1, unique=True),
            st.sampled_from([sentence_windows, merge_leaves]),
        )
    )
)
def test_what_is_read_holds_what_was_retrieved_once(drawn: tuple[list[Chunk], list[int], Expand]) -> None:
    chunks, ranking, expand = drawn
    runs = expand(chunks, ranking, 12)
    read = [i for first, stop in runs for i in range(first, stop)]
    assert set(ranking) <= set(read) <= set(range(len(chunks)))
    assert len(read) == len(set(read))
    assert runs[0][0] <= ranking[0] < runs[0][1]
    # One chunk more never makes less of it.
    fewer = {i for first, stop in expand(chunks, ranking[:-1], 12) for i in range(first, stop)}
    assert fewer <= set(read)


TEN = "He is 1. He is 2. He is 0. He is 0. He is 0. He is 9. He is 0. He is 0. He is 3. He is 0."


def sent(definition: str) -> Selection:
    """What a strategy sends of ten sentences."""
    subject = Context(TEN, (), (), count(TOKENIZER, TEN), 0)
    return select(parse(definition), subject, "Who?", TOKENIZER, 10_000, lambda name: Marks(), seed="case")


@pytest.mark.parametrize("cut", ["sentence-window-1", "auto-merging-10"])
@pytest.mark.parametrize("budget", [7, 18, 20, 40])
def test_a_budget_holds_what_is_read(cut: str, budget: int) -> None:
    fill = sent(f"bm25/budget-{budget}/norm@{cut}")
    assert fill.context_tokens <= budget
    assert fill.text or budget == 7
    assert sent("bm25/budget-100/norm@100").text == TEN  # the one passage there is
