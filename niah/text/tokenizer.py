"""Tokenizers that count exactly, offline.

The vocabularies of cl100k and o200k come with litellm, a dependency anyway; tiktoken is pointed at them,
so nothing is downloaded and litellm itself is not imported.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TIKTOKEN = {"cl100k": "cl100k_base", "o200k": "o200k_base"}


class Tokenizer(Protocol):
    """Turns text into tokens and says where each one starts."""

    @property
    def name(self) -> str:
        """As users call it ("cl100k")."""
        ...

    def encode(self, text: str) -> list[int]:
        """Token ids of ``text``; special tokens are read as plain text."""
        ...

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        ...

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts.

        A token that starts inside a character (bytes of one emoji) gets that character's offset.
        """
        ...


def tokenizer_names() -> list[str]:
    """The tokenizers that work offline."""
    return sorted(_TIKTOKEN)


@lru_cache(maxsize=8)
def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name. Raises UnknownName."""
    if name not in _TIKTOKEN:
        raise UnknownName("tokenizer", name, _TIKTOKEN)
    return _Tiktoken(name, _load(_TIKTOKEN[name]))


def count(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of one text."""
    return len(tokenizer.encode(text))


class _Tiktoken:
    def __init__(self, name: str, encoding: Any) -> None:
        self.name = name
        self._encoding = encoding
        self._byte_lengths: NDArray[np.int64] | None = None

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        lengths = [len(ids) for ids in self._encoding.encode_ordinary_batch(list(texts), num_threads=1)]
        return np.array(lengths, dtype=np.int64)

    def starts(self, text: str) -> NDArray[np.int64]:
        ids = np.array(self.encode(text), dtype=np.int64)
        if not len(ids):
            return ids
        ends = np.cumsum(self._lengths()[ids])
        starts = np.concatenate(([0], ends[:-1]))
        return starts if text.isascii() else _bytes_to_characters(text)[starts]

    def _lengths(self) -> NDArray[np.int64]:
        if self._byte_lengths is None:
            lengths = np.zeros(self._encoding.n_vocab, dtype=np.int64)
            for token in self._encoding.token_byte_values():
                lengths[self._encoding.encode_single_token(token)] = len(token)
            self._byte_lengths = lengths
        return self._byte_lengths


def _bytes_to_characters(text: str) -> NDArray[np.int64]:
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    is_first_byte = (raw & 0xC0) != 0x80
    return np.cumsum(is_first_byte) - 1


def _load(encoding: str) -> Any:
    import tiktoken

    previous = os.environ.get("TIKTOKEN_CACHE_DIR")
    if previous is None:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(_vocabularies())
    try:
        return tiktoken.get_encoding(encoding)
    finally:
        if previous is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]


def _vocabularies() -> Path:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise UserError(
            "the package litellm, which carries the vocabularies, is not installed.",
            "Run: pip install litellm",
        )
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
