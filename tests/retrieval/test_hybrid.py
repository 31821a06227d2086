from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.retrieval.dense import HybridRetriever
from niah.retrieval.registry import get_retriever


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


def test_it_is_made_of_any_model(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    texts = ["The fox met the hen.", "", "Rates rose. " * 40]
    folder = tmp_path / "mine"
    folder.symlink_to(tiny)
    dense, sparse, hybrid = (
        get_retriever(name, print).score("Which fox met the hen?", texts)
        for name in (str(folder), "tfidf", f"hybrid:{folder}")
    )
    assert np.allclose(hybrid, 0.85 * dense + 0.15 * sparse)
    assert get_retriever(f"hybrid:st:{folder}/", print).name == f"hybrid:{folder}"
