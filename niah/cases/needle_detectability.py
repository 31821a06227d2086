"""How much needles stick out: what a plain classifier makes of them, by TF-IDF and logistic regression.

A needle that differs from its haystack in voice and vocabulary can be found without knowing the question.
The measure is the area under the ROC curve of a classifier that has learnt what needles look like from other
needle sets, and judges a set that it never saw: 0.5 where its needles cannot be told from haystack sentences,
1 where they always can. (Needles of one set share their subject: having seen some, one finds the others.)
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from niah.errors import HaystackError
from niah.haystacks.corpus import Corpus
from niah.text.tokenizer import Tokenizer

_FEWEST, _MOST = 100, 1000
"""Haystack sentences that needles are compared with, half of them in training."""

_TOLERANCE = 0.35
"""A sentence counts as long as a needle if its tokens differ by no more than this share."""


def needle_detectability(
    needles: Sequence[str], others: Sequence[str], corpus: Corpus, tokenizer: Tokenizer, seed: int = 1
) -> float:
    """Area under the ROC curve, 0 to 1: how well needles are told from sentences of their length.

    The classifier is trained on ``others`` and half of the sentences; it judges ``needles`` and the other
    half. Raises HaystackError if the haystack has too few sentences of that length.

    Args:
        needles: the texts of one needle set.
        others: the texts of other needle sets.
        corpus: the haystack.
        tokenizer: the corpus' own.
        seed: chooses the sentences.
    """
    from sklearn.metrics import roc_auc_score

    lengths = tokenizer.counts(list(needles)).tolist()
    sentences = _of_length(corpus, min(lengths), max(lengths))
    if len(sentences) < _FEWEST:
        raise HaystackError(
            f"haystack {corpus.name!r} has {len(sentences)} sentences as long as these needles.",
            "Take short needles, or a longer haystack.",
        )
    chosen = random.Random(seed).sample(sentences, min(_MOST, len(sentences)))
    test = chosen[1::2]
    judged = _judged(others, chosen[::2], [*needles, *test])
    return float(roc_auc_score([1] * len(needles) + [0] * len(test), judged))


def _of_length(corpus: Corpus, least: int, most: int) -> list[str]:
    """The corpus' sentences of about that many tokens."""
    low, high = least * (1 - _TOLERANCE), most * (1 + _TOLERANCE)
    return [
        corpus.slice(piece, piece + 1).strip()
        for piece in range(corpus.size)
        if low <= corpus.tokens[piece + 1] - corpus.tokens[piece] <= high
    ]


def _judged(needles: Sequence[str], sentences: Sequence[str], asked: Sequence[str]) -> list[float]:
    """For each of ``asked``, how much it looks like the needles and not like the sentences."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True),
        LogisticRegression(class_weight="balanced", max_iter=1000),
    )
    model.fit([*needles, *sentences], [1] * len(needles) + [0] * len(sentences))
    judged: list[float] = model.decision_function(list(asked)).tolist()
    return judged
