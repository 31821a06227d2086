"""Our metrics against rouge-score and sacrebleu, on drawn pairs and odd ones."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from niah.judges.metrics import bleu_1, bleu_4, chrf, rouge_l, rouge_l_sum

Pairs = list[tuple[str, str]]

_WORDS = (
    *("the", "The", "a", "cat", "cats", "mat", "on", "and", "mist", "gold-mist", "don't", "U.S.", "3.5"),
    *("1,000", "42%", "(about)", "figs,", "figs", "ham.", "Ham!", "under_score", "--", "***", "\n", "\n\n"),
)
_FOREIGN = ("crème", "Straße", "霧の町", "Москва", "naïve", "🍇")
_ODD = [
    ("figs", "figs"),
    ("a", "a b c d e f g"),
    ("a b c d e f g", "a"),
    ("abc", "ab"),
    ("the the the the", "the"),
    ("a b\nc d\na b", "a b c d\na b"),
    ("one two three\nfour five", "four five\none two three"),
    ("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"),
    ("a b a b a", "b a b\na a"),
    ("---\nfigs\n---", "figs"),
    ("Gold mist.\r\nFigs.", "Gold mist.\nFigs."),
    ("3,500.75 dollars", "$3,500.75"),
    ("hyphen-\nated", "hyphenated"),
    ("UPPER case", "upper CASE"),
    ("   spaced    out   ", "spaced out"),
    ("x", "y"),
]


def _drawn(count: int, words: tuple[str, ...]) -> Pairs:
    """Pairs of up to 40 words, the answer an edited reference in half of them."""
    draw = random.Random(20261123)
    pairs: Pairs = []
    while len(pairs) < count:
        reference = draw.choices(words, k=draw.randint(1, 40))
        answer = draw.choices(words, k=draw.randint(1, 40))
        if draw.random() < 0.5:
            answer = [draw.choice(words) if draw.random() < 0.3 else word for word in reference]
            if draw.random() < 0.3:
                draw.shuffle(answer)
        pair = " ".join(answer), " ".join(reference)
        # Texts without a letter or digit are compared mark by mark here, and are nothing to rouge-score.
        if all(any(char.isalnum() for char in text) for text in pair):
            pairs.append(pair)
    return pairs


_ASCII = _drawn(500, _WORDS) + _ODD
_ANY = _drawn(500, _WORDS + _FOREIGN) + _ODD
_ROUGE = RougeScorer(["rougeL", "rougeLsum"])
_BLEU = {n: BLEU(max_ngram_order=n, effective_order=True) for n in (1, 4)}
_CHRF = CHRF()


def _by_rouge_score(kind: str) -> Callable[[str, str], float]:
    return lambda answer, reference: float(_ROUGE.score(reference, answer)[kind].fmeasure)


def _by_bleu(order: int) -> Callable[[str, str], float]:
    return lambda answer, reference: _BLEU[order].sentence_score(answer, [reference]).score / 100


def _by_chrf(answer: str, reference: str) -> float:
    return float(_CHRF.sentence_score(answer, [reference]).score / 100)


@pytest.mark.parametrize(
    ("ours", "theirs", "pairs"),
    [
        (rouge_l, _by_rouge_score("rougeL"), _ASCII),
        (rouge_l_sum, _by_rouge_score("rougeLsum"), _ASCII),
        (bleu_1, _by_bleu(1), _ANY),
        (bleu_4, _by_bleu(4), _ANY),
        (chrf, _by_chrf, _ANY),
    ],
    ids=["rouge-l", "rouge-l-sum", "bleu-1", "bleu-4", "chrf"],
)
def test_as_the_library(
    ours: Callable[[str, str], float], theirs: Callable[[str, str], float], pairs: Pairs
) -> None:
    differ = [pair for pair in pairs if ours(*pair) != pytest.approx(theirs(*pair), abs=1e-9)]
    assert differ == []
    assert len({ours(*pair) for pair in pairs}) > 100


@pytest.mark.parametrize(
    ("ours", "theirs", "answer", "reference", "here", "there"),
    [
        # Letters beyond ASCII are gaps in rouge-score: "cr", "me" of "cr", "me", "br", "l", "e".
        (rouge_l, _by_rouge_score("rougeL"), "crème", "crème brûlée", 2 / 3, 4 / 7),
        (rouge_l, _by_rouge_score("rougeL"), "霧", "霧", 1, 0),
        (rouge_l_sum, _by_rouge_score("rougeLsum"), "+", "+", 1, 0),
        (rouge_l_sum, _by_rouge_score("rougeLsum"), "", "", 1, 0),
        (chrf, _by_chrf, "", "", 1, 0),
        # Entities are text here, and characters to mteval-v13a.
        (bleu_1, _by_bleu(1), "&amp;", "&", 1 / 3, 1),
    ],
)
def test_differs_from_the_library_where_the_page_says_so(
    ours: Callable[[str, str], float],
    theirs: Callable[[str, str], float],
    answer: str,
    reference: str,
    here: float,
    there: float,
) -> None:
    assert ours(answer, reference) == pytest.approx(here)
    assert theirs(answer, reference) == pytest.approx(there)
