"""Rankings of passages by their numbers: NDCG over the first ten (HELMET's msmarco)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log2

_RANKED = 10
# HELMET leaves brackets, colons and "ID" out before it looks for numbers between ">".
_AROUND_NUMBERS = re.compile(r"[\[\]:]|id", re.IGNORECASE)
_RANKING = re.compile(r"\d{1,18}(?:\s*>\s*\d{1,18})*", re.ASCII)
_GRADED = re.compile(r"(\d{1,18})(?: \((\d{1,3})\))?", re.ASCII)


def ndcg_10(answer: str, reference: str) -> float:
    """NDCG@10 of the ranking in an answer, as trec_eval has it: gains are grades, divided by log2(rank + 1).

    Args:
        answer: its longest run of passages' numbers with ">" between them is the ranking, the first of
            several; "ID 7" and "[7]" are 7. A number that comes again counts where it stands first.
        reference: the relevant passages with their grades, "12 (3) > 7 (1)"; without a grade it is 1.

    0 where the answer ranks nothing, or the reference holds nothing relevant; 1 where both are empty.
    """
    grades = {number: int(grade or 1) for number, grade in _GRADED.findall(reference)}
    gained = _discounted(grades.get(number, 0) for number in ranked_numbers(answer))
    best = _discounted(sorted(grades.values(), reverse=True))
    return gained / best if best else float(not answer and not reference)


def ranked_numbers(answer: str) -> list[str]:
    """The numbers that an answer ranks, best first, each once."""
    rankings = _RANKING.findall(_AROUND_NUMBERS.sub("", answer))
    longest = max(rankings, key=len, default="")
    return list(dict.fromkeys(re.findall(r"\d+", longest)))


def _discounted(gains: Iterable[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in zip(range(1, _RANKED + 1), gains, strict=False))
