"""SQuAD's F1 over bags of words."""

from __future__ import annotations

from collections import Counter

from niah.judges.metrics.overlap import f1
from niah.judges.metrics.words import squad_words


def squad_f1(answer: str, reference: str) -> float:
    """F1 over the bags of words, articles left out (Rajpurkar et al. 2016, section 6.1); repeats count.

    Empty texts as in ``niah.judges.metrics.overlap.f1``.
    """
    said, wanted = Counter(squad_words(answer)), Counter(squad_words(reference))
    return f1((said & wanted).total(), said.total(), wanted.total())
