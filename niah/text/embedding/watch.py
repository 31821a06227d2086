"""How far the embedding of a thread is, for a progress line, and the way to stop it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeVar

from niah.event_loop import run_to_end

_T = TypeVar("_T")

_SLICE_S = 0.25
_LONG_S = 10.0
"""Embedding that takes longer is told in a line, where no progress bar is drawn too."""


class EmbeddingWatch:
    """Told by the thread that embeds, asked and stopped by others.

    Args:
        say: gets one line, the first time that embedding is seen to take long.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._has_said = False
        self._is_stopped = False
        self._name = ""
        self._texts = self._done = self._size = self._size_done = 0
        self._started = 0.0

    def stop(self) -> None:
        """Embedding ends with what is under way just now: under a second of work for a model here."""
        self._is_stopped = True

    def begin(self, name: str, texts: int, size: int) -> None:
        """An embedder is about to embed so many texts, of so many characters together."""
        self._name, self._texts, self._size = name, texts, size
        self._done = self._size_done = 0
        self._started = time.monotonic()

    def check(self) -> None:
        """Raise CancelledError where what this thread waits for is no longer wanted."""
        if self._is_stopped:
            raise CancelledError

    def embedded(self, texts: int, size: int) -> None:
        """So many more are embedded. Raises CancelledError where it is to stop."""
        self._done += texts
        self._size_done += size
        seconds = self._seconds_left
        if seconds > _LONG_S and not self._has_said:
            self._has_said = True
            about = f"about {_duration(seconds)} for this context"
            self._say(f"embedding {self._texts:,} texts with {self._name}, once: {about}")
        self.check()

    def end(self) -> None:
        """Nothing is embedded any more."""
        self._texts = 0

    @property
    def label(self) -> str:
        """What there is to show just now; "" where nothing is embedded."""
        if not self._texts:
            return ""
        left = f" ({_duration(self._seconds_left)})" if self._done else ""
        return f"embedding {self._done:,} of {self._texts:,} texts{left}"

    @property
    def _seconds_left(self) -> float:
        spent = time.monotonic() - self._started
        return spent * (self._size - self._size_done) / max(1, self._size_done)


_watching: ContextVar[EmbeddingWatch | None] = ContextVar("watching", default=None)


@contextmanager
def watched(watch: EmbeddingWatch) -> Iterator[None]:
    """Whatever this thread embeds in here is told to ``watch``, and may be stopped by it."""
    token = _watching.set(watch)
    try:
        yield
    finally:
        _watching.reset(token)


def embedding_watch() -> EmbeddingWatch | None:
    """Who watches this thread's embedding."""
    return _watching.get()


def run_watched(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """What the coroutine returns, run from plain code. Raises CancelledError where the run is broken off."""
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


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
