"""Embeddings of texts, each text embedded once per machine."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from niah import paths, weights
from niah.errors import UnknownName
from niah.text.vector_cache import DiskVectors, MemoryVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.vector_cache import Vectors

# 100,000 vectors of MiniLM's 384 dimensions take 154 MB.
CACHED_VECTORS = 100_000

# Model tokens that neighbouring windows of one text share: a short needle on a border is whole in one.
WINDOW_OVERLAP = 48

# Part of every key on disk: raise it when a text's windows or vectors come out otherwise than before.
_RECIPE = 1

# Texts embedded before they are written to disk: some ten seconds of work, all that a crash can lose.
_BLOCK = 1024

# Embeddings of one text in two batches differ by about 1e-7.
_CERTAIN_DECIMALS = 4

_EMBEDDERS = ("minilm",)

# A Python string may hold halves of surrogate pairs, which no tokenizer takes.
_SURROGATE = re.compile("[\ud800-\udfff]")

_making = Lock()


class Embedder:
    """Embeds texts with one sentence-transformers model, on the CPU. Safe for threads.

    A model reads only so many tokens (MiniLM 256) and would cut the rest unseen. A longer text is split
    into windows that the model can read whole. Embeddings are kept by a hash of the text, in memory and on
    disk; the model is loaded when a text is in neither.

    Args:
        name: as users call it ("minilm").
        load_path: folder in sentence-transformers' layout.
        identity: of the weights; equal only where all embeddings are equal.
        disk: where embeddings outlive the process.
    """

    def __init__(self, name: str, load_path: Path, identity: str, disk: DiskVectors) -> None:
        self.name = name
        self._load_path = load_path
        self._model: Any = None
        self._memory = MemoryVectors(CACHED_VECTORS)
        self._disk = disk
        self._hash = blake2b(f"{identity}\0{WINDOW_OVERLAP}\0{_RECIPE}\0".encode(), digest_size=16)
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), rows of length 1.

        The arrays are shared between calls and not writeable. What a text stood beside in its batch changes
        its embedding by float noise only, about 1e-7.
        """
        keys = [self._key(text) for text in texts]
        with self._lock:
            known = self._memory.get(keys)
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if missing:
                known |= self._found_or_made(missing)
                self._memory.put(known)
        return [known[key] for key in keys]

    def _key(self, text: str) -> bytes:
        hasher = self._hash.copy()
        hasher.update(text.encode("utf-8", "surrogatepass"))
        return hasher.digest()

    def _found_or_made(self, texts: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        known = self._disk.get(texts)
        missing = [key for key in texts if key not in known]
        for start in range(0, len(missing), _BLOCK):
            block = missing[start : start + _BLOCK]
            made = dict(zip(block, self._encoded([texts[key] for key in block]), strict=True))
            self._disk.put(made)
            known |= made
        return known

    def _encoded(self, texts: Sequence[str]) -> list[Vectors]:
        if self._model is None:
            self._model = _load(self._load_path)
        pieces = [_model_windows(self._model, _SURROGATE.sub("\ufffd", text)) for text in texts]
        rows = self._model.encode(
            [window for windows in pieces for window in windows],
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        borders = np.cumsum([len(windows) for windows in pieces])[:-1]
        return [_frozen(vectors) for vectors in np.split(rows, borders)]


def get_embedder(name: str, say: Callable[[str], None]) -> Embedder:
    """The embedder of that name, one per process.

    ``say`` gets a line when weights have to be fetched. Raises UnknownName, WeightsError.
    """
    if name not in _EMBEDDERS:
        raise UnknownName("embedder", name, _EMBEDDERS)
    load_path = weights.ensure(name, say)
    with _making:
        return _made(name, load_path, paths.cache() / "vectors.sqlite")


@lru_cache(maxsize=8)
def _made(name: str, load_path: Path, vectors_path: Path) -> Embedder:
    package = weights.KNOWN[name]
    return Embedder(name, load_path, f"{package.name} {package.sha256}", DiskVectors(vectors_path))


def nearest_similarity(
    embedder: Embedder, texts: Sequence[str], others: Sequence[str]
) -> NDArray[np.float64]:
    """Shape (len(texts),): each text's greatest cosine similarity to any of ``others``, -1 to 1.

    Between two texts it is that of their best pair of windows. Rounded to 4 decimals, of which a batch's
    float noise can still change the last where the true value is within 1e-7 of the middle of two.

    Raises ValueError when ``others`` is empty.
    """
    if not others:
        raise ValueError("0 texts to be near to: there must be at least 1.")
    if not texts:
        return np.zeros(0)
    vectors = embedder.embed([*texts, *others])
    return greatest_cosines(vectors[: len(texts)], vectors[len(texts) :]).round(_CERTAIN_DECIMALS) + 0.0


def greatest_cosines(vectors: Sequence[Vectors], others: Sequence[Vectors]) -> NDArray[np.float64]:
    """Shape (len(vectors),): for each array the greatest product of one of its rows and one of ``others``.

    Equal arrays get equal results wherever they stand: in float64, and each on its own.

    Args:
        vectors: arrays of shape (windows, dimensions), rows of length 1.
        others: the same, at least one.
    """
    columns = np.concatenate(others).astype(np.float64).T
    return np.array([(rows.astype(np.float64) @ columns).max() for rows in vectors], dtype=np.float64)


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


def _frozen(vectors: Vectors) -> Vectors:
    copy = vectors.astype(np.float32)  # a view would keep its whole batch alive
    copy.flags.writeable = False
    return copy


def _load(path: Path) -> Any:
    """The model, without a look at the network or a line on the terminal. Takes about 8 s to import."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    return SentenceTransformer(str(path), device="cpu", local_files_only=True)
