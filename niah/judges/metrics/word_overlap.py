"""Metrics of shared words: exact and contained match, F1 over sets and bags of words, ROUGE-L."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from niah.judges.metrics.words import alphanumerics, significant_words, squad_words, words
from niah.text.words.korean import is_with_particles
from niah.text.words.unspaced import is_unspaced


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

    A script without spaces has no words to look for: a reference that has its characters must stand in the
    answer in a row, and an answer in the reference between borders ("2" in "2吨", but not "务" in "港务长").
    A Korean word may have particles behind it: "2톤입니다" has "2톤".
    """
    said, wanted = significant_words(answer), significant_words(reference)
    if not said or not wanted:
        return float(said == wanted)
    return float(_holds(said, wanted) or _has_all(_clauses(wanted), _clauses(said)))


def _holds(said: Sequence[str], wanted: Sequence[str]) -> bool:
    if any(map(is_unspaced, wanted)):
        long = len(wanted)
        return any(said[start : start + long] == wanted for start in range(len(said) - long + 1))
    return _has_all(said, wanted)


def _has_all(words: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether each of the words wanted is among ``words``, maybe with Korean particles behind it."""
    known = set(words)
    missing = [word for word in wanted if word not in known]
    return all(any(is_with_particles(word, name) for word in known) for name in missing)


def _clauses(words: Iterable[str]) -> list[str]:
    """The words, with what no space parts in one: characters in a row may be one word or several."""
    runs = ((unspaced, list(run)) for unspaced, run in groupby(words, is_unspaced))
    return [part for unspaced, run in runs for part in (["".join(run)] if unspaced else run)]


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
