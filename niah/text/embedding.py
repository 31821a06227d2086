"""Embeddings of texts, each text embedded once per machine; progress of the embedding."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from niah import weights
from niah.cache import Cache
from niah.errors import StrategyError, UnknownName
from niah.event_loop import run_to_end
from niah.plugins.optional import require
from niah.recently_used import RecentlyUsed
from niah.text.encoders import WINDOW_OVERLAP, Encoder, OnnxEncoder, TextSide

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.encoders import Vectors

_T = TypeVar("_T")

_RECIPE = 3
"""Part of every key on disk: raise it when windows or vectors come out otherwise than before."""
_CACHED_VECTORS = 100_000
# A Python string may hold halves of surrogate pairs, which no tokenizer takes.
_SURROGATE = re.compile("[\ud800-\udfff]")
_SLICE_S = 0.25
_LONG_S = 10.0


class Embedder:
    """Embeds texts with one encoder, each text once per machine. Safe for threads.

    Args:
        name: as users call it ("minilm").
        encoder: the model.
        disk: where embeddings outlive the process, as float16.
    """

    def __init__(self, name: str, encoder: Encoder, disk: Cache) -> None:
        self.name = name
        self._encoder = encoder
        self._memory: RecentlyUsed[bytes, Vectors] = RecentlyUsed(room=_CACHED_VECTORS, size=len)
        self._disk = disk
        self._lock = Lock()
        self._dimensions: int | None = None  # of what the encoder gave last; 0: no cached vector counts

    @property
    def reads_tokens(self) -> int | None:
        """See ``Encoder``."""
        return self._encoder.reads_tokens

    def embed(self, texts: Sequence[str], side: TextSide = "passage") -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), not writeable.

        Rows have length 1, but for the few models that compare by dot product. A text's are the same in every
        batch of the packaged model; of other models batches differ by float noise, one step of float16.
        """
        mark = self._encoder.mark(side)
        identity = f"{self._encoder.identity} {mark!r}" if mark else self._encoder.identity
        hasher = blake2b(f"{identity}\0{WINDOW_OVERLAP}\0{_RECIPE}\0".encode(), digest_size=16)
        keys = [_key(hasher, text) for text in texts]
        asked = dict(zip(keys, texts, strict=True))
        with self._lock:
            known = self._embedded(asked, side)
            if len({vectors.shape[1] for vectors in known.values()}) > 1:  # the model behind the name changed
                self._dimensions = 0
                known = self._embedded(asked, side)
        if len({vectors.shape[1] for vectors in known.values()}) > 1:
            raise StrategyError(f"{self.name} gives vectors of different lengths.", "Is it one model?")
        return [known[key] for key in keys]

    def _embedded(self, texts: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        """By key, the embeddings that are cached, and those made now."""
        cached = {key: vectors for key in texts if (vectors := self._memory.get(key)) is not None}
        stored = self._disk.get(key for key in texts if key not in cached)
        cached |= {key: _unpacked(data) for key, data in stored.items()}
        known = {key: each for key, each in cached.items() if self._dimensions in (None, each.shape[1])}
        if missing := {key: text for key, text in texts.items() if key not in known}:
            known |= self._made(missing, side)
        for key, vectors in known.items():
            self._memory.put(key, vectors)
        return known

    def _made(self, missing: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        made: dict[bytes, Vectors] = {}
        watch = embedding_watch()
        self._encoder.load()
        if watch:
            watch.begin(self.name, len(missing), sum(map(_size, missing.values())))
        try:
            for block in _blocks(missing, lambda: self._encoder.block_bytes):
                rows = self._encoder.encode([_SURROGATE.sub("\ufffd", text) for text in block.values()], side)
                packed = {key: _packed(vectors) for key, vectors in zip(block, rows, strict=True)}
                self._disk.put(packed)
                self._dimensions = rows[-1].shape[1]
                # Rounded as on disk, so that a first run and a second one rank alike.
                made |= {key: _unpacked(data) for key, data in packed.items()}
                if watch:
                    watch.embedded(len(block), sum(map(_size, block.values())))
        finally:
            if watch:
                watch.end()
        return made


def _key(hasher: blake2b, text: str) -> bytes:
    hasher = hasher.copy()
    hasher.update(text.encode("utf-8", "surrogatepass"))
    return hasher.digest()


def _packed(vectors: Vectors) -> bytes:
    return len(vectors).to_bytes(4, "little") + vectors.astype("<f2").tobytes()


def _unpacked(data: bytes) -> Vectors:
    vectors = np.frombuffer(data, "<f2", offset=4).astype(np.float32)
    vectors = vectors.reshape(int.from_bytes(data[:4], "little"), -1)
    vectors.flags.writeable = False
    return vectors


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _blocks(texts: Mapping[bytes, str], most_bytes: Callable[[], int]) -> Iterator[dict[bytes, str]]:
    """Yields blocks of at most ``most_bytes``, or one text; texts of about a length together."""
    block: dict[bytes, str] = {}
    size = 0
    for key, text in sorted(texts.items(), key=lambda item: len(item[1])):
        if block and size + _size(text) > most_bytes():
            yield block
            block, size = {}, 0
        block[key] = text
        size += _size(text)
    if block:
        yield block


_making = Lock()


def get_embedder(name: str, say: Callable[[str], None]) -> Embedder:
    """The embedder of that name, one per process. Raises UserError, UnknownName or WeightsError.

    ``say`` gets a line when weights have to be fetched.
    """
    if name != "minilm":
        raise UnknownName("embedder", name, ["minilm"])
    require("onnxruntime", name, extra="local", instead="retrieve with bm25, static or mixpr")
    folder = weights.ensure_weights(name, say)
    with _making:
        return _embedder(folder, Cache("vectors").path)


@lru_cache(maxsize=8)
def _embedder(folder: Path, disk: Path) -> Embedder:
    """That of a cache folder: tests have several."""
    identity = f"minilm onnx {weights.KNOWN['minilm'].files[0].sha256}"
    return Embedder("minilm", OnnxEncoder(folder, identity), Cache("vectors"))


def greatest_cosines(vectors: Sequence[Vectors], others: Sequence[Vectors]) -> NDArray[np.float64]:
    """Shape (len(vectors),): for each array the greatest product of one of its rows and one of ``others``.

    Equal arrays get equal results wherever they are: in float64, and each on its own.

    Args:
        vectors: arrays of shape (windows, dimensions), rows of length 1.
        others: the same, at least one.
    """
    columns = np.concatenate(others).astype(np.float64).T
    return np.array([(rows.astype(np.float64) @ columns).max() for rows in vectors], dtype=np.float64)


class EmbeddingWatch:
    """Progress of embedding in one thread; may be stopped from another.

    Args:
        say: gets one line, the first time that embedding is seen to take long.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._has_said = self._is_stopped = False
        self.begin("", 0, 0)

    def stop(self) -> None:
        """Embedding ends after the block under way: under a second of work for a model here."""
        self._is_stopped = True

    def check(self) -> None:
        """Raise CancelledError where what this thread waits for is no longer wanted."""
        if self._is_stopped:
            raise CancelledError

    def begin(self, name: str, texts: int, size: int) -> None:
        """An embedder is about to embed so many texts, of so many characters together."""
        self._name, self._texts, self._size = name, texts, size
        self._done = self._size_done = 0
        self._started = time.monotonic()

    def embedded(self, texts: int, size: int) -> None:
        """So many more are embedded. Raises CancelledError where it is to stop."""
        self._done += texts
        self._size_done += size
        if self._seconds_left > _LONG_S and not self._has_said:
            self._has_said = True
            left = _duration(self._seconds_left)
            self._say(
                f"embedding {self._texts:,} texts with {self._name}, once: about {left} for this context"
            )
        self.check()

    def end(self) -> None:
        """Nothing is embedded any more."""
        self._texts = 0

    @property
    def label(self) -> str:
        """What a progress line shows now; "" where nothing is embedded."""
        if not self._texts:
            return ""
        left = f" ({_duration(self._seconds_left)})" if self._done else ""
        return f"embedding {self._done:,} of {self._texts:,} texts{left}"

    @property
    def _seconds_left(self) -> float:
        spent = time.monotonic() - self._started
        return spent * (self._size - self._size_done) / max(1, self._size_done)


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


_watching: ContextVar[EmbeddingWatch | None] = ContextVar("watching", default=None)


@contextmanager
def watched(watch: EmbeddingWatch) -> Iterator[None]:
    """Whatever this thread embeds in here is reported to ``watch``, and may be stopped by it."""
    token = _watching.set(watch)
    try:
        yield
    finally:
        _watching.reset(token)


def embedding_watch() -> EmbeddingWatch | None:
    """The watch of this thread's embedding."""
    return _watching.get()


def run_watched(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """What the coroutine returns, run from plain code. Raises CancelledError where the run is stopped."""
    watch = embedding_watch()

    async def watched() -> _T:
        task = asyncio.ensure_future(coroutine)
        try:
            while not (await asyncio.wait({task}, timeout=_SLICE_S))[0]:
                if watch:
                    watch.check()
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return run_to_end(watched())
