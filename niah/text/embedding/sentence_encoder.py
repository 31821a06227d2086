"""What an encoder is, and the one over a model folder in sentence-transformers' layout, on this machine."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from niah.errors import StrategyError
from niah.plugins.optional import require

if TYPE_CHECKING:
    from niah.text.embedding.vector_cache import Vectors

# Many models read a question otherwise than what is searched for its answer.
TextSide = Literal["query", "passage"]


class Encoder(Protocol):
    """Embeds texts with one model, here or at an endpoint. Used by one thread at a time."""

    @property
    def identity(self) -> str:
        """Of the model; equal only where all embeddings are equal."""
        ...

    @property
    def block_bytes(self) -> int:
        """Of texts, to encode in one call: what a crash can lose, and what Ctrl-C waits for."""
        ...

    def load(self) -> None:
        """Get ready to encode: seconds for a model here, the first time. Raises what ``encode`` does."""
        ...

    @property
    def reads_tokens(self) -> int | None:
        """How many tokens the model reads; None where nobody knows, or chunks are to be embedded whole."""
        ...

    def mark(self, side: TextSide) -> str:
        """What is done to texts of that side, such as a prefix. Sides of one mark share embeddings."""
        ...

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions).

        A text longer than the model reads comes as several windows, none of them cut.
        """
        ...


# Model tokens that neighbouring windows of one text share: a short needle on a border is whole in one.
WINDOW_OVERLAP = 48

_LIMITS = "sentence_bert_config.json"

# Half a second on two quiet cores; Ctrl-C is to be answered within one, on a busy machine too.
_BLOCK_S = 0.5
_FIRST_BYTES_PER_S = 10_000.0
_LEAST_BLOCK, _LARGEST_BLOCK = 1_500, 200_000

_BATCH_TOKENS = 1024
"""More would not stay in a processor's cache."""

# Tokenizers that read any length say so with a number like 1e30.
_UNLIMITED = 10**8


@dataclass(frozen=True)
class Conventions:
    """How a model wants its texts.

    Attributes:
        query, passage: what goes before each text of that side.
        similarity: "cosine" of embeddings, or "dot" product where their lengths count.
    """

    query: str = ""
    passage: str = ""
    similarity: Literal["cosine", "dot"] = "cosine"

    def prefix(self, side: TextSide) -> str:
        """What goes before a text of that side."""
        return self.query if side == "query" else self.passage


