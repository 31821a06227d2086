from __future__ import annotations

from math import exp

import pytest

from niah.judges.metrics import bleu_1, bleu_4, tokens_13a

# sacrebleu 2.6.0, sentence_score / 100: BLEU(max_ngram_order=1 and 4, effective_order=True)
_RECORDED = [
    ("cat leaps table quickly", "the cat leaps over the table", 0.454898, 0.214441),
    ("the cat sat on the mat", "on the mat sat the cat", 1.0, 0.397635),
    (
        "The brewer uses figs, pearl dust and gold mist.",
        "The brewer at Lunaris used gold mist, figs, and pearl dust.",
        0.692091,
        0.120675,
    ),
    ("42", "The code is 42.", 0.018316, 0.018316),
    ("the the the the the the the", "the cat is on the mat", 0.285714, 0.078098),
    ("It cost $3,500.75 (about 10-12% more).", "It cost 3,500.75 dollars, 10-12% more.", 0.692308, 0.35417),
    ("runners were running happily", "the runner runs happily", 0.25, 0.159736),
    ("a b c d", "a b c d", 1.0, 1.0),
    ("gold mist", "gold mist and figs", 0.367879, 0.367879),
    ("Paris", "London", 0.0, 0.0),
]


@pytest.mark.parametrize(("answer", "reference", "one", "four"), _RECORDED)
def test_as_sacrebleu(answer: str, reference: str, one: float, four: float) -> None:
    assert bleu_1(answer, reference) == pytest.approx(one, abs=1e-6)
    assert bleu_4(answer, reference) == pytest.approx(four, abs=1e-6)


def test_counts_are_clipped() -> None:
    # Papineni et al. 2002, section 2.1: 2 of 7, and the answer is longer than the reference
    assert bleu_1("the the the the the the the", "the cat is on the mat") == pytest.approx(2 / 7)


def test_short_answers_pay() -> None:
    # both words right, 2 of 4: exp(1 - 4 / 2)
    assert bleu_1("gold mist", "gold mist and figs") == pytest.approx(exp(-1))


def test_orders_without_a_match_halve() -> None:
    # 1-grams 1/4; then 0 of 3, 2 and 1, smoothed to 1/2 /3, 1/4 /2, 1/8 /1
    expected = (1 / 4 * 1 / 6 * 1 / 8 * 1 / 8) ** 0.25
    assert bleu_4("runners were running happily", "the runner runs happily") == pytest.approx(expected)


def test_case_counts() -> None:
    assert bleu_1("Figs", "figs") == 0.0


@pytest.mark.parametrize(("answer", "reference", "expected"), [("", "", 1.0), ("x", "", 0.0), ("", "x", 0.0)])
def test_empty_texts(answer: str, reference: str, expected: float) -> None:
    assert bleu_4(answer, reference) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # as sacrebleu 2.6.0 cuts them
        ("It cost $3,500.75 (about 10-12% more).", "It cost $ 3,500.75 ( about 10 - 12 % more ) ."),
        ("x-y don't [a]/b c_d", "x-y don't [ a ] / b c _ d"),
        ("end.\nNext, 5.", "end . Next , 5 ."),
        ("hyphen-\nated", "hyphenated"),
        ("", ""),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    assert tokens_13a(text) == expected.split()
