"""MiniLM itself, offline, and a model that counts. The weights are fetched at first use."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niah import weights
from niah.errors import UnknownName
from niah.text.embedding.embedder import Embedder, get_embedder, nearest_similarity
from niah.text.embedding.sentence_encoder import SentenceEncoder, load_model, model_windows
from niah.text.embedding.vector_cache import DiskVectors

NEEDLE = "The secret ingredient of the rainbow potion is crimson essence from the northern cliffs."
FILLER = (
    "The ferry left the harbour at nine and the gulls followed it as far as the second buoy. "
    "Nobody on deck spoke, for the wind took every word. "
)


@pytest.fixture
def disk(tmp_path: Path) -> DiskVectors:
    return DiskVectors(tmp_path / "vectors.sqlite")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    disk = DiskVectors(tmp_path_factory.mktemp("vectors") / "vectors.sqlite")
    return Embedder("minilm", SentenceEncoder(weights.ensure_weights("minilm"), "minilm"), disk)


def test_an_embedding_has_a_row_of_length_1_for_each_window(minilm: Embedder) -> None:
    # 14 x 37 words come to about 600 tokens; a window holds 254, of which neighbours share 48.
    short, long = minilm.embed([NEEDLE, FILLER * 14])
    assert short.shape == (1, 384)
    assert long.shape == (3, 384)
    assert short.dtype == long.dtype == np.float32
    assert np.linalg.norm(np.concatenate([short, long]), axis=1) == pytest.approx(1, abs=1e-4)


def test_embeddings_are_shared_so_nobody_may_write_to_them(minilm: Embedder) -> None:
    (vectors,) = minilm.embed([NEEDLE])
    with pytest.raises(ValueError, match="read-only"):
        vectors[0] = 0
    assert minilm.embed([NEEDLE])[0] is vectors


def test_the_batch_changes_an_embedding_by_float_noise_only(minilm: Embedder, disk: DiskVectors) -> None:
    texts = [f"{FILLER * (i % 16)} {i}" for i in range(20)]
    other = Embedder("minilm", SentenceEncoder(weights.ensure_weights("minilm"), "minilm"), disk)
    together, apart = minilm.embed(texts), [other.embed([text])[0] for text in texts]
    assert max(np.abs(a - b).max() for a, b in zip(together, apart, strict=True)) < 2e-4


def test_no_texts(minilm: Embedder) -> None:
    assert minilm.embed([]) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n\0", id="blank"),
        pytest.param("x" * 100_000, id="long word"),
        pytest.param("half a \ud83d pair, \udc00", id="surrogates"),
    ],
)
def test_odd_texts_have_an_embedding(minilm: Embedder, text: str) -> None:
    odd, plain = minilm.embed([text, NEEDLE])
    assert odd.shape == (1, 384)
    assert np.linalg.norm(odd) == pytest.approx(1, abs=1e-4)
    assert float(odd[0] @ plain[0]) < 0.5


def test_a_text_with_half_a_pair_is_read_but_for_that(minilm: Embedder) -> None:
    assert nearest_similarity(minilm, [f"{NEEDLE}\ud83d"], [NEEDLE]) > 0.9


def test_every_window_is_read_whole() -> None:
    model = load_model(weights.ensure_weights("minilm"), "SentenceTransformer")
    text = (FILLER + NEEDLE + " Antidisestablishmentarianism 日本語 Ünïcödé—3,141.5! ") * 20
    windows = model_windows(model, text)
    assert max(len(model.tokenizer(window)["input_ids"]) for window in windows) <= model.max_seq_length == 256
    assert all(text.count(window[-40:]) for window in windows)
    assert text.startswith(windows[0])
    assert text.rstrip().endswith(windows[-1])


def test_equal_texts_are_at_1_and_others_below(minilm: Embedder) -> None:
    others = [FILLER * 14, NEEDLE]
    near = nearest_similarity(minilm, [NEEDLE, "Potions are brewed on Mondays.", FILLER * 14, NEEDLE], others)
    assert near.dtype == np.float64
    assert near[[0, 2, 3]].tolist() == [1, 1, 1]
    assert 0.1 < near[1] < 0.7
    assert near.tolist() == [round(value, 4) for value in near.tolist()]


def test_a_needle_at_the_end_of_a_long_text_is_near(minilm: Embedder) -> None:
    buried, filler = nearest_similarity(minilm, [FILLER * 14 + NEEDLE, FILLER * 14], [NEEDLE])
    assert buried > 2 * filler


_WARM = """
import sys
from niah.text.embedding.embedder import get_embedder, nearest_similarity

texts = sys.argv[1:]
embedder = get_embedder("minilm", print)
print(nearest_similarity(embedder, texts, texts[1:]).tolist())
print(sum(vectors.astype("float64").sum() for vectors in embedder.embed(texts)))
print(sorted({"sentence_transformers", "torch", "transformers"} & set(sys.modules)))
"""


def test_what_is_on_disk_needs_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = weights.ensure_weights("minilm").parent
    (tmp_path / "weights").symlink_to(packaged, target_is_directory=True)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    texts = [NEEDLE, FILLER * 14, "A rainbow stood over the cliffs."]
    here = get_embedder("minilm", print)
    near = nearest_similarity(here, texts, texts[1:])
    total = sum(vectors.astype("float64").sum() for vectors in here.embed(texts))
    done = subprocess.run([sys.executable, "-c", _WARM, *texts], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(near.tolist()), str(total), "[]"]


def test_one_embedder_per_process() -> None:
    assert get_embedder("minilm", print) is get_embedder("minilm", lambda line: None)
    assert get_embedder("minilm", print).name == "minilm"


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no embedder called 'minilem'\. Did you mean 'minilm'\?"):
        get_embedder("minilem", print)


class _FakeModel:
    """Counts the texts it embeds; a text's vector is one-hot at its length modulo 4."""

    max_seq_length = 256

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.tokenizer = _FakeTokenizer()

    def encode(self, texts: list[str], **options: object) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in texts]]


