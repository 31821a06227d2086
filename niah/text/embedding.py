"""Embeddings of texts, each text embedded once per machine; progress of the embedding."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from niah.cache import Cache, RecentlyUsed
from niah.event_loop import run_to_end
from niah.text.encoders import WINDOW_OVERLAP, Encoder, TextSide

if TYPE_CHECKING:
    from niah.text.encoders import Vectors

_T = TypeVar("_T")

_RECIPE = 3
"""Part of every key on disk: raise it when windows or vectors come out otherwise than before."""
_CACHED_VECTORS = 100_000
# A Python string may hold halves of surrogate pairs, which no tokenizer takes.
_SURROGATE = re.compile("[\ud800-\udfff]")
_SLICE_S = 0.25


class Embedder:
    """Embeds texts with one encoder, each text once per machine: ``disk`` holds float16. Safe for threads."""

    def __init__(self, name: str, encoder: Encoder, disk: Cache) -> None:
        self.name = name
        self._encoder, self._disk, self._lock = encoder, disk, Lock()
        self._memory: RecentlyUsed[bytes, Vectors] = RecentlyUsed(room=_CACHED_VECTORS, size=len)

    def embed(self, texts: Sequence[str], side: TextSide = "passage", *, anew: bool = False) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), not writeable.

        With ``anew`` none that is cached counts. Rows have length 1, but for models that compare by dot
        product. Batches of models other than the packaged one differ by one step of float16.
        """
        mark = self._encoder.mark(side)
        identity = f"{self._encoder.identity} {mark!r}" if mark else self._encoder.identity
        start = f"{identity}\0{WINDOW_OVERLAP}\0{_RECIPE}\0".encode()
        keys = [blake2b(start + _bytes(text), digest_size=16).digest() for text in texts]
        asked = dict(zip(keys, texts, strict=True))
        with self._lock:
            cached = () if anew else asked
            known = {key: vectors for key in cached if (vectors := self._memory.get(key)) is not None}
            stored = self._disk.get(key for key in cached if key not in known)
            known |= {key: _unpacked(data) for key, data in stored.items()}
            known |= self._made({key: text for key, text in asked.items() if key not in known}, side)
            for key, vectors in known.items():
                self._memory.put(key, vectors)
        return [known[key] for key in keys]

    def _made(self, missing: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        """By key, the embeddings that are made now; texts of about a length together."""
        made: dict[bytes, Vectors] = {}
        keys = iter(sorted(missing, key=lambda key: len(missing[key])))
        texts, room = sorted(missing.values(), key=len), lambda: self._encoder.block_bytes
        for block in in_blocks(self.name, texts, room, lambda text: len(_bytes(text))):
            rows = self._encoder.encode([_SURROGATE.sub("\ufffd", text) for text in block], side)
            packed = dict(zip(islice(keys, len(block)), map(_packed, rows), strict=True))
            self._disk.put(packed)
            # Rounded as on disk, so that a first run and a second one rank alike.
            made |= {key: _unpacked(data) for key, data in packed.items()}
        return made


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _packed(vectors: Vectors) -> bytes:
    return len(vectors).to_bytes(4, "little") + vectors.astype("<f2").tobytes()


def _unpacked(data: bytes) -> Vectors:
    vectors = np.frombuffer(data, "<f2", offset=4).astype(np.float32)
    vectors = vectors.reshape(int.from_bytes(data[:4], "little"), -1)
    vectors.flags.writeable = False
    return vectors


class EmbeddingWatch:
    """What one thread embeds, for a progress line: "embedding 1,200 of 5,000 texts with minilm", or ""."""

    label = ""
    _is_stopped = False

    def stop(self) -> None:
        """From another thread: embedding ends after the block under way, in under a second."""
        self._is_stopped = True

    def check(self) -> None:
        """Raise CancelledError where what this thread waits for is no longer wanted."""
        if self._is_stopped:
            raise CancelledError


_watching: ContextVar[EmbeddingWatch | None] = ContextVar("watching", default=None)


@contextmanager
def watched(watch: EmbeddingWatch) -> Iterator[None]:
    """Whatever this thread embeds in here is reported to ``watch``, and may be stopped by it."""
    token = _watching.set(watch)
    try:
        yield
    finally:
        _watching.reset(token)


def check_wanted() -> None:
    """Raise CancelledError where the run that this thread works for was stopped."""
    if watch := _watching.get():
        watch.check()


def in_blocks(
    name: str, texts: Sequence[str], room: Callable[[], int], weigh: Callable[[str], int]
) -> Iterator[Sequence[str]]:
    """Texts in order, as many together as weigh at most ``room()``, or one; this thread's watch is told.

    Raises CancelledError between two blocks where the run was stopped.
    """
    watch, done = _watching.get() or EmbeddingWatch(), 0
    try:
        while done < len(texts):
            watch.check()
            watch.label = f"embedding {done:,} of {len(texts):,} texts with {name}"
            end, left = done + 1, room() - weigh(texts[done])
            while end < len(texts) and (left := left - weigh(texts[end])) >= 0:
                end += 1
            yield texts[done:end]
            done = end
    finally:
        watch.label = ""


def run_watched(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """What the coroutine returns, run from plain code. Raises CancelledError where the run is stopped."""

    async def watched() -> _T:
        task = asyncio.ensure_future(coroutine)
        try:
            while not (await asyncio.wait({task}, timeout=_SLICE_S))[0]:
                check_wanted()
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return run_to_end(watched())
