"""Exact match."""

from __future__ import annotations

from niah.judges.metrics.words import squad_words


def exact_match(answer: str, reference: str) -> float:
    """1 if both are the same words in the same order, otherwise 0.

    Case, punctuation, articles and spacing do not count (Rajpurkar et al. 2016, section 6.1).
    long-context-vs-rag, section 4.3, calls an answer correct by exact match and names no normalisation; this
    is the usual one. Two empty texts match.
    """
    return float(squad_words(answer) == squad_words(reference))
