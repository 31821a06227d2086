"""F1 from counts: the one formula behind token F1, SQuAD F1 and ROUGE-L."""

from __future__ import annotations


def f1(shared: int, answer: int, reference: int) -> float:
    """Harmonic mean of precision shared/answer and recall shared/reference: 2 shared / (answer + reference).

    Nothing shared is 0. An empty reference is the reference of a question without an answer: the empty answer
    gets 1 and any other 0 (SQuAD 2.0's evaluation script).

    Args:
        shared: how much answer and reference have in common.
        answer, reference: how much there is of each, in the same unit.
    """
    return 2 * shared / (answer + reference) if answer + reference else 1.0