class _FakeTokenizer:
    def num_special_tokens_to_add(self) -> int:
        return 2

    def __call__(self, text: str, **options: object) -> _FakeEncoding:
        return _FakeEncoding({"offset_mapping": [(i, i + 1) for i in range(len(text))]})


class _FakeEncoding(dict[str, list[tuple[int, int]]]):
    def word_ids(self) -> list[int]:
        return list(range(len(self["offset_mapping"])))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> _FakeModel:
    model = _FakeModel()
    monkeypatch.setattr("niah.text.embedding.sentence_encoder.load_model", lambda path, kind: model)
    return model


def embedder(disk: DiskVectors, identity: str = "fake") -> Embedder:
    return Embedder("fake", SentenceEncoder(Path(), identity), disk)


def test_a_text_is_embedded_once(fake: _FakeModel, disk: DiskVectors) -> None:
    one = embedder(disk)
    assert [vectors.argmax() for vectors in one.embed(["a", "abc", "a", "abcdefg"])] == [1, 3, 1, 3]
    assert [vectors.argmax() for vectors in one.embed(["ab", "a"])] == [2, 1]
    assert sorted(fake.embedded) == ["a", "ab", "abc", "abcdefg"]


def test_a_text_is_embedded_once_for_all_embedders(fake: _FakeModel, disk: DiskVectors) -> None:
    made = embedder(disk).embed(["a", "x" * 300, "\ud83d"])
    fake.embedded.clear()
    read = embedder(disk).embed(["x" * 300, "\ud83d", "a"])
    assert fake.embedded == []
    assert [vectors.tolist() for vectors in read] == [made[i].tolist() for i in (1, 2, 0)]
    with pytest.raises(ValueError, match="read-only"):
        read[0][0] = 0


def test_half_a_pair_and_its_substitutes_are_different_texts(fake: _FakeModel, disk: DiskVectors) -> None:
    embedder(disk).embed(["\ud83d", "\ufffd", "?"])
    assert fake.embedded == ["\ufffd", "\ufffd", "?"]


@pytest.mark.parametrize("change", ["identity", "WINDOW_OVERLAP", "_RECIPE"])
def test_what_changes_embeddings_changes_the_key(
    fake: _FakeModel, disk: DiskVectors, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    embedder(disk).embed(["a"])
    if change != "identity":
        monkeypatch.setattr(f"niah.text.embedding.embedder.{change}", 7)
    embedder(disk, "other" if change == "identity" else "fake").embed(["a"])
    assert fake.embedded == ["a", "a"]


def test_a_crash_loses_no_finished_block(
    fake: _FakeModel, disk: DiskVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SentenceEncoder, "block_bytes", 2)
    encode = fake.encode

    def crashing(texts: list[str], **options: object) -> NDArray[np.float32]:
        if "e" in texts:
            raise KeyboardInterrupt
        return encode(texts, **options)

    monkeypatch.setattr(fake, "encode", crashing)
    with pytest.raises(KeyboardInterrupt):
        embedder(disk).embed(["a", "b", "c", "d", "e"])
    fake.embedded.clear()
    embedder(disk).embed(["a", "b", "c", "d"])
    assert fake.embedded == []


def test_threads_embed_a_text_once(fake: _FakeModel, disk: DiskVectors) -> None:
    shared = embedder(disk)
    texts = ["x" * length for length in range(1, 200)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: shared.embed(texts), range(16)))
    assert len(fake.embedded) == 199
    lengths = [len(text) % 4 for text in texts]
    assert all([vectors.argmax() for vectors in result] == lengths for result in results)


def test_without_a_usable_disk_memory_does(fake: _FakeModel, tmp_path: Path) -> None:
    one = embedder(DiskVectors(tmp_path))  # a folder, where the file should be
    assert one.embed(["ab"])[0].argmax() == one.embed(["ab"])[0].argmax() == 2
    assert fake.embedded == ["ab"]


def test_memory_is_bounded(fake: _FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.text.embedding.embedder.CACHED_VECTORS", 2)
    one = embedder(DiskVectors(tmp_path))
    assert len(one.embed(["a", "ab", "abc"])) == 3
    fake.embedded.clear()
    one.embed(["ab", "abc"])
    assert fake.embedded == []
    one.embed(["a"])
    assert fake.embedded == ["a"]


def test_similarity_is_that_of_the_best_pair_of_windows(fake: _FakeModel, disk: DiskVectors) -> None:
    # 301 characters > 254: windows 0-254 and 206-301, of lengths 2 and 3 modulo 4.
    texts, others = ["x" * 301, "a", "ab"], ["abc", "abcd", "y" * 301]
    assert nearest_similarity(embedder(disk), texts, others).tolist() == [1, 0, 1]
    assert nearest_similarity(embedder(disk), texts, others[:2]).tolist() == [1, 0, 0]


def test_noise_below_zero_is_plain_zero(
    fake: _FakeModel, disk: DiskVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"a": [1, 0], "b": [-1e-7, 1]}
    monkeypatch.setattr(fake, "encode", lambda texts, **_: np.array([rows[text] for text in texts]))
    assert str(nearest_similarity(embedder(disk), ["a"], ["b"]).tolist()) == "[0.0]"


def test_nothing_to_compare(fake: _FakeModel, disk: DiskVectors) -> None:
    assert nearest_similarity(embedder(disk), [], ["a"]).shape == (0,)
    assert fake.embedded == []
    with pytest.raises(ValueError, match="at least 1"):
        nearest_similarity(embedder(disk), ["a"], [])
