"""The Hugging Face hub: its cache on this machine, a loopback server in its place, and no network."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from niah.errors import StrategyError
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


def test_folders_that_hold_no_model(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="is no folder"):
        model_folder(str(tmp_path / "none"), unheard)
    with pytest.raises(StrategyError, match="holds no sentence-transformers model: it needs"):
        model_folder(str(tmp_path), unheard)
    for missing in ("config.json", "model.safetensors"):
        part = tmp_path / f"without-{missing}"
        shutil.copytree(tiny, part, ignore=shutil.ignore_patterns(missing))
        with pytest.raises(StrategyError, match="holds no sentence-transformers model"):
            model_folder(str(part), unheard)


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


def in_cache(cache: Path, tiny: Path, *left_out: str) -> Path:
    """A snapshot of owner/name as another program leaves it: without .gitattributes."""
    repository = cache / "models--owner--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    snapshot = repository / "snapshots" / COMMIT
    shutil.copytree(tiny, snapshot, ignore=shutil.ignore_patterns(*left_out))
    return snapshot


@pytest.mark.parametrize("left_out", [(), ("*.safetensors",), ("config.json",)])
def test_a_model_cached_in_part_is_not_taken_for_whole(
    hub_cache: Path, tiny: Path, left_out: tuple[str, ...]
) -> None:
    # Even with all files of ``tiny`` nobody knows here whether the hub has a modules.json.
    in_cache(hub_cache, tiny, *left_out)
    with pytest.raises(StrategyError, match="cannot be fetched"):
        model_folder("owner/name", unheard)


def test_no_network_is_one_line_at_once(hub_cache: Path) -> None:
    began = time.monotonic()
    with pytest.raises(StrategyError, match="cannot be fetched") as caught:
        model_folder("owner/uncached", unheard)
    assert time.monotonic() - began < 60
    assert "\n" not in str(caught.value)
    assert "Go online once, or give a folder" in caught.value.remedy
