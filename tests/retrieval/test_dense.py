"""Scores worked out by hand, and what is embedded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from niah.retrieval.dense import DenseRetriever, HybridRetriever, StaticRetriever
from niah.text.chunks import windows
from niah.text.embedding import Embedder, TextSide
from niah.text.tokenizer import get_tokenizer


class _Known(Embedder):
    """Gives the embeddings that a function knows; notes the passages."""

    def __init__(self, rows: Callable[[str], list[list[float]]]) -> None:
        self.name, self._rows, self.embedded = "known", rows, set[str]()

    def embed(
        self, texts: Sequence[str], side: TextSide = "passage", *, anew: bool = False
    ) -> list[NDArray[np.float32]]:
        self.embedded |= {text for text in texts if side == "passage"}
        return [np.array(self._rows(text), dtype=np.float32) for text in texts]


def test_a_score_is_that_of_the_best_pair_of_windows() -> None:
    # The query's windows point east and north. "a" has one to the south, "b" one to the west and one at
    # 3-4-5 to the north-east: its cosine to the north, 0.8, beats that to the east, 0.6.
    rows: dict[str, list[list[float]]] = {
        "query": [[1, 0], [0, 1]],
        "a": [[0, -1]],
        "b": [[-1, 0], [0.6, 0.8]],
        "c": [[1, 0]],
    }
    retriever = DenseRetriever(_Known(rows.__getitem__))
    assert retriever.score("query", ["a", "b", "c", "b"]).tolist() == [0, 0.8, 1, 0.8]


ANSWER = "The lantern hangs in the boathouse. It is lit at dusk."
SENTENCES = [
    f"In year {year} the harbour took {year * 7 % 61} boats and {year * 5 % 43} crates."
    for year in range(400)
]


def _windows(sentences: Sequence[str]) -> list[str]:
    text, tokenizer = " ".join(sentences), get_tokenizer("cl100k")
    return [text[chunk.start : chunk.end] for chunk in windows(text, tokenizer.starts(text))]


@pytest.mark.parametrize("depth", [0, 100, 333])
def test_at_another_depth_only_the_needle_is_embedded(depth: int) -> None:
    counting = _Known(lambda text: [[1, 0] if "lantern" in text else [0, 1]])  # east for the answer
    DenseRetriever(counting, in_sentences=True).score("lantern", _windows([*SENTENCES, ANSWER]))
    before = set(counting.embedded)
    assert before == {*SENTENCES, "The lantern hangs in the boathouse.", "It is lit at dusk."}
    chunks = _windows([*SENTENCES[:depth], ANSWER, *SENTENCES[depth:]])
    scores = DenseRetriever(counting, in_sentences=True).score("lantern", chunks)
    assert {i for i, chunk in enumerate(chunks) if "The lantern hangs" in chunk} == set(
        np.flatnonzero(scores)
    )
    assert counting.embedded == before


def test_static_vectors_are_means_of_a_table(tmp_path: Path) -> None:
    words = Tokenizer(WordLevel({"red": 0, "fox": 1, "hen": 2, "?": 3}, unk_token="?"))
    words.pre_tokenizer = Whitespace()
    words.save(str(tmp_path / "l2_supercat_tokenizer_config.json"))
    table = np.zeros((4, 256), dtype=np.float16)
    table[[0, 1, 2], [0, 1, 2]] = 1
    header = b'{"embedding.weight": {}}'
    file = len(header).to_bytes(8, "little") + header + table.tobytes()
    (tmp_path / "l2_supercat_256.safetensors").write_bytes(file)
    static = StaticRetriever(tmp_path)
    # "red fox" is (1, 1, 0) / sqrt(2).
    assert static.score("fox", ["red fox", "fox", "hen", ""]) == pytest.approx([0.5**0.5, 1, 0, 0], abs=1e-6)
    assert static.score("fox", []).shape == (0,)


class _Fixed:
    """Gives the scores that it was made with."""

    name = "fixed"

    def __init__(self, *scores: float) -> None:
        self._scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array(self._scores[: len(texts)])


def test_the_papers_weights_over_cosines_as_they_are() -> None:
    hybrid = HybridRetriever("hybrid", dense=_Fixed(0.8, -1, 0.2), sparse=_Fixed(0.0, 0.4, 1))
    # 0.85 x 0.8; -0.85 + 0.15 x 0.4; 0.85 x 0.2 + 0.15.
    assert np.allclose(hybrid.score("q", ["a", "b", "c"]), [0.68, -0.79, 0.32])
