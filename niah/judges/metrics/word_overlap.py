"""Metrics of shared words: exact and contained match, F1 over sets and bags of words, ROUGE-L."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from niah.judges.metrics.words import alphanumerics, significant_words, squad_words, words


def f1(shared: int, answer: int, reference: int) -> float:
    """Harmonic mean of precision shared/answer and recall shared/reference: 2 shared / (answer + reference).

    Nothing shared is 0. An empty reference is the reference of a question without an answer: the empty answer
    gets 1 and any other 0 (SQuAD 2.0's evaluation script).

    Args:
        shared: how much answer and reference have in common.
        answer, reference: how much there is of each, in the same unit.
    """
    return 2 * shared / (answer + reference) if answer + reference else 1.0


def exact_match(answer: str, reference: str) -> float:
    """1 if both are the same words in the same order, otherwise 0.

    Case, punctuation, articles and spacing do not count (Rajpurkar et al. 2016, section 6.1).
    long-context-vs-rag, section 4.3, calls an answer correct by exact match and names no normalisation; this
    is the usual one. Two empty texts match.
    """
    return float(squad_words(answer) == squad_words(reference))


def contained_match(answer: str, reference: str) -> float:
    """1 if one of the two has every word of the other, in any order, otherwise 0.

    So do the authors of long-context-vs-rag count exact match (their published evaluation script): case,
    punctuation and the words a, an, the, and, or, about and to do not count. There an answer without a word
    left matches everything; here it matches only its like.
    """
    said, wanted = set(significant_words(answer)), set(significant_words(reference))
    return float((said <= wanted or wanted <= said) and bool(said) == bool(wanted))


def token_f1(answer: str, reference: str) -> float:
    """F1 over the sets of unique words (long-context-vs-rag, appendix A); repeats do not count.

    As in the paper's example articles are words; case and punctuation, which it leaves open, do not count.
    Empty texts as in ``f1``.
    """
    said, wanted = set(words(answer)), set(words(reference))
    return f1(len(said & wanted), len(said), len(wanted))


def squad_f1(answer: str, reference: str) -> float:
    """F1 over the bags of words, articles left out (Rajpurkar et al. 2016, section 6.1); repeats count.

    Empty texts as in ``f1``.
    """
    said, wanted = Counter(squad_words(answer)), Counter(squad_words(reference))
    return f1((said & wanted).total(), said.total(), wanted.total())


def rouge_l(answer: str, reference: str) -> float:
    """F measure (beta 1) of the longest common subsequence of words (Lin 2004, section 3.1).

    The whole text is one sentence and words are not stemmed, as in Hugging Face's evaluate by default
    (stronger-baselines-dos-rag, A.4). Empty texts as in ``f1``.
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


_MARKER = 10
"""Characters of the code that MRCR's reference answers begin with."""


def marked_ratio(answer: str, reference: str) -> float:
    """``difflib``'s ratio of what follows the reference's first ten characters; 0 for an answer without them.

    As published with the dataset openai/mrcr.
    """
    marker = reference[:_MARKER]
    if not answer.startswith(marker):
        return 0.0
    return SequenceMatcher(None, answer.removeprefix(marker), reference.removeprefix(marker)).ratio()
