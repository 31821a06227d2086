"""Models that embed texts: MiniLM through onnxruntime, and models in sentence-transformers' layout."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from niah.errors import StrategyError
from niah.plugins.registry import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

TextSide = Literal["query", "passage"]
TokensRead = tuple[Sequence[tuple[int, int]], Sequence[int | None]]
"""Of a text: each token's character span, and the number of its word."""

WINDOW_OVERLAP = 48  # tokens that neighbouring windows share: a short needle on a border is whole in one
_BATCH_TOKENS = 1024
_MINILM_READS = 256
UNLIMITED = 10**8  # tokenizers that read any length say so with a number like 1e30


class Encoder(Protocol):
    """Embeds texts with one model, here or at an endpoint. Used by one thread at a time.

    ``identity`` is equal only where all embeddings are. ``block_bytes`` of texts are encoded in one call:
    what a crash can lose, and what Ctrl-C waits for.
    """

    @property
    def identity(self) -> str: ...  # noqa: D102
    @property
    def block_bytes(self) -> int: ...  # noqa: D102

    def mark(self, side: TextSide) -> str:
        """What is done to texts of that side, such as a prefix. Sides of one mark share embeddings."""
        ...

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions).

        A text longer than the model reads comes as several windows, none of them cut.
        """
        ...


@dataclass(frozen=True)
class Conventions:
    """How a model wants its texts: a prefix for each side, and cosine or dot product (length counts)."""

    query: str = ""
    passage: str = ""
    similarity: Literal["cosine", "dot"] = "cosine"


class _LocalEncoder:
    """A model folder on this machine, loaded at the first text."""

    block_bytes = 12_000  # half a second on two quiet cores

    def __init__(self, folder: Path, identity: str, conventions: Conventions | None = None) -> None:
        self._folder, self._conventions = folder, conventions or Conventions()
        self._scaled = self._conventions.similarity == "cosine"
        self.identity = identity if self._scaled else f"{identity} unscaled"

    def mark(self, side: TextSide) -> str:
        """The prefix of that side."""
        return self._conventions.query if side == "query" else self._conventions.passage

    def _windows(self, text: str, prefix: str) -> list[str]:
        raise NotImplementedError

    def _rows(self, windows: list[str], prefix: str) -> Vectors:
        raise NotImplementedError

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions)."""
        pieces = [self._windows(text, self.mark(side)) for text in texts]
        rows = self._rows([window for windows in pieces for window in windows], self.mark(side))
        return np.split(rows, np.cumsum([len(windows) for windows in pieces])[:-1])


class OnnxEncoder(_LocalEncoder):
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

    def _windows(self, text: str, prefix: str) -> list[str]:
        return text_windows(text, _MINILM_READS - 2, self._read)

    def _read(self, text: str) -> TokensRead:
        encoded = self._model[1].encode(text, add_special_tokens=False)
        return encoded.offsets, encoded.word_ids

    def _rows(self, windows: list[str], prefix: str) -> Vectors:
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


class SentenceEncoder(_LocalEncoder):
    """A model folder in sentence-transformers' layout; rows have length 1 unless similarity is "dot"."""

    @cached_property
    def _model(self) -> Any:
        """Raises StrategyError where the folder holds no model that can be loaded."""
        return load_model(self._folder, "SentenceTransformer")

    def _windows(self, text: str, prefix: str) -> list[str]:
        return model_windows(self._model.tokenizer, self._model.max_seq_length, text, prefix)

    def _rows(self, windows: list[str], prefix: str) -> Vectors:
        found: Vectors = self._model.encode(
            windows,
            prompt=prefix,  # even where empty: the model has a default of its own otherwise
            normalize_embeddings=self._scaled,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return found


def model_windows(tokenizer: Any, limit: int | None, text: str, prefix: str = "") -> list[str]:
    """The text in parts that a model of ``limit`` tokens reads whole after ``prefix``."""
    if limit is None or limit >= UNLIMITED:
        return [text]

    options = dict.fromkeys(("add_special_tokens", "truncation", "verbose"), False)

    def read(part: str) -> TokensRead:
        encoded = tokenizer(part, return_offsets_mapping=True, **options)
        return encoded["offset_mapping"], encoded.word_ids()

    return text_windows(text, int(limit) - tokenizer.num_special_tokens_to_add(), read, prefix)


def text_windows(text: str, room: int, read: Callable[[str], TokensRead], prefix: str = "") -> list[str]:
    """The text in parts of at most ``room`` tokens together with ``prefix``, cut where words start.

    Neighbours share ``WINDOW_OVERLAP`` tokens, or as much as whole words allow. A longer word is cut inside.
    """
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


def require_sentence_transformers(model: str) -> None:
    """Raise UserError where the library that runs ``model`` is not installed."""
    instead = "retrieve with minilm, bm25, mixpr or a provider's embeddings"
    require("sentence_transformers", model, extra="embed", instead=instead)


def load_model(path: Path, kind: Literal["SentenceTransformer", "CrossEncoder"]) -> Any:
    """A model of sentence-transformers, in about 8 s, without the network or a line on the terminal.

    Raises StrategyError where the folder holds no model that can be loaded.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin slow each other down
    from huggingface_hub import constants

    before, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, True
    try:
        import sentence_transformers
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        return getattr(sentence_transformers, kind)(str(path), local_files_only=True)
    except Exception as error:  # a folder can be wrong in as many ways as the libraries have exceptions
        said = " ".join(str(error).split()) or type(error).__name__
        remedy = "Is it whole, in sentence-transformers' layout, and without code of its own?"
        raise StrategyError(f"cannot load the model in {path}: {said}.", remedy) from error
    finally:
        constants.HF_HUB_OFFLINE = before
