"""What reranking makes of a ranking, with a reranker whose scores can be foreseen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from niah.cache import Cache
from niah.retrieval.rerank import RerankedRetriever
from niah.retrieval.retriever import FirstRetriever, Retriever


class Lengths:
    """Finds long texts relevant; notes what it reads."""

    identity = "lengths"
    block_texts = 7

    def __init__(self) -> None:
        self.read: list[str] = []

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        assert len(texts) <= self.block_texts
        self.read += texts
        return np.array([len(text) / 3 - 900 for text in texts])


def reranked(first: Retriever, reranker: Lengths, path: Path) -> RerankedRetriever:
    return RerankedRetriever("first+lengths", first, reranker, Cache("relevance", path=path / "r.sqlite"))


TEXTS = ["x" * ((i * 37) % 151) for i in range(150)]


def test_the_best_hundred_are_ranked_anew_and_the_others_stay_below(tmp_path: Path) -> None:
    reranker = Lengths()
    scores = reranked(FirstRetriever(), reranker, tmp_path).score("q", TEXTS)
    ranking = np.argsort(-scores, kind="stable").tolist()
    assert sorted(reranker.read, key=len) == sorted(TEXTS[:100], key=len)
    assert ranking[:100] == sorted(range(100), key=lambda i: (-len(TEXTS[i]), i))
    assert ranking[100:] == list(range(100, 150))
    assert scores[3] == round(len(TEXTS[3]) / 3 - 900, 5)
    # No gap tells where the read ones end.
    assert scores[ranking[99]] - scores[ranking[100]] < 0.01
