"""The Hugging Face hub: its cache on this machine, a loopback server in its place, and no network."""

from __future__ import annotations

import shutil
from pathlib import Path

import huggingface_hub.constants
import numpy as np
import pytest

from niah.errors import StrategyError
from niah.retrieval.dense import SentenceEncoder
from niah.retrieval.registry import get_retriever, model_folder
from tests.loopback_hub import COMMIT, serving_hub
from tests.tiny_model import save_tiny_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny-model")


def unheard(line: str) -> None:
    raise AssertionError(line)


def test_a_folder_is_known_by_what_is_in_it(tiny: Path, tmp_path: Path) -> None:
    found = model_folder(str(tiny), unheard)
    assert found.path == tiny
    copy = tmp_path / "other-name"
    shutil.copytree(tiny, copy)
    assert model_folder(f"{copy}", unheard).identity == found.identity
    (copy / "onnx").mkdir()
    (copy / "onnx" / "config.json").write_text("unused")
    (copy / "README.md").write_text("unused")
    assert model_folder(f"{copy}", unheard).identity == found.identity
    (copy / "tokenizer_config.json").write_text("{}")
    assert model_folder(f"{copy}", unheard).identity != found.identity


def test_a_model_is_fetched_once(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    with serving_hub(monkeypatch) as hub:
        unused = "pytorch_model.bin onnx/model.onnx onnx/config.json tf_model.h5 README.md .gitattributes"
        hub.files = dict.fromkeys((f"owner/name/{name}" for name in unused.split()), b"x")
        hub.files |= {f"owner/name/{file.name}": file.read_bytes() for file in tiny.iterdir()}
        said: list[str] = []
        found = model_folder("owner/name", said.append)
        assert capsys.readouterr() == ("", "")
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


def test_an_embedder_is_no_reranker(tiny: Path) -> None:
    with pytest.raises(StrategyError, match=r"is no reranker: it is a BertModel\. Choose a cross-encoder"):
        get_retriever(f"bm25+{tiny}", print)
