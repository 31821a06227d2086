"""Embeddings of texts, each made once a machine; MiniLM's through onnxruntime."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from niah.cache import Cache
from niah.event_loop import run_to_end

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_T = TypeVar("_T")

TextSide = Literal["query", "passage"]
TokensRead = tuple[Sequence[tuple[int, int]], Sequence[int | None]]
"""Of a text: each token's character span, and the number of its word."""

WINDOW_OVERLAP = 48  # tokens that neighbouring windows share: a short needle on a border is whole in one
_BATCH_TOKENS = 1024
_MINILM_READS = 256
_RECIPE = 3  # part of every key on disk: raise it when windows or vectors come out otherwise
_TEXTS_IN_MEMORY = 50_000
# A Python string may hold halves of surrogate pairs, which no tokenizer takes.
_SURROGATE = re.compile("[\ud800-\udfff]")
_SLICE_S = 0.25


class Encoder:
    """Embeds texts with one model, used by one thread at a time; an ``identity`` has the same embeddings."""

    identity: str
    block_bytes: int  # of the texts between two looks at whether the run was stopped

    def mark(self, side: TextSide) -> str:
        """What is done to texts of that side, such as a prefix. Sides of one mark share embeddings."""
        raise NotImplementedError

    def _windows(self, text: str, side: TextSide) -> list[str]:
        raise NotImplementedError

    def _rows(self, windows: list[str], side: TextSide) -> Vectors:
        raise NotImplementedError

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions); no text is cut."""
        pieces = [self._windows(text, side) for text in texts]
        rows = self._rows([window for windows in pieces for window in windows], side)
        return np.split(rows, np.cumsum([len(windows) for windows in pieces])[:-1])


@dataclass(frozen=True)
class Conventions:
    """How a model wants its texts: a prefix for each side, and cosine or dot product (length counts)."""

    query: str = ""
    passage: str = ""
    similarity: Literal["cosine", "dot"] = "cosine"


class LocalEncoder(Encoder):
    """A model folder on this machine, loaded at the first text; what kind of model, says who derives it."""

    block_bytes = 12_000  # half a second on two quiet cores

    def __init__(self, folder: Path, identity: str, conventions: Conventions | None = None) -> None:
        self._folder, self._conventions = folder, conventions or Conventions()
        self._scaled = self._conventions.similarity == "cosine"
        self.identity = identity if self._scaled else f"{identity} unscaled"

    def mark(self, side: TextSide) -> str:
        """The prefix of that side."""
        return self._conventions.query if side == "query" else self._conventions.passage


class OnnxEncoder(LocalEncoder):
    """MiniLM (model.onnx, tokenizer.json): the mean of a text's last hidden states, scaled to length 1."""

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        """The model and its tokenizer."""
        import onnxruntime
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = min(4, os.cpu_count() or 1)  # more gain nothing here
        # Threads that spin while they wait slow each other down where another process takes a core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path, providers = str(self._folder / "model.onnx"), ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(path, options, providers=providers), tokenizer

    def _windows(self, text: str, side: TextSide) -> list[str]:
        return text_windows(text, _MINILM_READS - 2, self._read)

    def _read(self, text: str) -> TokensRead:
        encoded = self._model[1].encode(text, add_special_tokens=False)
        return encoded.offsets, encoded.word_ids

    def _rows(self, windows: list[str], side: TextSide) -> Vectors:
        """Shape (windows, 384). Texts of one length at a time: without padding, a batch changes no row."""
        session, tokenizer = self._model
        tokens = [tokenizer.encode(window).ids for window in windows]
        found = np.empty((len(windows), 384), dtype=np.float32)
        by_length = sorted(range(len(windows)), key=lambda place: len(tokens[place]))
        for length, group in groupby(by_length, key=lambda place: len(tokens[place])):
            places, most = list(group), max(1, _BATCH_TOKENS // length)
            for batch in (places[at : at + most] for at in range(0, len(places), most)):
                ids = np.array([tokens[place] for place in batch], dtype=np.int64)
                read = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
                states = session.run(None, {**read, "token_type_ids": np.zeros_like(ids)})[0]
                means = states.mean(axis=1)
                found[batch] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return found


def text_windows(text: str, room: int, read: Callable[[str], TokensRead], prefix: str = "") -> list[str]:
    """The text cut where words start, in parts of at most ``room`` tokens with ``prefix`` that overlap."""
    is_short = text.isascii() and len(prefix) + len(text) < room  # no character of ASCII is two tokens
    if is_short or len(read(prefix + text)[0]) <= room:
        return [text]
    offsets, words = read(text)
    word_starts = [word != before for before, word in zip([None, *words], words, strict=False)]
    size = max(1, room - len(read(prefix)[0]))
    while True:
        spans = _word_windows(word_starts, size, min(WINDOW_OVERLAP, size // 2))
        windows = [text[offsets[start][0] : offsets[end - 1][1]] for start, end in spans]
        # Torn from its neighbours, a window may count some tokens more than where it was.
        over = max(len(read(prefix + window)[0]) for window in windows) - room
        if over <= 0 or size == 1:
            return windows
        size = max(1, size - over)


def _word_windows(word_starts: Sequence[bool], size: int, overlap: int) -> list[tuple[int, int]]:
    """Token spans of at most ``size`` that cover all tokens, cut where a word starts."""
    spans: list[tuple[int, int]] = []
    start = 0
    while len(word_starts) - start > size:
        end = next((i for i in range(start + size, start, -1) if word_starts[i]), start + size)
        spans.append((start, end))
        start = next((i for i in range(end - overlap, start, -1) if word_starts[i]), end)
    return [*spans, (start, len(word_starts))]


class Embedder:
    """Embeds texts with one encoder, each text once per machine: ``disk`` holds float16. Safe for threads."""

    def __init__(self, name: str, encoder: Encoder, disk: Cache) -> None:
        self.name = name
        self._encoder, self._disk, self._lock = encoder, disk, Lock()
        self._memory: dict[bytes, Vectors] = {}

    def embed(self, texts: Sequence[str], side: TextSide = "passage", *, anew: bool = False) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), not writeable.

        With ``anew`` none that is cached counts. Rows have length 1, but of models that take the dot product.
        """
        mark = self._encoder.mark(side)
        identity = f"{self._encoder.identity} {mark!r}" if mark else self._encoder.identity
        start = f"{identity}\0{WINDOW_OVERLAP}\0{_RECIPE}\0".encode()
        keys = [blake2b(start + _bytes(text), digest_size=16).digest() for text in texts]
        asked = dict(zip(keys, texts, strict=True))
        with self._lock:
            cached = () if anew else asked
            known = {key: self._memory[key] for key in cached if key in self._memory}
            stored = self._disk.get(key for key in cached if key not in known)
            known |= {key: _unpacked(data) for key, data in stored.items()}
            known |= self._made({key: text for key, text in asked.items() if key not in known}, side)
            if len(self._memory) + len(known) > _TEXTS_IN_MEMORY:
                self._memory.clear()
            self._memory |= islice(known.items(), _TEXTS_IN_MEMORY)
        return [known[key] for key in keys]

    def _made(self, missing: Mapping[bytes, str], side: TextSide) -> dict[bytes, Vectors]:
        """By key, the embeddings that are made now; texts of about a length together."""
        made: dict[bytes, Vectors] = {}
        items, room = sorted(missing.items(), key=lambda item: len(item[1])), self._encoder.block_bytes
        for block in in_blocks(self.name, items, room, lambda item: len(_bytes(item[1]))):
            rows = self._encoder.encode([_SURROGATE.sub("\ufffd", text) for _, text in block], side)
            packed = {key: _packed(own) for (key, _), own in zip(block, rows, strict=True)}
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


@dataclass
class EmbeddingWatch:
    """What one thread embeds, for a progress line; ``is_stopped`` ends that after the block under way."""

    label: str = ""  # "embedding 1,200 of 5,000 texts with minilm"
    is_stopped: bool = False


watching: ContextVar[EmbeddingWatch | None] = ContextVar("watching", default=None)
"""What is embedded in this context is reported to it, and stopped by it."""


def check_wanted() -> None:
    """Raise CancelledError where the run that this thread works for was stopped."""
    if (watch := watching.get()) and watch.is_stopped:
        raise CancelledError


def in_blocks(
    name: str, texts: Sequence[_T], room: int, weigh: Callable[[_T], int]
) -> Iterator[Sequence[_T]]:
    """Texts in order, as many as weigh at most ``room``, or one. Raises CancelledError between two."""
    watch, done = watching.get() or EmbeddingWatch(), 0
    try:
        while done < len(texts):
            check_wanted()
            watch.label = f"embedding {done:,} of {len(texts):,} texts with {name}"
            end, left = done + 1, room - weigh(texts[done])
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