class SentenceEncoder:
    """Embeds with a sentence-transformers model, which is loaded at the first text.

    A model reads only so many tokens (MiniLM 256) and would cut the rest unseen. A longer text is split
    into windows that the model can read whole, each with the prefix of its side.

    Args:
        path: the model's folder.
        identity: of its files.
        conventions: prefixes, and whether rows are scaled to length 1 (unless similarity is "dot").
        in_bfloat16: whether linear layers multiply bfloat16 where the processor can (see
            ``niah.text.embedding.bfloat16_layers``).
    """

    def __init__(
        self, path: Path, identity: str, conventions: Conventions | None = None, *, in_bfloat16: bool = False
    ) -> None:
        self.conventions = conventions or Conventions()
        # Vectors have been kept under the bare identity, and are of length 1.
        self._scaled = self.conventions.similarity == "cosine"
        self.identity = (
            identity + ("" if self._scaled else " unscaled") + (" bfloat16" if in_bfloat16 else "")
        )
        self._in_bfloat16 = in_bfloat16
        self._path = path
        self._model: Any = None
        self._bytes_per_s = _FIRST_BYTES_PER_S

    @property
    def block_bytes(self) -> int:
        """What the last call would have done in half a second; a few texts at least."""
        return min(max(int(_BLOCK_S * self._bytes_per_s), _LEAST_BLOCK), _LARGEST_BLOCK)

    def load(self) -> None:
        """Raises StrategyError where the folder holds no model that can be loaded."""
        if self._model is None:
            self._model = load_model(self._path, "SentenceTransformer")
            if self._in_bfloat16 and self._model.device.type == "cpu":
                from niah.text.embedding.bfloat16_layers import to_bfloat16

                to_bfloat16(self._model)

    @cached_property
    def reads_tokens(self) -> int | None:
        """As the folder says; the model is not loaded for that."""
        try:
            settings = json.loads((self._path / _LIMITS).read_bytes())
        except (OSError, ValueError):
            return None
        limit = settings.get("max_seq_length") if isinstance(settings, dict) else None
        return limit if isinstance(limit, int) else None

    def mark(self, side: TextSide) -> str:
        """The prefix of that side."""
        return self.conventions.prefix(side)

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions).

        Raises StrategyError where the folder holds no model that can be loaded.
        """
        self.load()
        started = time.monotonic()
        prefix = self.conventions.prefix(side)
        pieces = [model_windows(self._model, text, prefix) for text in texts]
        rows = self._encoded([window for windows in pieces for window in windows], prefix)
        taken = max(time.monotonic() - started, 1e-6)
        self._bytes_per_s = sum(len(text.encode()) for text in texts) / taken
        return np.split(rows, np.cumsum([len(windows) for windows in pieces])[:-1])

    def _encoded(self, windows: Sequence[str], prefix: str) -> Vectors:
        """Shape (windows, dimensions)."""
        if self._in_bfloat16 and self._model.device.type == "cpu":
            return self._in_equal_lengths([prefix + window for window in windows])
        rows: Vectors = self._model.encode(
            list(windows),
            prompt=prefix,  # even where empty: the model has a default of its own otherwise
            normalize_embeddings=self._scaled,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return rows

    def _in_equal_lengths(self, windows: Sequence[str]) -> Vectors:
        """The same without padding, which costs time and changes a vector's last bits."""
        import torch

        tokens = self._model.tokenizer(list(windows))["input_ids"]
        by_length = sorted(range(len(windows)), key=lambda place: len(tokens[place]))
        found: list[Any] = [None] * len(windows)
        for length, group in groupby(by_length, key=lambda place: len(tokens[place])):
            places, most = list(group), max(1, _BATCH_TOKENS // length)
            for batch in (places[at : at + most] for at in range(0, len(places), most)):
                read = torch.tensor([tokens[place] for place in batch])
                with torch.inference_mode():
                    rows = self._model({"input_ids": read, "attention_mask": torch.ones_like(read)})
                for place, row in zip(batch, rows["sentence_embedding"].numpy(), strict=True):
                    found[place] = row / np.linalg.norm(row) if self._scaled else row
        return np.stack(found)


def model_windows(model: Any, text: str, prefix: str = "") -> list[str]:
    """The text in parts that a sentence-transformers model reads whole after ``prefix``."""
    limit = model.max_seq_length
    if limit is None or limit >= _UNLIMITED:
        return [text]
    room = int(limit) - model.tokenizer.num_special_tokens_to_add()
    if text.isascii() and len(prefix) + len(text) < room:  # no character of ASCII is two tokens
        return [text]
    if len(_offsets(model, prefix + text)[0]) <= room:
        return [text]
    offsets, words = _offsets(model, text)
    size = room - len(_offsets(model, prefix)[0])
    while True:
        windows = _cut(text, offsets, words, max(1, size))
        # Torn from its neighbours, a window may count some tokens more than where it stood.
        over = max(len(_offsets(model, prefix + window)[0]) for window in windows) - room
        if over <= 0 or size <= 1:
            return windows
        size -= over


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


def _offsets(model: Any, text: str) -> tuple[list[tuple[int, int]], list[int | None]]:
    """Each token's character span, and the number of its word."""
    encoded = model.tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
    )
    return encoded["offset_mapping"], encoded.word_ids()


def _cut(text: str, offsets: Sequence[tuple[int, int]], words: Sequence[int | None], size: int) -> list[str]:
    word_starts = [word != before for before, word in zip([None, *words], words, strict=False)]
    spans = word_windows(word_starts, size, min(WINDOW_OVERLAP, size // 2))
    return [text[offsets[start][0] : offsets[end - 1][1]] for start, end in spans]


def require_sentence_transformers(model: str) -> None:
    """Raise UserError where the library that runs ``model`` is not installed."""
    require(
        "sentence_transformers",
        model,
        extra="local",
        instead="retrieve with bm25, tfidf, mixpr or a provider's embeddings",
    )


def load_model(path: Path, kind: Literal["SentenceTransformer", "CrossEncoder"]) -> Any:
    """A model of sentence-transformers, without a look at the network or a line on the terminal.

    Takes about 8 s to import. Raises StrategyError where the folder holds no model that can be loaded.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # Threads that spin while they wait slow each other down many times where another process takes a core.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with _offline():
        import sentence_transformers
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        try:
            made = getattr(sentence_transformers, kind)
            return made(str(path), device=_device(), local_files_only=True)
        # A folder can be wrong in as many ways as the libraries have exceptions.
        except Exception as error:
            raise _not_loaded(path, error) from error


def _device() -> str:
    """The fastest that torch has here: NVIDIA's, or what ROCm shows as that, Apple's, or the CPU."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


@contextmanager
def _offline() -> Iterator[None]:
    """No question to the Hugging Face hub from in here; afterwards as before."""
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


def _not_loaded(path: Path, error: Exception) -> StrategyError:
    said = (str(error).splitlines() or [""])[0].strip()
    remedy = (
        "The model needs code of its own, which is not run here: choose another."
        if "trust_remote_code" in str(error)
        else "Is it a model in sentence-transformers' layout, whole, and known to the installed version?"
    )
    return StrategyError(f"cannot load the model in {path}: {said or type(error).__name__}.", remedy)
