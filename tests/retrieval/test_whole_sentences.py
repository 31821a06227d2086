"""The sentences of chunks that overlap, of chunks that do not, and of what is no sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from niah.retrieval.dense import whole_sentences

TEXT = "The gate is shut. A heron stands in the reeds. Nobody sees it leave."


def test_a_sentence_that_a_border_tears_is_left_to_the_neighbour_that_has_it() -> None:
    chunks = ["The gate is shut. A heron stands", "shut. A heron stands in the reeds. Nobody", TEXT[30:]]
    assert whole_sentences(chunks) == [
        ["The gate is shut."],
        ["A heron stands in the reeds."],
        ["Nobody sees it leave."],
    ]


def test_what_no_neighbour_has_whole_stays() -> None:
    assert whole_sentences(["The gate is", "shut. A heron", "stands in the reeds."]) == [
        ["The gate is"],
        ["shut.", "A heron"],
        ["stands in the reeds."],
    ]


@given(st.integers(2, 12), st.integers(20, 80), st.integers(0, 19))
def test_no_sentence_of_the_text_is_lost_where_chunks_overlap(count: int, size: int, start: int) -> None:
    sentences = [f"Boat number {number} came in at {number * 7 % 12} sharp." for number in range(count)]
    text = " ".join(sentences)
    step = size // 2
    chunks = [text[at : at + size] for at in range(start % step, max(1, len(text) - step), step)]
    found = whole_sentences(chunks)
    assert all(parts for parts in found)
    assert all(part in chunk for chunk, parts in zip(chunks, found, strict=True) for part in parts)
    inside = [s for s in sentences if any(s in chunk for chunk in chunks)]
    assert set(inside) <= {part for parts in found for part in parts}
