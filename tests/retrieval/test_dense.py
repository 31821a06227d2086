"""MiniLM itself, offline. The weights are fetched at first use."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah import weights
from niah.retrieval.dense import SentenceTransformerRetriever, _load, _model_windows, word_windows

NEEDLE = "The secret ingredient of the rainbow potion is crimson essence from the northern cliffs."
QUESTION = "What is the secret ingredient of the rainbow potion?"
FILLER = (
    "The ferry left the harbour at nine and the gulls followed it as far as the second buoy. "
    "Nobody on deck spoke, for the wind took every word. "
)


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformerRetriever:
    return SentenceTransformerRetriever("minilm", weights.ensure("minilm"))


def test_the_chunk_that_answers_outranks_the_others(minilm: SentenceTransformerRetriever) -> None:
    chunks = [FILLER, "Potions are brewed on Mondays.", NEEDLE, "A rainbow stood over the cliffs."]
    scores = minilm.score(QUESTION, chunks)
    assert scores.argmax() == 2
    assert scores.dtype == np.float64
    assert (np.abs(scores) <= 1 + 1e-6).all()


def test_an_answer_at_the_end_of_a_long_chunk_is_found(minilm: SentenceTransformerRetriever) -> None:
    # 14 x 37 words come to about 600 tokens; the model reads the first 256.
    long = FILLER * 14
    scores = minilm.score(QUESTION, [long + NEEDLE, long, "Potions are brewed on Mondays."])
    assert scores.argmax() == 0
    assert scores[0] > 2 * scores[1]


def test_every_window_is_read_whole() -> None:
    model = _load(weights.ensure("minilm"))
    text = (FILLER + NEEDLE + " Antidisestablishmentarianism 日本語 Ünïcödé—3,141.5! ") * 20
    windows = _model_windows(model, text)
    assert max(len(model.tokenizer(window)["input_ids"]) for window in windows) <= model.max_seq_length == 256
    assert all(text.count(window[-40:]) for window in windows)
    assert text.startswith(windows[0])
    assert text.rstrip().endswith(windows[-1])


def test_equal_texts_score_equally_wherever_they_stand(minilm: SentenceTransformerRetriever) -> None:
    scores = minilm.score(QUESTION, [NEEDLE, *[f"{FILLER} {i}" for i in range(8)], NEEDLE])
    assert scores[0] == scores[-1]


def test_no_chunks(minilm: SentenceTransformerRetriever) -> None:
    assert minilm.score(QUESTION, []).shape == (0,)


class _FakeModel:
    """Counts the texts it embeds; a text's vector is one-hot at its length modulo 4."""

    max_seq_length = 256

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.tokenizer = _FakeTokenizer()

    def encode(self, texts: list[str], **options: object) -> np.ndarray:
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
    monkeypatch.setattr("niah.retrieval.dense._load", lambda path: model)
    return model


def test_a_text_is_embedded_once(fake: _FakeModel) -> None:
    retriever = SentenceTransformerRetriever("fake", Path())
    assert retriever.score("abc", ["a", "abc", "a", "abcdefg"]).tolist() == [0, 1, 0, 1]
    assert retriever.score("a", ["a", "ab"]).tolist() == [1, 0]
    assert sorted(fake.embedded) == ["a", "ab", "abc", "abcdefg"]


def test_a_long_text_scores_by_its_best_window(fake: _FakeModel) -> None:
    # 300 characters > 254: windows 0-254 and 206-300, of lengths 2 and 2 modulo 4.
    scores = SentenceTransformerRetriever("fake", Path()).score("ab", ["x" * 300, "x" * 100])
    assert scores.tolist() == [1, 0]
    assert sorted(map(len, fake.embedded)) == [2, 94, 100, 254]


def test_a_long_query_is_read_whole_too(fake: _FakeModel) -> None:
    # Windows 0-254 and 206-301, of lengths 2 and 3 modulo 4.
    scores = SentenceTransformerRetriever("fake", Path()).score("q" * 301, ["a", "ab", "abc"])
    assert scores.tolist() == [0, 1, 1]


def test_the_cache_keeps_what_was_used_last(fake: _FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.retrieval.dense.CACHED_VECTORS", 2)
    retriever = SentenceTransformerRetriever("fake", Path())
    retriever.score("a", ["ab"])
    retriever.score("a", ["abc"])  # "ab" goes, though "a" is older
    fake.embedded.clear()
    retriever.score("a", ["abc"])
    assert fake.embedded == []


def test_the_cache_is_bounded(fake: _FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.retrieval.dense.CACHED_VECTORS", 2)
    retriever = SentenceTransformerRetriever("fake", Path())
    assert retriever.score("a", ["ab", "abc", "abcde"]).tolist() == [0, 0, 1]
    fake.embedded.clear()
    retriever.score("abcde", ["abc"])
    assert fake.embedded == []
    retriever.score("abcde", ["a"])
    assert fake.embedded == ["a"]


@settings(deadline=None)
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
