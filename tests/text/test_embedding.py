"""MiniLM through onnxruntime, and an encoder that counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from niah import weights
from niah.cache import Cache
from niah.text.embedding import Embedder, Encoder, OnnxEncoder, TextSide, text_windows

if TYPE_CHECKING:
    from niah.text.embedding import Vectors


NEEDLE = "The secret ingredient of the rainbow potion is crimson essence from the northern cliffs."
FILLER = (
    "The ferry left the harbour at nine and the gulls followed it as far as the second buoy. "
    "Nobody on deck spoke, for the wind took every word. "
)


@pytest.fixture
def disk(tmp_path: Path) -> Cache:
    return Cache("vectors", path=tmp_path / "vectors.sqlite")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    disk = Cache("vectors", path=tmp_path_factory.mktemp("vectors") / "vectors.sqlite")
    return Embedder("minilm", OnnxEncoder(weights.ensure_weights("minilm"), "minilm"), disk)


def test_an_embedding_has_a_row_of_length_1_for_each_window(minilm: Embedder) -> None:
    # 14 x 37 words come to about 600 tokens; a window holds 254, of which neighbours share 48.
    short, long = minilm.embed([NEEDLE, FILLER * 14])
    assert (short.shape, long.shape) == ((1, 384), (3, 384))
    assert short.dtype == np.float32
    assert np.linalg.norm(np.concatenate([short, long]), axis=1) == pytest.approx(1, abs=1e-3)
    with pytest.raises(ValueError, match="read-only"):
        short[0] = 0


def test_minilm_puts_meanings_where_its_authors_model_does(minilm: Embedder) -> None:
    # Cosines of the float32 model, by sentence-transformers 6.2.
    texts = ["A man is eating food.", "A man is eating a piece of bread."]
    first, second, third = minilm.embed([*texts, "A cheetah is running behind its prey."])
    assert (first @ second.T).item() == pytest.approx(0.7553, abs=0.01)
    assert (first @ third.T).item() == pytest.approx(0.1419, abs=0.01)


def test_no_batch_changes_an_embedding(minilm: Embedder, disk: Cache) -> None:
    texts = [f"{FILLER * (2 * i % 16)} {i}" for i in range(9)]
    other = Embedder("minilm", OnnxEncoder(weights.ensure_weights("minilm"), "minilm"), disk)
    together, apart = minilm.embed(texts), [other.embed([text])[0] for text in texts]
    assert all((a == b).all() for a, b in zip(together, apart, strict=True))


@pytest.mark.parametrize("text", ["", " \n\0", "x" * 100_000, "half a \ud83d pair, \udc00"])
def test_odd_texts_have_an_embedding(minilm: Embedder, text: str) -> None:
    odd, plain = minilm.embed([text, NEEDLE])
    assert odd.shape == (1, 384)
    assert np.linalg.norm(odd) == pytest.approx(1, abs=1e-3)
    assert float(odd[0] @ plain[0]) < 0.5


class Counting(Encoder):
    """Notes the texts it embeds; a text's vector is one-hot at its length modulo 4."""

    identity, block_bytes = "counting", 1_000_000

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def mark(self, side: TextSide) -> str:
        return ""

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        self.embedded += texts
        return [np.eye(4, dtype=np.float32)[[len(text) % 4]] for text in texts]


def test_a_text_is_embedded_once_a_machine(disk: Cache, tmp_path: Path) -> None:
    first = Counting()
    one = Embedder("m", first, disk)
    assert [vectors.argmax() for vectors in one.embed(["a", "abc", "a", "abcdefg"])] == [1, 3, 1, 3]
    assert [vectors.argmax() for vectors in one.embed(["ab", "a"])] == [2, 1]
    assert sorted(first.embedded) == ["a", "ab", "abc", "abcdefg"]
    again = Counting()
    Embedder("m", again, disk).embed(["abc", "a", "\ud83d"])
    Embedder("m", again, disk).embed(["\ud83d", "\ufffd"])
    assert again.embedded == ["\ufffd", "\ufffd"], "half a pair is another text than its substitute"
    alone = Counting()
    one = Embedder("m", alone, Cache("vectors", path=tmp_path))  # no file: what is in memory counts
    for text in ("a", "b", "a"):
        one.embed([text])
    assert alone.embedded == ["a", "b"]


@pytest.mark.parametrize("prefix", ["", "Represent this sentence for searching relevant passages: "])
@pytest.mark.parametrize("text", ["word " * 600 + "end", "3.14159," * 400 + "end", "né à Łódź " * 99])
def test_every_window_is_read_whole_after_its_prefix(prefix: str, text: str) -> None:
    encoder = OnnxEncoder(weights.ensure_weights("minilm"), "m")
    windows = text_windows(text, 254, encoder._read, prefix)
    assert len(windows) > 1
    assert all(len(encoder._read(prefix + window)[0]) <= 254 for window in windows)
    assert windows[0] == text[: len(windows[0])]
    assert windows[-1] == text.rstrip()[-len(windows[-1]) :]
