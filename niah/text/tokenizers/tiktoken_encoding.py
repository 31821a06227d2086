"""OpenAI's encodings, by tiktoken, which is pointed at the vocabularies that litellm carries as files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.tokenizers.kept_counts import KeptCounts
from niah.text.tokenizers.vocabularies import ENCODINGS, vocabulary_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TiktokenTokenizer:
    """One of OpenAI's encodings.

    Args:
        name: a key of ``ENCODINGS``.

    Raises:
        WeightsError: its vocabulary is not there and cannot be fetched.
    """

    # The pattern of both begins a new piece at a space before a word and after a line break.
    additive = True
    cuts_at_spaces = True
    cuts_at_lines = True

    def __init__(self, name: str) -> None:
        self.name = name
        self._folder = vocabulary_folder()
        self._kept = KeptCounts(self.identity)

    @cached_property
    def _encoding(self) -> Any:
        """Takes a quarter of a second of CPU."""
        return _load(ENCODINGS[self.name], self._folder)

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        """Bytes of each token; 0 of those that no text has had yet."""
        return np.zeros(self._encoding.n_vocab, dtype=np.int64)

    @property
    def identity(self) -> str:
        """The name: tiktoken checks the vocabulary against its own digest."""
        return self.name

    def encode(self, text: str) -> list[int]:
        """Token ids; special tokens are read as plain text."""
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        if "_encoding" not in vars(self) and (kept := self._kept.get(texts)) is not None:
            return np.array(kept, dtype=np.int64)
        encode = self._encoding.encode_ordinary  # its batches start a thread for each text
        counts = np.fromiter((len(encode(text)) for text in texts), dtype=np.int64, count=len(texts))
        self._kept.add(texts, counts.tolist())
        return counts

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts."""
        ids = np.array(self.encode(text), dtype=np.int64)
        if not len(ids):
            return ids
        ends = np.cumsum(self._byte_lengths(ids))
        starts = np.concatenate(([0], ends[:-1]))
        return starts if text.isascii() else _characters_at(text, starts)

    def _byte_lengths(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        lengths = self._lengths[ids]
        if not lengths.all():
            new = np.unique(ids[lengths == 0])
            self._lengths[new] = [len(token) for token in self._encoding.decode_tokens_bytes(new.tolist())]
            lengths = self._lengths[ids]
        return lengths


def _characters_at(text: str, bytes_at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Shape of ``bytes_at``: the character that holds each byte of the text; bytes ascend from 0."""
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    characters = np.cumsum((raw & 0xC0) != 0x80, dtype=np.int64)  # that begin up to each byte
    held: NDArray[np.int64] = characters[bytes_at] - 1
    return held


def _load(encoding: str, folder: Path) -> Any:
    """The encoding, from that folder, also where the environment names another, which may lack the file."""
    import tiktoken

    previous = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        return tiktoken.get_encoding(encoding)
    finally:
        if previous is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = previous
