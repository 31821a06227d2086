from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from niah.retrieval.dense import HybridRetriever


class Fixed:
    """Gives the scores that it was made with."""

    name = "fixed"

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array(self._scores[: len(texts)])


def test_the_papers_weights_over_cosines_as_they_are() -> None:
    hybrid = HybridRetriever("hybrid", dense=Fixed(0.8, -1, 0.2), sparse=Fixed(0.0, 0.4, 1))
    # 0.85 x 0.8; -0.85 + 0.15 x 0.4; 0.85 x 0.2 + 0.15.
    assert np.allclose(hybrid.score("q", ["a", "b", "c"]), [0.68, -0.79, 0.32])
    assert hybrid.score("q", []).shape == (0,)
