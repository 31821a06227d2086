"""ROUGE-L: the longest common subsequence of words."""

from __future__ import annotations

from collections.abc import Sequence

from niah.judges.metrics.overlap import f1
from niah.judges.metrics.words import alphanumerics


def rouge_l(answer: str, reference: str) -> float:
    """F measure (beta 1) of the longest common subsequence of words (Lin 2004, section 3.1).

    The whole text is one sentence and words are not stemmed, as in Hugging Face's evaluate by default
    (stronger-baselines-dos-rag, A.4). Empty texts as in ``niah.judges.metrics.overlap.f1``.
    """
    said, wanted = alphanumerics(answer), alphanumerics(reference)
    return f1(common_subsequence(said, wanted), len(said), len(wanted))


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, by Hyyrö's bit-parallel rule (2004).

    Each bit of ``row`` stands for a place in ``other``; the bits that end as 0 count the subsequence.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(other):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(other)) - 1
    row = full
    for word in one:
        matches = row & places.get(word, 0)
        row = (row + matches | row - matches) & full
    return len(other) - row.bit_count()
