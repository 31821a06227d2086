"""Retrieval by sentence-transformers embeddings: cosine similarity of a chunk's best window."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

# 100,000 vectors of MiniLM's 384 dimensions take 154 MB.
CACHED_VECTORS = 100_000

# Model tokens that neighbouring windows of one chunk share: a short needle on a border is whole in one.
WINDOW_OVERLAP = 48

# Sums of float32 depend on their place in a batch; equal texts shall have equal scores.
_CERTAIN_DECIMALS = 6


class SentenceTransformerRetriever:
    """Embeds query and chunks with one model, on the CPU.

    A model reads only so many tokens (MiniLM 256) and would cut the rest unseen. A longer chunk is split
    into windows that the model can read whole, and scored by the best of them. Embeddings are kept in
    memory by a hash of the text, so that strategies, depths and repeats of one case share them.

    Args:
        name: as users call it ("minilm").
        load_path: folder in sentence-transformers' layout.
    """

    def __init__(self, name: str, load_path: Path) -> None:
        self.name = name
        self._load_path = load_path
        self._model: Any = None
        self._cache = _VectorCache(CACHED_VECTORS)
        self._lock = Lock()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): cosine similarity, -1 to 1, of the best pair of windows."""
        if not texts:
            return np.zeros(0)
        with self._lock:
            asked, *chunks = self._embedded([query, *texts])
        best = (np.concatenate(chunks) @ asked.T).max(axis=1).astype(np.float64)
        firsts = np.cumsum([0, *(len(chunk) for chunk in chunks[:-1])])
        return np.maximum.reduceat(best, firsts).round(_CERTAIN_DECIMALS)

    def _embedded(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text its windows' embeddings, shape (windows, dimensions)."""
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        known = {key: vectors for key in keys if (vectors := self._cache.get(key)) is not None}
        known |= self._encoded({key: text for key, text in zip(keys, texts, strict=True) if key not in known})
        for key, vectors in known.items():
            self._cache.put(key, vectors)
        return [known[key] for key in keys]

    def _encoded(self, texts: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        if not texts:
            return {}
        if self._model is None:
            self._model = _load(self._load_path)
        pieces = [_model_windows(self._model, text) for text in texts.values()]
        vectors = self._model.encode(
            [window for windows in pieces for window in windows],
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        borders = np.cumsum([len(windows) for windows in pieces])[:-1]
        return dict(zip(texts, np.split(vectors, borders), strict=True))


def word_windows(word_starts: Sequence[bool], size: int, overlap: int) -> list[tuple[int, int]]:
    """Token spans of at most ``size`` that cover all tokens, cut where a word starts.

    Neighbours share at least ``overlap`` tokens, or as much as whole words allow. A word of more than
    ``size`` tokens is cut inside.

    Args:
        word_starts: shape (tokens,), whether each token is the first of its word.
        size: tokens in a window, at least 1.
        overlap: less than ``size``.
    """
    tokens = len(word_starts)
    spans: list[tuple[int, int]] = []
    start = 0
    while tokens - start > size:
        end = next((i for i in range(start + size, start, -1) if word_starts[i]), start + size)
        spans.append((start, end))
        start = next((i for i in range(end - overlap, start, -1) if word_starts[i]), end)
    return [*spans, (start, tokens)]


def _model_windows(model: Any, text: str) -> list[str]:
    """The text in parts that the model reads whole, by its own tokenizer."""
    size = model.max_seq_length - model.tokenizer.num_special_tokens_to_add()
    encoded = model.tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
    )
    offsets, words = encoded["offset_mapping"], encoded.word_ids()
    if len(offsets) <= size:
        return [text]
    word_starts = [word != before for before, word in zip([None, *words], words, strict=False)]
    spans = word_windows(word_starts, size, min(WINDOW_OVERLAP, size // 2))
    return [text[offsets[start][0] : offsets[end - 1][1]] for start, end in spans]


def _load(path: Path) -> Any:
    """The model, without a look at the network or a line on the terminal. Takes about 8 s to import."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    return SentenceTransformer(str(path), device="cpu", local_files_only=True)


class _VectorCache:
    """Embeddings by key, at most ``capacity`` vectors; the least recently used go first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._held: OrderedDict[bytes, Vectors] = OrderedDict()
        self._vectors = 0

    def get(self, key: bytes) -> Vectors | None:
        return self._held.get(key)

    def put(self, key: bytes, vectors: Vectors) -> None:
        """Adds the vectors, or marks them as just used."""
        if key not in self._held:
            self._held[key] = vectors.copy()  # a view would keep its whole batch alive
            self._vectors += len(vectors)
        self._held.move_to_end(key)
        while self._vectors > self._capacity:
            self._vectors -= len(self._held.popitem(last=False)[1])
