"""A real cross-encoder, tiny and of random weights, from its folder to a ranking."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import StrategyError
from niah.retrieval.registry import get_retriever
from niah.retrieval.rerank import CrossEncoderReranker
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


def test_an_embedder_is_no_reranker(tiny: Path) -> None:
    with pytest.raises(StrategyError, match=r"is no reranker: it is a BertModel\. Choose a cross-encoder"):
        get_retriever(f"bm25+{tiny}", print)
