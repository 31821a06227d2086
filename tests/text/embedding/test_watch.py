"""Embedding watched by another thread: how far it is, and stopping it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from niah.text.embedding.embedder import Embedder
from niah.text.embedding.sentence_encoder import TextSide
from niah.text.embedding.vector_cache import DiskVectors
from niah.text.embedding.watch import EmbeddingWatch, watched

if TYPE_CHECKING:
    from niah.text.embedding.vector_cache import Vectors


class _Slow:
    """An encoder of one text at a time, that calls ``at_text`` before each."""

    block_bytes = 1
    identity = "slow"
    reads_tokens = None

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self.labels: list[str] = []
        self.watch: EmbeddingWatch | None = None
        self.stops_at = ""

    def load(self) -> None:
        pass

    def mark(self, side: TextSide) -> str:
        return ""

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        assert self.watch
        self.encoded.extend(texts)
        self.labels.append(self.watch.label)
        if self.stops_at in texts:
            self.watch.stop()
        return [np.ones((1, 2), dtype=np.float32) for _ in texts]


TEXTS = ["a", "b", "c", "d"]


@pytest.fixture
def slow(tmp_path: Path) -> tuple[_Slow, Embedder]:
    encoder = _Slow()
    return encoder, Embedder("slow", encoder, DiskVectors(tmp_path / "vectors.sqlite"))


def test_it_says_how_far_it_is(slow: tuple[_Slow, Embedder]) -> None:
    encoder, embedder = slow
    encoder.watch = EmbeddingWatch(print)
    with watched(encoder.watch):
        embedder.embed(TEXTS)
    assert encoder.labels == [
        "embedding 0 of 4 texts",
        *(f"embedding {done} of 4 texts (0:00:00)" for done in (1, 2, 3)),
    ]
    assert encoder.watch.label == ""


def test_stopped_it_ends_with_the_block_under_way_which_is_kept(slow: tuple[_Slow, Embedder]) -> None:
    encoder, embedder = slow
    encoder.watch, encoder.stops_at = EmbeddingWatch(print), "b"
    with pytest.raises(CancelledError), watched(encoder.watch):
        embedder.embed(TEXTS)
    assert encoder.encoded == ["a", "b"]
    assert encoder.watch.label == ""
    encoder.encoded, encoder.watch = [], EmbeddingWatch(print)
    with watched(encoder.watch):
        embedder.embed(TEXTS)
    assert encoder.encoded == ["c", "d"]


def test_other_threads_embedding_is_not_its_business(slow: tuple[_Slow, Embedder]) -> None:
    encoder, embedder = slow
    encoder.watch, encoder.stops_at = EmbeddingWatch(print), "a"
    assert len(embedder.embed(TEXTS)) == 4
    assert encoder.labels == [""] * 4


def test_what_takes_long_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, lines = [0.0], list[str]()
    monkeypatch.setattr("niah.text.embedding.watch.time.monotonic", lambda: clock[0])
    watch = EmbeddingWatch(lines.append)
    for _ in range(2):
        watch.begin("minilm", 1_200, 30_000)
        clock[0] += 3
        watch.embedded(100, 2_000)
        assert watch.label == "embedding 100 of 1,200 texts (0:00:42)"
    assert lines == ["embedding 1,200 texts with minilm, once: about 0:00:42 for this context"]
