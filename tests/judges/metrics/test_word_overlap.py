from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.judges.metrics import (
    common_subsequence,
    exact_match,
    f1,
    rouge_l,
    squad_f1,
    token_f1,
)


@pytest.mark.parametrize(
    ("shared", "answer", "reference", "expected"),
    [
        # precision 3/4, recall 3/5: 2 * 0.45 / 1.35
        (3, 4, 5, 2 / 3),
        (0, 4, 5, 0.0),
        (0, 0, 5, 0.0),
        (0, 4, 0, 0.0),
        (0, 0, 0, 1.0),
    ],
)
def test_f1(shared: int, answer: int, reference: int, expected: float) -> None:
    assert f1(shared, answer, reference) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("The gold mist.", "gold  mist", 1.0),
        ("**Gold mist**", "gold mist", 1.0),
        ("MÜNCHEN", "münchen", 1.0),
        ("gold mist", "mist gold", 0.0),
        ("gold mist and figs", "gold mist", 0.0),
        ("A", "The", 0.0),
        ("+", "-", 0.0),
        ("", "gold mist", 0.0),
        ("gold mist", "", 0.0),
        ("", " ", 1.0),
        ("2 吨。", "2吨", 1.0),
        ("12吨", "2吨", 0.0),
    ],
)
def test_exact_match(answer: str, reference: str, expected: float) -> None:
    assert exact_match(answer, reference) == expected


def test_the_papers_own_example() -> None:
    # long-context-vs-rag, appendix A: TP 3, FP 1, FN 2
    assert token_f1("cat leaps table quickly", "the cat leaps over the table") == pytest.approx(
        0.67, abs=0.005
    )


def test_repeats_do_not_count() -> None:
    assert token_f1("fig fig fig", "fig") == 1.0


def test_articles_count() -> None:
    # {the, fig} and {fig}: 2 * 1 / (2 + 1)
    assert token_f1("The fig", "fig") == pytest.approx(2 / 3)


def test_repeats_count() -> None:
    # one shared of three and one: 2 * 1 / (3 + 1)
    assert squad_f1("fig fig fig", "fig") == 0.5


def test_articles_do_not_count() -> None:
    # cat, leaps, table of four and four: 2 * 3 / 8
    assert squad_f1("cat leaps table quickly", "the cat leaps over the table") == 0.75
    assert squad_f1("The fig", "a fig") == 1.0


@pytest.mark.parametrize(("answer", "reference", "expected"), [("", "", 1.0), ("x", "", 0.0), ("", "x", 0.0)])
def test_empty_texts(answer: str, reference: str, expected: float) -> None:
    assert squad_f1(answer, reference) == expected


def test_characters_are_the_words_of_scripts_without_spaces() -> None:
    # 14 characters and numbers, of which 2 are the reference's: 2 * 2 / (14 + 2), as MLQA's script has it
    assert squad_f1("起重机0最多可以吊起2吨货物。", "2吨") == pytest.approx(0.25)
    assert squad_f1("12吨", "2吨") == pytest.approx(0.5)
    # the sets are 起 重 机 and 起 重 物: 2 * 2 / (3 + 3)
    assert token_f1("起重机起重机", "起重物") == pytest.approx(2 / 3)
    # in order: 港 长 of 港 务 长 and of 港 长
    assert rouge_l("港长", "港务长") == pytest.approx(0.8)


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
