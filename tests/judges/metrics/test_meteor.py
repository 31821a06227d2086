from __future__ import annotations

from itertools import permutations

import pytest

from niah.judges.metrics import alignment, chunks, meteor


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # nltk 3.10.4, single_meteor_score without WordNet, on the same words
        ("cat leaps table quickly", "the cat leaps over the table", 0.440613),
        ("the cat sat on the mat", "on the mat sat the cat", 0.5),
        (
            "The brewer uses figs, pearl dust and gold mist.",
            "The brewer at Lunaris used gold mist, figs, and pearl dust.",
            0.709877,
        ),
        ("42", "The code is 42.", 0.135135),
        ("the the the the the the the", "the cat is on the mat", 0.163934),
        ("It cost $3,500.75 (about 10-12% more).", "It cost 3,500.75 dollars, 10-12% more.", 0.881944),
        ("runners were running happily", "the runner runs happily", 0.638889),
        ("gold mist", "gold mist and figs", 0.493421),
        ("Paris", "London", 0.0),
        ("", "", 1.0),
        ("", "figs", 0.0),
        ("figs", "", 0.0),
    ],
)
def test_meteor(answer: str, reference: str, expected: float) -> None:
    assert meteor(answer, reference) == pytest.approx(expected, abs=1e-6)


def test_by_hand() -> None:
    # Three words match of four and six: P 3/4, R 1/2, Fmean 10 * 3/8 / (1/2 + 27/4) = 15/29.
    # "cat leaps" and "table" are two chunks: penalty 1/2 * (2/3)^3 = 4/27.
    expected = 15 / 29 * (1 - 4 / 27)
    assert meteor("cat leaps table quickly", "the cat leaps over the table") == pytest.approx(expected)


def test_the_same_text_gets_all_but_the_penalty_of_one_chunk() -> None:
    assert meteor("figs", "figs") == 0.5
    assert meteor("gold mist and figs", "gold mist and figs") == pytest.approx(1 - 0.5 / 64)


def test_stems_match_where_words_do_not() -> None:
    assert alignment(["running", "happily"], ["happily", "runs"]) == [(0, 1), (1, 0)]
    assert meteor("It ran", "It runs") < meteor("It running", "It runs") == meteor("It runs", "It runs")


def test_equal_words_go_first_and_each_once() -> None:
    assert alignment(["runs", "running"], ["running", "figs"]) == [(1, 0)]


def test_the_last_of_repeated_words_are_paired_in_order() -> None:
    assert alignment(["a", "b", "a"], ["a", "a", "b", "a"]) == [(0, 1), (1, 2), (2, 3)]


def test_chunks() -> None:
    assert chunks([(0, 0), (1, 1), (2, 2)]) == 1
    assert chunks([(0, 0), (2, 1), (3, 2)]) == 2
    assert chunks([(0, 2), (1, 1), (2, 0)]) == 3


def test_no_order_of_the_words_beats_the_right_one() -> None:
    right = ["gold", "mist", "and", "figs"]
    values = {order: meteor(" ".join(order), "gold mist and figs") for order in permutations(right)}
    assert max(values, key=lambda order: values[order]) == tuple(right)
    assert min(values.values()) == 0.5
