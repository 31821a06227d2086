"""The Hugging Face hub: its cache on this machine, a loopback server in its place, and no network."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from niah.retrieval.models import model_folder
from niah.text.encoders import SentenceEncoder

COMMIT = "0123456789abcdef0123456789abcdef01234567"


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


def test_a_model_is_fetched_once(hub: Any, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hub.has(tiny, "pytorch_model.bin", "onnx/model.onnx", "onnx/config.json", "tf_model.h5", "README.md")
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
