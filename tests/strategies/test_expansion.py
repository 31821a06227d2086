"""Small chunks compared, larger ones read: by hand, and for any ranking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.strategies.chunkers import Expand, merge_leaves, sentence_windows
from niah.text.chunks import Chunk
from tests.strategies.test_select import apply, context, facts_of


def leaves(*tokens: int) -> list[Chunk]:
    """Chunks of so many tokens each, one after the other; a character a token."""
    ends = [sum(tokens[: i + 1]) for i in range(len(tokens))]
    return [
        Chunk(i, end - own, end, end - own, end)
        for i, (own, end) in enumerate(zip(tokens, ends, strict=True))
    ]


def test_windows_by_rank_joined_where_they_share_sentences() -> None:
    twelve = leaves(*[5] * 12)
    # One to either side: 8 reads 7-9, 1 reads 0-2, 0 reads 0-1 (all within 1's).
    assert sentence_windows(twelve, [8, 1, 0], 1) == [(7, 10), (0, 3)]
    assert sentence_windows(twelve, [1, 8, 5], 1) == [(0, 3), (7, 10), (4, 7)]
    assert sentence_windows(twelve, [11], 3) == [(8, 12)]


def test_leaves_merge_into_parents_and_these_into_grandparents() -> None:
    # Leaves of 10 tokens: parents hold four (0-3, 4-7, 8-11, 12-15), the grandparent all sixteen.
    sixteen = leaves(*[10] * 16)
    assert merge_leaves(sixteen, [5, 1, 0], 10) == [(5, 6), (1, 2), (0, 1)]  # 2 of 4 are not over half
    assert merge_leaves(sixteen, [5, 1, 0, 3], 10) == [(5, 6), (0, 4)]
    two = [0, 1, 2, 4, 5, 6]
    assert merge_leaves(sixteen, [9, *two], 10) == [(9, 10), (0, 4), (4, 8)]  # 2 of 4 parents
    assert merge_leaves(sixteen, [15, *two, 9, 8, 10], 10) == [(0, 16)]


def test_a_parent_holds_whole_leaves_and_no_more_than_four_times_their_tokens() -> None:
    # 10 + 10 + 10 = 30, and 15 more would be 45: the first parent holds three, so that two are over half.
    assert merge_leaves(leaves(10, 10, 10, 15, 10, 20), [2, 0], 10) == [(0, 3)]


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
