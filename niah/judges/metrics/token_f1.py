"""Token F1 over sets of words."""

from __future__ import annotations

from niah.judges.metrics.overlap import f1
from niah.judges.metrics.words import words


def token_f1(answer: str, reference: str) -> float:
    """F1 over the sets of unique words (long-context-vs-rag, appendix A); repeats do not count.

    As in the paper's example articles are words; case and punctuation, which it leaves open, do not count.
    Empty texts as in ``niah.judges.metrics.overlap.f1``.
    """
    said, wanted = set(words(answer)), set(words(reference))
    return f1(len(said & wanted), len(said), len(wanted))
