"""BLEU of one answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from math import exp, log

_RULES = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def bleu_1(answer: str, reference: str) -> float:
    """``bleu`` of single words."""
    return bleu(answer, reference, longest=1)


def bleu_4(answer: str, reference: str) -> float:
    """``bleu`` of one to four words in a row."""
    return bleu(answer, reference, longest=4)


def bleu(answer: str, reference: str, longest: int) -> float:
    """Geometric mean of the clipped n-gram precisions, times the brevity penalty (Papineni et al. 2002, 2.3).

    stronger-baselines-dos-rag, A.4, takes evaluate's default, which counts over a whole test set and smooths
    nothing; a single answer would then almost always get 0 for n = 4. Here it is as sacrebleu counts one
    sentence: orders for which the answer is too short are left out, and the k-th order without a match has
    precision 1 / (2^k n-grams) (Chen and Cherry 2014, method 3). No word in common is 0. An empty reference
    gives 1 to the empty answer and 0 to any other.

    Args:
        answer, reference: case counts (see ``tokens_13a``).
        longest: the longest n-grams, in tokens.
    """
    said, wanted = tokens_13a(answer), tokens_13a(reference)
    if not said or not wanted:
        return float(said == wanted)
    matched = [_matched(said, wanted, n) for n in range(1, min(longest, len(said)) + 1)]
    if not matched[0]:
        return 0.0
    logs = [log(precision) for precision in _precisions(matched, len(said))]
    return exp(sum(logs) / len(logs) + min(0.0, 1 - len(wanted) / len(said)))


def _matched(said: Sequence[str], wanted: Sequence[str], n: int) -> int:
    return (_ngrams(said, n) & _ngrams(wanted, n)).total()


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _precisions(matched: Sequence[int], tokens: int) -> list[float]:
    """One precision an order. Once an order matches nothing, no longer one does: each halves once more."""
    hits = [*takewhile(bool, matched)]
    halves = [0.5**k for k in range(1, len(matched) - len(hits) + 1)]
    return [count / (tokens - order) for order, count in enumerate([*hits, *halves])]


def tokens_13a(text: str) -> list[str]:
    """Words and ASCII punctuation marks, case kept; "3,500.75" and "gold-mist" are one token each.

    The rules of NIST's mteval-v13a, which Hugging Face's evaluate and sacrebleu use by default, without those
    for SGML entities.
    """
    line = f" {text} ".replace("-\n", "").replace("\n", " ")
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()
