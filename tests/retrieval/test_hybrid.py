from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from niah.retrieval.embedders.dense import HybridRetriever
from niah.retrieval.registry import get_retriever


class Fixed:
    """Gives the scores that it was made with."""

    name = "fixed"

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array(self._scores[: len(texts)])


def test_the_papers_weights_over_cosines_as_they_are() -> None:
    hybrid = HybridRetriever(dense=Fixed(0.8, -1, 0.2), sparse=Fixed(0.0, 0.4, 1))
    # 0.85 x 0.8; -0.85 + 0.15 x 0.4; 0.85 x 0.2 + 0.15.
    assert np.allclose(hybrid.score("q", ["a", "b", "c"]), [0.68, -0.79, 0.32])
    assert hybrid.score("q", []).shape == (0,)


def test_it_is_made_of_minilm_and_tfidf() -> None:
    texts = ["The fox met the hen.", "A vixen came upon poultry.", "", "Rates rose.", "The fox met the hen."]
    scores = {
        name: get_retriever(name, print).score("Which fox met the hen?", texts)
        for name in ("hybrid", "minilm", "tfidf")
    }
    assert np.allclose(scores["hybrid"], 0.85 * scores["minilm"] + 0.15 * scores["tfidf"])
    assert scores["hybrid"][0] == scores["hybrid"][4] == scores["hybrid"].max()
