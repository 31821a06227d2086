"""Tiny models of sentence-transformers with random weights: fetched from a loopback hub, embed and rerank."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import huggingface_hub.constants
import numpy as np
import pytest
from huggingface_hub.utils.tqdm import are_progress_bars_disabled, enable_progress_bars
from numpy.typing import NDArray

from niah.cache import Cache
from niah.errors import UserError
from niah.retrieval.dense import SentenceEncoder
from niah.retrieval.registry import get_retriever, model_folder
from niah.retrieval.rerank import CrossEncoderReranker, RerankedRetriever
from niah.retrieval.retriever import FirstRetriever
from niah.text.embedding import Conventions
from niah.weights import ensure_weights
from tests.loopback_hub import COMMIT, serving_hub


def saved(path: Path, is_reranker: bool = False) -> Path:
    """A BERT of one layer and 32 positions as transformers saves it; a reranker gives a pair one score."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(2 if is_reranker else 0)
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    more = {"num_labels": 1, "initializer_range": 1.0} if is_reranker else {}
    config = BertConfig(max_position_embeddings=32, **shape, **more)
    (BertForSequenceClassification if is_reranker else BertModel)(config).save_pretrained(path)
    special: dict[str, object] = {
        f"{kind}_token": f"[{kind.upper()}]" for kind in ("unk", "sep", "pad", "cls", "mask")
    }
    special |= {"model_max_length": 32} if is_reranker else {}
    tokenizer = str(ensure_weights("minilm") / "tokenizer.json")
    PreTrainedTokenizerFast(tokenizer_file=tokenizer, **special).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "tiny-model")


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "tiny-reranker", is_reranker=True)


def unheard(line: str) -> None:
    raise AssertionError(line)


def test_a_folder_is_known_by_what_is_in_it(tiny: Path, tmp_path: Path) -> None:
    found = model_folder(str(tiny), unheard)
    assert found.path == tiny
    copy = Path(shutil.copytree(tiny, tmp_path / "other-name"))
    assert model_folder(f"{copy}", unheard).identity == found.identity
    (copy / "onnx").mkdir()
    (copy / "onnx" / "config.json").write_text("unused")
    (copy / "README.md").write_text("unused")
    assert model_folder(f"{copy}", unheard).identity == found.identity
    (copy / "tokenizer_config.json").rename(copy / "renamed.json")
    renamed = model_folder(f"{copy}", unheard).identity
    (copy / "renamed.json").write_text("{}")
    assert len({found.identity, renamed, model_folder(f"{copy}", unheard).identity}) == 3


def test_a_model_is_fetched_once(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    with serving_hub(monkeypatch) as hub:
        unused = "pytorch_model.bin onnx/model.onnx onnx/config.json tf_model.h5 README.md .gitattributes"
        hub.files = dict.fromkeys((f"owner/name/{name}" for name in unused.split()), b"x")
        hub.files |= {f"owner/name/{file.name}": file.read_bytes() for file in tiny.iterdir()}
        said: list[str] = []
        enable_progress_bars()
        found = model_folder("owner/name", said.append)
        assert are_progress_bars_disabled()
        assert said == ["Fetching owner/name from the Hugging Face hub, once ..."]
        assert found.identity == f"hub owner/name {COMMIT}"
        got = {file.relative_to(found.path).as_posix() for file in found.path.rglob("*") if file.is_file()}
        # Not the pickled copy of the weights, nor other frameworks'.
        assert got == {".gitattributes", *(file.name for file in tiny.iterdir())}
        hub.asked.clear()
        assert model_folder("owner/name", unheard) == found
        assert hub.asked == []
        vectors = SentenceEncoder(found.path, found.identity).encode(["a text"], "passage")
        assert np.array_equal(vectors[0], SentenceEncoder(tiny, "tiny").encode(["a text"], "passage")[0])
        assert hub.asked == []
        assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("modules.json", '[{"path": "1", "type": 5}]', "is no list of modules"),
        ("config_sentence_transformers.json", '{"prompts": 3}', "cannot read"),
        ("config_sentence_transformers.json", "[", "cannot read"),
    ],
)
def test_a_wrong_file_of_a_folder_is_named(
    tiny: Path, tmp_path: Path, name: str, text: str, says: str
) -> None:
    folder = Path(shutil.copytree(tiny, tmp_path / "model"))
    (folder / name).write_text(text)
    with pytest.raises(UserError, match=rf"{name}.*{says}|{says}.*{name}"):
        get_retriever(str(folder), print)


