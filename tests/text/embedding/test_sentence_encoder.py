"""Prefixes, windows and errors of sentence-transformers models: MiniLM itself, and folders made from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import constants
from hypothesis import given
from hypothesis import strategies as st

from niah import weights
from niah.errors import StrategyError
from niah.text.embedding.embedder import Embedder
from niah.text.embedding.sentence_encoder import (
    Conventions,
    SentenceEncoder,
    _device,
    load_model,
    model_windows,
    word_windows,
)
from niah.text.embedding.vector_cache import DiskVectors

PREFIX = "Represent this sentence for searching relevant passages: "


@lru_cache
def minilm() -> Any:
    return load_model(weights.ensure_weights("minilm"), "SentenceTransformer")


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """MiniLM's folder with one JSON file of its own."""

    def make(file: str, content: object) -> Path:
        folder = tmp_path / "model"
        folder.mkdir()
        for child in weights.ensure_weights("minilm").iterdir():
            (folder / child.name).symlink_to(child)
        (folder / file).unlink(missing_ok=True)
        (folder / file).write_text(json.dumps(content))
        return folder

    return make


def plain(text: str) -> np.ndarray[Any, Any]:
    """What the library itself makes of a text."""
    return np.asarray(minilm().encode([text], prompt="", normalize_embeddings=True))


def test_each_side_has_its_prefix() -> None:
    encoder = SentenceEncoder(weights.ensure_weights("minilm"), "m", Conventions("query: ", "passage: "))
    assert np.allclose(encoder.encode(["a fox"], "query")[0], plain("query: a fox"), atol=1e-6)
    assert np.allclose(encoder.encode(["a fox"], "passage")[0], plain("passage: a fox"), atol=1e-6)
    assert (encoder.mark("query"), encoder.mark("passage")) == ("query: ", "passage: ")


def test_a_models_default_prompt_is_not_put_before_ours(changed: Callable[..., Path]) -> None:
    settings = {"prompts": {"all": "default: "}, "default_prompt_name": "all"}
    folder = changed("config_sentence_transformers.json", settings)
    bare = SentenceEncoder(folder, "m").encode(["a fox"], "passage")[0]
    assert np.allclose(bare, plain("a fox"), atol=1e-6)


def test_the_sides_of_a_model_with_prefixes_are_kept_apart(tmp_path: Path) -> None:
    path = weights.ensure_weights("minilm")
    disk = DiskVectors(tmp_path / "vectors.sqlite")
    bare, prefixed = (
        Embedder("m", SentenceEncoder(path, "m", conventions), disk)
        for conventions in (None, Conventions(query="query: "))
    )
    (asked,), (found,) = prefixed.embed(["a fox"], "query"), prefixed.embed(["a fox"], "passage")
    assert not np.allclose(asked, found, atol=1e-3)
    # Without a prefix a model's vectors are those that it has had since before there were prefixes.
    assert bare.embed(["a fox"], "query")[0].tolist() == found.tolist()


def test_dot_products_leave_embeddings_at_their_length() -> None:
    path = weights.ensure_weights("minilm")
    encoder = SentenceEncoder(path, "m", Conventions(similarity="dot"))
    assert encoder.identity != SentenceEncoder(path, "m").identity


@pytest.mark.parametrize("prefix", ["", PREFIX])
@pytest.mark.parametrize(
    "text", ["word " * 600 + "end", "3.14159," * 400 + "end", "xyzzyplughqwertyuiop " * 60, "né à Łódź " * 99]
)
def test_every_window_is_read_whole_after_its_prefix(prefix: str, text: str) -> None:
    model = minilm()
    windows = model_windows(model, text, prefix)
    assert len(windows) > 1
    assert all(len(model.tokenizer(prefix + window)["input_ids"]) <= 256 for window in windows)
    assert windows[0] == text[: len(windows[0])]
    assert windows[-1] == text.rstrip()[-len(windows[-1]) :]


def test_a_text_that_just_fits_is_one_window() -> None:
    # 256 tokens, two of them special; the prefix has 7 words and a colon.
    assert len(model_windows(minilm(), "word " * 254)) == 1
    assert len(model_windows(minilm(), "word " * 255)) == 2
    assert len(model_windows(minilm(), "word " * 246, PREFIX)) == 1
    assert len(model_windows(minilm(), "word " * 247, PREFIX)) == 2


def test_windows_fit_the_model(changed: Callable[..., Path]) -> None:
    folder = changed("sentence_bert_config.json", {"max_seq_length": 32, "do_lower_case": False})
    rows = SentenceEncoder(folder, "m").encode(["word " * 100, "short"], "passage")
    # 30 tokens to a window, 15 of them shared with the one before: 0-30, 15-45, ... 75-100.
    assert [row.shape for row in rows] == [(6, 384), (1, 384)]


def test_a_model_without_a_limit_gets_texts_whole() -> None:
    class Unlimited:
        max_seq_length = None

    assert model_windows(Unlimited(), "word " * 9999) == ["word " * 9999]


def test_a_folder_that_cannot_be_loaded_is_one_line(changed: Callable[..., Path]) -> None:
    folder = changed("config.json", {"model_type": "of-tomorrow"})
    with pytest.raises(StrategyError, match="cannot load the model in") as caught:
        SentenceEncoder(folder, "m").encode(["a fox"], "passage")
    assert "\n" not in str(caught.value)


def test_a_model_with_code_of_its_own_is_not_run(changed: Callable[..., Path]) -> None:
    own = {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}
    with pytest.raises(StrategyError, match="needs code of its own, which is not run here"):
        SentenceEncoder(changed("config.json", own), "m").encode(["a fox"], "passage")


def test_loading_leaves_the_hub_as_it_was() -> None:
    before = constants.HF_HUB_OFFLINE
    load_model(weights.ensure_weights("minilm"), "SentenceTransformer")
    assert before == constants.HF_HUB_OFFLINE


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 12), st.integers(0, 11))
def test_windows_cover_all_tokens_and_fit(later: list[bool], size: int, overlap: int) -> None:
    word_starts = [True, *later]
    spans = word_windows(word_starts, size, min(overlap, size - 1))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(word_starts)
    assert all(0 < end - start <= size for start, end in spans)
    assert all(a[0] < b[0] <= a[1] for a, b in pairwise(spans))


def test_windows_are_cut_where_words_start() -> None:
    # Words of 2, 3, 1, 2 and 2 tokens, windows of 6 sharing at least 2: 0-6, then from 2 (the word that
    # starts at 5 would share 1): 2-8, then from 6: 6-10.
    word_starts = [bool(flag) for flag in [1, 0, 1, 0, 0, 1, 1, 0, 1, 0]]
    assert word_windows(word_starts, 6, 2) == [(0, 6), (2, 8), (6, 10)]


def test_a_model_of_static_embeddings_reads_chunks_of_any_length(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights.ensure_weights("minilm") / "tokenizer.json"))
    vectors = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), 8)).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=vectors)], device="cpu")
    model.save(str(tmp_path / "static"))
    encoder = SentenceEncoder(tmp_path / "static", "static")
    long, short, same = encoder.encode(["The ferry left at nine. " * 200, "A fox.", "a fox."], "passage")
    assert encoder.reads_tokens is None
    assert long.shape == short.shape == (1, 8)
    assert np.allclose(short, same)
    assert not np.allclose(long, short, atol=0.1)


@pytest.mark.parametrize(
    ("cuda", "mps", "device"), [(True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_the_fastest_device_that_torch_has_embeds(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, device: str
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: mps)
    assert _device() == device
