"""What reranking makes of a ranking, and a real cross-encoder, tiny and of random weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.cache import Cache
from niah.retrieval.rerank import CrossEncoderReranker, RerankedRetriever
from niah.retrieval.retriever import FirstRetriever
from niah.weights import ensure_weights

QUESTION = "Which bell rang at noon?"
CHUNKS = ["The copper bell rang at noon.", "Gulls sat on the pier.", "A bell of tin hung in the tower."]


@pytest.fixture(scope="session")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer and 32 positions that gives a pair one score, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    path = tmp_path_factory.mktemp("models") / "tiny-reranker"
    torch.manual_seed(2)
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    config = BertConfig(max_position_embeddings=32, num_labels=1, initializer_range=1.0, **shape)
    BertForSequenceClassification(config).save_pretrained(path)
    special = {f"{kind}_token": f"[{kind.upper()}]" for kind in ("unk", "sep", "pad", "cls", "mask")}
    tokenizer = str(ensure_weights("minilm") / "tokenizer.json")
    PreTrainedTokenizerFast(tokenizer_file=tokenizer, model_max_length=32, **special).save_pretrained(path)
    return path


def by_the_library(path: Path, chunks: list[str]) -> list[float]:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(path), local_files_only=True)
    return [float(score) for score in model.predict([(QUESTION, chunk) for chunk in chunks])]


def test_scores_are_the_models(cross_encoder: Path) -> None:
    reranker = CrossEncoderReranker(cross_encoder, "tiny")
    found = reranker.relevance(QUESTION, CHUNKS)
    assert found.tolist() == pytest.approx(by_the_library(cross_encoder, CHUNKS), abs=1e-6)
    assert len({round(score, 4) for score in found}) == 3


def test_a_long_chunk_has_the_score_of_its_best_window(cross_encoder: Path) -> None:
    filler = " ".join(CHUNKS[1:2] * 12)
    longer = [filler, f"{filler} harbour bell", f"{filler} noon"]
    # The library reads the beginning alone.
    beginning, *same = by_the_library(cross_encoder, longer)
    assert same == [beginning] * 2
    found = CrossEncoderReranker(cross_encoder, "tiny").relevance(QUESTION, longer)
    assert min(found) > beginning + 1e-3
    assert len({round(score, 3) for score in found}) == 3


TEXTS = ["x" * ((i * 37) % 151) for i in range(150)]


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


def test_the_best_hundred_are_ranked_anew_and_the_others_stay_below(tmp_path: Path) -> None:
    reranker, disk = Lengths(), Cache("relevance", path=tmp_path / "r.sqlite")
    scores = RerankedRetriever("first+lengths", FirstRetriever(), reranker, disk).score("q", TEXTS)
    ranking = np.argsort(-scores, kind="stable").tolist()
    assert sorted(reranker.read, key=len) == sorted(TEXTS[:100], key=len)
    assert ranking[:100] == sorted(range(100), key=lambda i: (-len(TEXTS[i]), i))
    assert ranking[100:] == list(range(100, 150))
    assert scores[3] == round(len(TEXTS[3]) / 3 - 900, 5)
    # No gap tells where the read ones end.
    assert scores[ranking[99]] - scores[ranking[100]] < 0.01
