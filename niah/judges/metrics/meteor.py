"""METEOR with two of its three stages: the same word, then the same stem. No synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from niah.judges.metrics.words import alphanumerics

Pair = tuple[int, int]


def meteor(answer: str, reference: str) -> float:
    """Fmean times what the penalty for scattered matches leaves (Banerjee and Lavie 2005, section 2.2).

    Fmean = 10 P R / (R + 9 P), penalty = 0.5 (chunks / matches)^3: the parameters of 2005, which nltk and so
    Hugging Face's evaluate keep (stronger-baselines-dos-rag, A.4). The same text therefore gets
    1 - 0.5 / words^3, a single word 0.5. Differences from evaluate:

    * The third stage, synonyms, needs WordNet and is left out; values are lower where an answer uses one.
    * Words are stemmed as Porter published it; nltk's own stemmer departs from that in a few words.
    * Punctuation marks are not words.

    No word in common is 0. An empty reference gives 1 to the empty answer and 0 to any other.
    """
    said, wanted = alphanumerics(answer), alphanumerics(reference)
    if not said or not wanted:
        return float(said == wanted)
    pairs = alignment(said, wanted)
    if not pairs:
        return 0.0
    precision, recall = len(pairs) / len(said), len(pairs) / len(wanted)
    fmean = 10 * precision * recall / (recall + 9 * precision)
    return fmean * (1 - 0.5 * (chunks(pairs) / len(pairs)) ** 3)


def alignment(said: Sequence[str], wanted: Sequence[str]) -> list[Pair]:
    """Positions in ``said`` and ``wanted`` that go together, in the order of ``said``; each at most once.

    First equal words, then equal stems of those left. Of a repeated word the last occurrences are paired, in
    order, as in nltk; the paper searches for the pairing with the fewest crossings.
    """
    same = _paired(dict(enumerate(said)), dict(enumerate(wanted)))
    left = _stems({place: word for place, word in enumerate(said) if place not in {i for i, _ in same}})
    free = _stems({place: word for place, word in enumerate(wanted) if place not in {j for _, j in same}})
    return sorted(same + _paired(left, free))


def chunks(pairs: Sequence[Pair]) -> int:
    """In how many runs, unbroken and in order in both texts, the pairs stand; ``pairs`` sorted, not empty."""
    return 1 + sum(after != (before[0] + 1, before[1] + 1) for before, after in pairwise(pairs))


def _paired(said: dict[int, str], wanted: dict[int, str]) -> list[Pair]:
    places: dict[str, list[int]] = {}
    for place, word in sorted(wanted.items()):
        places.setdefault(word, []).append(place)
    return [
        (place, places[word].pop()) for place, word in sorted(said.items(), reverse=True) if places.get(word)
    ]


def _stems(words: dict[int, str]) -> dict[int, str]:
    from snowballstemmer import stemmer

    porter = stemmer("porter")
    return {place: porter.stemWord(word) for place, word in words.items()}
