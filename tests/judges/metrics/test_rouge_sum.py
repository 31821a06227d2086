from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.judges.metrics import common_subsequence, rouge_l, rouge_l_sum, subsequence_places

_words = st.lists(st.sampled_from("abcd"), max_size=12)


def test_lin_s_own_example() -> None:
    # Lin 2004, section 3.2: w1 w2 of the first line and w1 w3 w5 of the second make four of the reference's
    # five words; the answer has ten: 2 * 4 / (5 + 10)
    assert rouge_l_sum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5") == pytest.approx(8 / 15)


def test_the_order_of_lines_does_not_count_and_that_of_words_does() -> None:
    assert rouge_l_sum("four five\none two three", "one two three\nfour five") == 1.0
    assert rouge_l("four five\none two three", "one two three\nfour five") == pytest.approx(0.6)
    # "two one" has one word in order of two: 2 * 1 / (2 + 2)
    assert rouge_l_sum("two one", "one two") == 0.5


def test_no_word_counts_more_often_than_it_is_there() -> None:
    # "figs" once of two lines with one word each: 2 * 1 / (1 + 2)
    assert rouge_l_sum("figs", "figs\nfigs") == pytest.approx(2 / 3)


def test_lines_of_marks_are_no_sentences() -> None:
    assert rouge_l_sum("---\nfigs\n***", "figs") == 1.0


@given(_words, _words)
def test_one_line_gets_what_rouge_l_gives(answer: list[str], reference: list[str]) -> None:
    pair = " ".join(answer), " ".join(reference)
    assert rouge_l_sum(*pair) == rouge_l(*pair)


@given(_words, _words)
def test_the_places_are_a_longest_common_subsequence(line: list[str], other: list[str]) -> None:
    places = subsequence_places(line, other)
    assert places == sorted(set(places), reverse=True)
    assert len(places) == common_subsequence(line, other)
    rest = iter(other)
    assert all(line[place] in rest for place in reversed(places))
