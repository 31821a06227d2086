"""chrF: F measure of shared runs of characters."""

from __future__ import annotations

from collections import Counter

_LONGEST = 6
_RECALL_WEIGHT = 2**2


def chrf(answer: str, reference: str) -> float:
    """F measure (beta 2) of the mean precision and recall of one to six characters in a row (Popović 2015).

    As sacrebleu counts one sentence by default: without spaces, with case and punctuation, and lengths for
    which one of the texts is too short are left out. It needs no words, so it suits scripts without spaces.
    An empty reference gives 1 to the empty answer and 0 to any other.
    """
    said, wanted = "".join(answer.split()), "".join(reference.split())
    if not said or not wanted:
        return float(said == wanted)
    lengths = range(1, min(_LONGEST, len(said), len(wanted)) + 1)
    shared = [(_runs_of(said, n) & _runs_of(wanted, n)).total() for n in lengths]
    precision = sum(count / (len(said) - n + 1) for n, count in zip(lengths, shared, strict=True)) / len(
        lengths
    )
    recall = sum(count / (len(wanted) - n + 1) for n, count in zip(lengths, shared, strict=True)) / len(
        lengths
    )
    if not precision:
        return 0.0
    return (1 + _RECALL_WEIGHT) * precision * recall / (_RECALL_WEIGHT * precision + recall)


def _runs_of(text: str, length: int) -> Counter[str]:
    return Counter(text[start : start + length] for start in range(len(text) - length + 1))
