"""Tokenizers that count exactly: some that need no network, and those of any model that publishes its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from niah import weights
from niah.text.tokenizers.kept_counts import KeptCounts
from niah.text.tokenizers.source import TokenizerSource, find_source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Tokenizer(Protocol):
    """Turns text into tokens and says where each one starts."""

    @property
    def name(self) -> str:
        """As users call it ("cl100k"); a model of OpenAI's has its encoding's name."""
        ...

    @property
    def identity(self) -> str:
        """Equal only where all counts are: changes when the vocabulary does."""
        ...

    @property
    def additive(self) -> bool:
        """Whether cutting text before a space that precedes a word, or after a blank line, keeps all counts.

        True only where that is proven.
        """
        ...

    @property
    def cuts_at_spaces(self) -> bool:
        """Whether a token border stands at every space between two words, whatever they are.

        Then tokens on one side of it do not depend on the text on the other.
        """
        ...

    @property
    def cuts_at_lines(self) -> bool:
        """Whether one stands, in the same way, between a word's line end and a letter or digit."""
        ...

    def __hash__(self) -> int:
        """By identity: counts are kept by tokenizer and text."""
        ...

    def encode(self, text: str) -> list[int]:
        """Token ids of ``text``, none added; special tokens are read as plain text."""
        ...

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        ...

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts; from 0, never falling.

        A token that starts inside a character (bytes of one emoji) gets that character's offset. Characters
        that no token holds, such as the white space that WordPiece drops, belong to the token before them.
        """
        ...


def describe_tokenizers() -> list[tuple[str, str]]:
    """What ``get_tokenizer`` takes: each name or form, and one line about it."""
    return [
        ("cl100k", "OpenAI: GPT-4, GPT-3.5, embeddings"),
        ("o200k", "OpenAI: GPT-4o and all since"),
        ("smollm2", "the embedded reader's own, out of its packaged weights"),
        ("qwen", "the embedded model qwen's own, out of its packaged weights"),
        ("minilm", "the default embedder's own, out of its packaged weights"),
        (
            "PROVIDER/MODEL",
            "openai/... and azure/... by tiktoken's table; anthropic/claude-... by Claude 2's,"
            " the last that Anthropic published: newer models count otherwise",
        ),
        ("PATH", "a tokenizer.json of Hugging Face's, a folder that holds one, or a .gguf file"),
        ("OWNER/NAME", "the tokenizer.json of that name on the Hugging Face hub, fetched once"),
    ]


def check_tokenizer(name: str) -> None:
    """Raise where ``name`` can be no tokenizer, without reading vocabularies or asking the network.

    Raises:
        UnknownName: it can stand for nothing.
        UserError: a path without a tokenizer, or a provider without one.
    """
    find_source(name)


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name: see ``describe_tokenizers``.

    A short name wins over a path, a path that is there over a provider, a provider over the hub.

    Raises:
        UnknownName: it can stand for nothing.
        UserError: a path, provider or hub without that tokenizer, or a file that is none.
        WeightsError: the packaged weights that hold it cannot be fetched.
    """
    return _opened(find_source(name))


def count_each(name: str, texts: Sequence[str]) -> list[int]:
    """As ``get_tokenizer(name).counts``, without NumPy where an encoding's counts are kept: it takes 40 ms.

    Raises as ``get_tokenizer`` does.
    """
    source = find_source(name)
    kept = KeptCounts(source.name).get(texts) if source.kind == "encoding" else None
    return get_tokenizer(name).counts(texts).tolist() if kept is None else kept


def count(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of one text."""
    tokens: int = tokenizer.counts([text]).item()
    return tokens


def token_at(starts: Sequence[int], text: str, offset: int) -> int:
    """How many tokens come before the first that holds the character at ``offset`` or the space before it.

    Args:
        starts: character offsets at which the tokens of ``text`` start, as ``Tokenizer.starts`` gives them.
        text: what was tokenised.
        offset: of a sentence's first character: at 0, or behind one space or line end.
    """
    for at in (offset - 1, offset) if text[max(0, offset - 1) : offset] == " " else (offset,):
        token = bisect_left(starts, at)
        if token < len(starts) and starts[token] == at:
            return token
    return max(0, bisect_right(starts, offset) - 1)


@lru_cache(maxsize=8)
def _opened(source: TokenizerSource) -> Tokenizer:
    if source.kind == "encoding":
        from niah.text.tokenizers.tiktoken_encoding import TiktokenTokenizer

        return TiktokenTokenizer(source.name)
    from niah.text.tokenizers.hugging_face import HuggingFaceTokenizer

    path = _file(source)
    if path.suffix == ".gguf":
        from niah.text.tokenizers.gguf.gguf_vocabulary import tokenizer_json

        return HuggingFaceTokenizer(source.name, tokenizer_json(path), path)
    return HuggingFaceTokenizer(source.name, path.read_bytes(), path)


def _file(source: TokenizerSource) -> Path:
    """The tokenizer.json or GGUF file, on this machine by now."""
    if source.kind == "packaged":
        path = weights.ensure_weights(source.where)
        return path / "tokenizer.json" if path.is_dir() else path
    if source.kind == "hub":
        from niah.hub import cached_or_fetched

        return cached_or_fetched(source.where, "tokenizer.json")
    return Path(source.where)
