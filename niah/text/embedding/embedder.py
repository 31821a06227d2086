"""Embeddings of texts, each text embedded once per machine."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from niah import paths, weights
from niah.errors import StrategyError, UnknownName
from niah.recently_used import RecentlyUsed
from niah.text.embedding.pace import note_pace
from niah.text.embedding.sentence_encoder import (
    WINDOW_OVERLAP,
    Encoder,
    SentenceEncoder,
    TextSide,
    require_sentence_transformers,
)
from niah.text.embedding.vector_cache import DiskVectors
from niah.text.embedding.watch import embedding_watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.embedding.vector_cache import Vectors

# 100,000 vectors of MiniLM's 384 dimensions take 154 MB.
CACHED_VECTORS = 100_000

# Part of every key on disk: raise it when a text's windows or vectors come out otherwise than before.
_RECIPE = 2

# Embeddings of one text in two batches differ by about 1e-7.
_CERTAIN_DECIMALS = 4

_NONE_FITS = -1

_EMBEDDERS = ("minilm",)

# A Python string may hold halves of surrogate pairs, which no tokenizer takes.
_SURROGATE = re.compile("[\ud800-\udfff]")

_making = Lock()


class Embedder:
    """Embeds texts with one encoder. Safe for threads.

    Embeddings are kept by a hash of the text, in memory and on disk; the encoder is asked for a text that is
    in neither.

    Args:
        name: as users call it ("minilm").
        encoder: the model.
        disk: where embeddings outlive the process.
    """

    def __init__(self, name: str, encoder: Encoder, disk: DiskVectors) -> None:
        self.name = name
        self._encoder = encoder
        self._memory: RecentlyUsed[bytes, Vectors] = RecentlyUsed(room=CACHED_VECTORS, size=len)
        self._disk = disk
        self._lock = Lock()
        self._dimensions: int | None = None
        """Of the vectors that the encoder gave last; None before it gave any."""

    @property
    def reads_tokens(self) -> int | None:
        """See ``Encoder``."""
        return self._encoder.reads_tokens

    def embed(self, texts: Sequence[str], side: TextSide = "passage") -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions).

        Rows have length 1, but for the few models that compare by dot product. The arrays are shared between
        calls and not writeable. A text's are the same in every batch of the packaged model. Of other models,
        what it stood beside changes them by float noise, which float16 can make one step of its own: 1e-4.
        """
        hasher = self._hasher(side)
        keys = [_key(hasher, text) for text in texts]
        with self._lock:
            known = self._embedded(dict(zip(keys, texts, strict=True)), side)
            if len({vectors.shape[1] for vectors in known.values()}) > 1:  # the model has changed
                self._dimensions = _NONE_FITS
                known = self._embedded(dict(zip(keys, texts, strict=True)), side)
        if len({vectors.shape[1] for vectors in known.values()}) > 1:
            raise StrategyError(f"{self.name} gives vectors of different lengths.", "Is it one model?")
        return [known[key] for key in keys]

    def _embedded(self, texts: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        """By key, the embeddings that are known, and those made now."""
        known = {
            key: kept for key in texts if (kept := self._memory.get(key)) is not None and self._fits(kept)
        }
        missing = {key: text for key, text in texts.items() if key not in known}
        for key, vectors in self._found_or_made(missing, side).items():
            known[key] = vectors
            self._memory.put(key, vectors)
        return known

    def _fits(self, vectors: Vectors) -> bool:
        """Whether they are as long as those that the model gave last."""
        return self._dimensions in (None, vectors.shape[1])

    def _hasher(self, side: TextSide) -> blake2b:
        mark = self._encoder.mark(side)
        identity = f"{self._encoder.identity} {mark!r}" if mark else self._encoder.identity
        return blake2b(f"{identity}\0{WINDOW_OVERLAP}\0{_RECIPE}\0".encode(), digest_size=16)

    def _found_or_made(self, texts: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        known = {key: found for key, found in self._disk.get(texts).items() if self._fits(found)}
        missing = {key: text for key, text in texts.items() if key not in known}
        if not missing:
            return known
        watch = embedding_watch()
        self._encoder.load()
        if watch:
            watch.begin(self.name, len(missing), _size(missing))
        started = time.monotonic()
        try:
            for block in _blocks(missing, lambda: self._encoder.block_bytes):
                rows = self._encoder.encode([_SURROGATE.sub("\ufffd", text) for text in block.values()], side)
                made = {key: _frozen(vectors) for key, vectors in zip(block, rows, strict=True)}
                self._disk.put(made)
                self._dimensions = rows[-1].shape[1]
                known |= made
                if watch:
                    watch.embedded(len(block), _size(block))
        finally:
            if watch:
                watch.end()
        note_pace(self.name, _size(missing), time.monotonic() - started)
        return known


def _size(texts: Mapping[bytes, str]) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts.values())


def _blocks(texts: Mapping[bytes, str], most_bytes: Callable[[], int]) -> Iterator[dict[bytes, str]]:
    """All of them, at most so many bytes at once, or one text; texts of about a length together."""
    block: dict[bytes, str] = {}
    size = 0
    for key, text in sorted(texts.items(), key=lambda item: len(item[1])):
        length = len(text.encode("utf-8", "surrogatepass"))
        if block and size + length > most_bytes():
            yield block
            block, size = {}, 0
        block[key] = text
        size += length
    if block:
        yield block


def get_embedder(name: str, say: Callable[[str], None]) -> Embedder:
    """The embedder of that name, one per process.

    ``say`` gets a line when weights have to be fetched. Raises UnknownName, WeightsError.
    """
    if name not in _EMBEDDERS:
        raise UnknownName("embedder", name, _EMBEDDERS)
    require_sentence_transformers(name)
    load_path = weights.ensure_weights(name, say)
    with _making:
        return _made(name, load_path, paths.cache() / "vectors.sqlite")


@lru_cache(maxsize=8)
def _made(name: str, load_path: Path, vectors_path: Path) -> Embedder:
    package = weights.KNOWN[name]
    encoder = SentenceEncoder(load_path, f"{name} {package.sha256}", in_bfloat16=True)
    return Embedder(name, encoder, DiskVectors(vectors_path))


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


def _key(hasher: blake2b, text: str) -> bytes:
    hasher = hasher.copy()
    hasher.update(text.encode("utf-8", "surrogatepass"))
    return hasher.digest()


def _frozen(vectors: Vectors) -> Vectors:
    # Rounded as on disk, so that a first run and a second one rank alike. A view would keep its batch alive.
    copy = vectors.astype(np.float16).astype(np.float32)
    copy.flags.writeable = False
    return copy