def test_an_embedder_is_no_reranker(tiny: Path) -> None:
    with pytest.raises(UserError, match=r"is no reranker: it is a BertModel\. Choose a cross-encoder"):
        get_retriever(f"bm25+{tiny}", print)


def test_sentence_transformers_gets_prefixes_and_windows(tiny: Path) -> None:
    encoder = SentenceEncoder(tiny, "m", Conventions("query: ", "passage: "))
    plain = SentenceEncoder(tiny, "m")
    asked, found = (encoder.encode(["a fox"], side)[0] for side in ("query", "passage"))
    assert np.allclose(asked, plain.encode(["query: a fox"], "query")[0], atol=1e-6)
    assert np.allclose(found, plain.encode(["passage: a fox"], "query")[0], atol=1e-6)
    # 30 tokens to a window, 15 of them shared with the one before: 0-30, 15-45, ... 75-100.
    assert [row.shape for row in plain.encode(["word " * 100, "short"], "passage")] == [(6, 8), (1, 8)]
    assert SentenceEncoder(tiny, "m", Conventions(similarity="dot")).identity != plain.identity


QUESTION = "Which bell rang at noon?"
CHUNKS = ["The copper bell rang at noon.", "Gulls sat on the pier.", "A bell of tin hung in the tower."]


def by_the_library(path: Path, chunks: list[str]) -> list[float]:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(path), local_files_only=True)
    return [float(score) for score in model.predict([(QUESTION, chunk) for chunk in chunks])]


def test_scores_are_the_models(cross_encoder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = CrossEncoderReranker(cross_encoder, "tiny").relevance(QUESTION, CHUNKS)
    assert capsys.readouterr() == ("", "")
    assert found.tolist() == pytest.approx(by_the_library(cross_encoder, CHUNKS), abs=1e-6)
    assert len({round(score, 4) for score in found}) == 3


def test_a_question_is_cut_at_half_of_what_the_model_reads(cross_encoder: Path) -> None:
    reranker = CrossEncoderReranker(cross_encoder, "tiny")
    long, cut = f"{QUESTION} " * 9, f"{QUESTION} {QUESTION} Which bell rang at"  # 16 tokens of 32
    assert reranker.relevance(long, CHUNKS).tolist() == reranker.relevance(cut, CHUNKS).tolist()
    assert reranker.relevance(cut, CHUNKS).tolist() != reranker.relevance(cut[:-3], CHUNKS).tolist()


def test_a_long_chunk_has_the_score_of_its_best_window(cross_encoder: Path) -> None:
    filler = " ".join(CHUNKS[1:2] * 12)
    longer = [filler, f"{filler} harbour bell", f"{filler} noon"]
    # The library reads the beginning alone.
    beginning, *same = by_the_library(cross_encoder, longer)
    assert same == [beginning] * 2
    longer.append(f"{filler} {CHUNKS[1]}")  # the first window of which, as long as the model reads, is best
    *found, first = CrossEncoderReranker(cross_encoder, "tiny").relevance(QUESTION, longer)
    assert first == pytest.approx(beginning, abs=1e-6)
    assert min(found) > beginning + 1e-3
    assert len({round(score, 3) for score in found}) == 3


TEXTS = ["x" * ((i * 37) % 151) for i in range(150)]


class Lengths:
    """Finds long texts relevant; notes what it reads."""

    identity = "lengths"
    block_texts = 7

    def __init__(self) -> None:
        self.read, self.blocks = list[str](), list[int]()

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        self.read += texts
        self.blocks.append(len(texts))
        return np.array([len(text) / 3 - 900 for text in texts])


def test_the_best_hundred_are_ranked_anew_and_the_others_stay_below(tmp_path: Path) -> None:
    reranker, disk = Lengths(), Cache("relevance", path=tmp_path / "r.sqlite")
    ranked = RerankedRetriever("first+lengths", FirstRetriever(), reranker, disk)
    scores, _ = (ranked.score("q", TEXTS) for _ in range(2))  # read once
    ranking = np.argsort(-scores, kind="stable").tolist()
    assert sorted(reranker.read, key=len) == sorted(TEXTS[:100], key=len)
    assert ranking[:100] == sorted(range(100), key=lambda i: (-len(TEXTS[i]), i))
    assert ranking[100:] == list(range(100, 150))
    assert reranker.blocks == [7] * 14 + [2]
    assert scores[3] == round(len(TEXTS[3]) / 3 - 900, 5)
    # No gap tells where the read ones end.
    assert scores[ranking[99]] - scores[ranking[100]] < 0.01
