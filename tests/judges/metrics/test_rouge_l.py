from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.judges.metrics.rouge_l import common_subsequence, rouge_l

_words = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # Lin 2004, section 3.1: "police the gunman" is in order (3 of 4); of the other only "the gunman" is.
        ("police kill the gunman", "police killed the gunman", 0.75),
        ("the gunman kill police", "police killed the gunman", 0.5),
        # as rouge-score 0.1.2 gives them
        ("cat leaps table quickly", "the cat leaps over the table", 0.6),
        ("the cat sat on the mat", "on the mat sat the cat", 0.5),
        (
            "The brewer uses figs, pearl dust and gold mist.",
            "The brewer at Lunaris used gold mist, figs, and pearl dust.",
            0.5,
        ),
        ("It cost $3,500.75 (about 10-12% more).", "It cost 3,500.75 dollars, 10-12% more.", 0.888889),
        ("runners were running happily", "the runner runs happily", 0.25),
        ("the the the the the the the", "the cat is on the mat", 0.307692),
        ("", "", 1.0),
        ("", "figs", 0.0),
        ("figs", "", 0.0),
    ],
)
def test_rouge_l(answer: str, reference: str, expected: float) -> None:
    assert rouge_l(answer, reference) == pytest.approx(expected, abs=1e-6)


@given(_words, _words)
def test_the_bits_agree_with_the_textbook_table(one: list[str], other: list[str]) -> None:
    row = [0] * (len(other) + 1)
    for word in one:
        before = row[:]
        for place, target in enumerate(other, 1):
            row[place] = before[place - 1] + 1 if word == target else max(before[place], row[place - 1])
    assert common_subsequence(one, other) == row[-1]
