"""What the names of strategies mean, and what they select of a context, by hand and for any text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.cases.case import Context, Placed
from niah.retrieval.retriever import Retriever
from niah.strategies.chunkers import Expand, merge_leaves, sentence_windows
from niah.strategies.facts import RetrievalFacts, Selection
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk
from niah.text.tokenizer import count, get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


def context(text: str, *needles: str) -> Context:
    """A context with the first mention of each needle; they are called n1, n2 ..."""
    starts = [text.index(needle) for needle in needles]
    placed = (
        Placed(f"n{i}", needle, (), start, start + len(needle), token_start=0, asked_token=0)
        for i, (needle, start) in enumerate(zip(needles, starts, strict=True), start=1)
    )
    return Context(text, tuple(placed), (), count(TOKENIZER, text), 0)


class Marks:
    """Scores a chunk by the digits in it, added up: texts say themselves how they shall rank."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(sum(int(c) for c in text if c.isdigit())) for text in texts])


def apply(
    definition: str, subject: Context, room: int = 10_000, retriever: Retriever | None = None
) -> Selection:
    made = retriever or Marks()
    return select(parse(definition), subject, "Who?", TOKENIZER, room, lambda name: made, seed="case")


def facts_of(selection: Selection) -> RetrievalFacts:
    assert selection.facts is not None
    return selection.facts


# Five passages for @7: each sentence has 5 tokens ("He", " is", " ", "4", ".").
FIVE = context("He is 4. He is 1.\n\nHe is 5. He is 2. He is 3.", "He is 5.", "He is 2. He is 3.")


def texts(selection: Selection, subject: Context = FIVE) -> list[str]:
    return [subject.text[r.chunk.start : r.chunk.end] for r in selection.chunks]


def test_facts_worked_out_by_hand() -> None:
    # Passages: 0 "4", 1 "1", 2 "5" = needle 1, 3 "2" and 4 "3" = needle 2 in two. Best three: 2, 0, 4.
    selection = apply("tfidf/top-3/norm@7", FIVE)
    assert selection.facts == RetrievalFacts(
        completeness=1 / 2,  # needle 2 lacks passage 3
        needle_ranks=(1, None),
        needle_split=(False, True),
        noise_ratio=1 / 3,  # passage 0; passage 4 holds part of needle 2
        retrieved=3,
        available=5,
        best=((19, 27), (0, 8), (37, 45)),
    )
    assert [r.needles for r in selection.chunks] == [("n1",), (), ()]
    # Of the two passages without a needle there is room for one.
    assert facts_of(apply("tfidf/top-1/norm@7+noise-0.75", FIVE, 12)).added == 1


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


TEN = context(
    "He is 1. He is 2. He is 0. He is 0. He is 0. He is 9. He is 0. He is 0. He is 3. He is 0.",
    "He is 9. He is 0.",
)


def test_a_sentence_is_sent_with_its_neighbours() -> None:
    selection = apply("bm25/top-2/norm@sentence-window-1", TEN)
    assert selection.text == "He is 0. He is 9. He is 0.\n\nHe is 0. He is 3. He is 0."
    # The needle lies in two sentences: their borders cut it, and the best window holds it.
    facts = facts_of(selection)
    assert (facts.completeness, facts.needle_ranks, facts.needle_split) == (1, (1,), (True,))
    assert (facts.retrieved, facts.available, facts.noise_ratio) == (2, 10, 1 / 2)
    assert [r.score for r in selection.chunks] == [9, 3]


@pytest.mark.parametrize("cut", ["sentence-window-1", "auto-merging-10"])
@pytest.mark.parametrize("budget", [7, 18, 20, 40])
def test_a_budget_holds_what_is_read(cut: str, budget: int) -> None:
    fill = apply(f"bm25/budget-{budget}/norm@{cut}", TEN)
    assert fill.context_tokens <= budget
    assert fill.text or budget == 7
    assert apply("bm25/budget-100/norm@100", TEN).text == TEN.text  # the one passage there is
