"""Embeddings of any provider, through litellm: OpenAI, Voyage, Cohere, Gemini, Bedrock, ..."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.errors import ReaderConfigError, StrategyError
from niah.readers.credentials import load_dotenv_here
from niah.readers.http.outcomes import Fault, failure
from niah.readers.http.retrying import Patience
from niah.readers.litellm_reader import LiteLLMReader, fault_of_exception, import_litellm, provider_addresses
from niah.readers.redaction import secrets_in
from niah.text.chunks import windows
from niah.text.embedding.sentence_encoder import WINDOW_OVERLAP, TextSide
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.embedding.vector_cache import Vectors

# What providers that tell queries from passages call the two. The others get texts alone.
_SIDES: dict[str, tuple[str, dict[TextSide, str]]] = {
    "bedrock/cohere.": ("input_type", {"query": "search_query", "passage": "search_document"}),
    "cohere/": ("input_type", {"query": "search_query", "passage": "search_document"}),
    "gemini/": ("task_type", {"query": "RETRIEVAL_QUERY", "passage": "RETRIEVAL_DOCUMENT"}),
    "jina_ai/jina-embeddings-v3": ("task", {"query": "retrieval.query", "passage": "retrieval.passage"}),
    "jina_ai/jina-embeddings-v4": ("task", {"query": "retrieval.query", "passage": "retrieval.passage"}),
    "nvidia_nim/": ("input_type", {"query": "query", "passage": "passage"}),
    "vertex_ai/": ("task_type", {"query": "RETRIEVAL_QUERY", "passage": "RETRIEVAL_DOCUMENT"}),
    "voyage/": ("input_type", {"query": "query", "passage": "document"}),
}

# Variables that litellm reads and its own check does not know; one of them is enough.
_KEYS = {
    "azure_ai/": ("AZURE_AI_API_KEY",),
    "jina_ai/": ("JINA_AI_API_KEY", "JINA_AI_TOKEN"),
}

# Cohere takes 96 texts at once, others more; OpenAI takes 300,000 tokens at once, Voyage 120,000.
_BATCH_TEXTS = 96
_BATCH_TOKENS = 60_000
_CONCURRENCY = 4

# Providers count with tokenizers of their own, most of which split English finer than cl100k by less than
# a third, and cut in silence what is over.
_TOKENIZER = "cl100k"
_SAFE_SHARE = 0.7
_UNKNOWN_LIMIT = 512

_BLANK = "."


class LiteLLMEncoder:
    """Embeds with a model of any provider that litellm knows.

    Keys come from the environment or from a ``.env`` file in the working folder, addresses from the variables
    that litellm reads (``OPENAI_API_BASE``, ``VOYAGE_API_BASE``, ...).

    Args:
        model: litellm's name, ``provider/model``.
        patience: limits of retries and time of one request.
    """

    block_bytes = 1_000_000
    """Some four requests side by side."""

    def __init__(self, model: str, patience: Patience | None = None) -> None:
        load_dotenv_here()
        self._model = model
        self._patience = patience or Patience(timeout_s=120.0)

    @property
    def identity(self) -> str:
        """The model and, where it is not the provider's own, the address."""
        provider = self._model.partition("/")[0] if "/" in self._model else "openai"
        addresses = "\0".join(
            sorted(address.rstrip("/") for address in provider_addresses(provider).values())
        )
        return f"litellm {self._model} {blake2b(addresses.encode(), digest_size=8).hexdigest()}"

    def load(self) -> None:
        """Nothing to do: litellm is imported by the check."""

    @property
    def reads_tokens(self) -> None:
        """Chunks are embedded whole: most models of providers read thousands of tokens."""

    def mark(self, side: TextSide) -> str:
        """The parameter that tells the provider which side it is."""
        return " ".join(f"{name}={value}" for name, value in self._side(side).items())

    def check(self) -> None:
        """Raise ReaderConfigError where litellm does not know the provider, or a key is not set."""
        LiteLLMReader(self._model).check()
        for start, names in _KEYS.items():
            if self._model.startswith(start) and not any(os.environ.get(name) for name in names):
                raise ReaderConfigError(
                    f"{self._model} needs {names[0]}, which is not set.",
                    f"Set {names[0]} in the environment or in a .env file here.",
                )

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), rows of length 1.

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses the texts, or gives no embeddings in spite of retries, or wrong ones.
        """
        pieces = [self._windows(text) for text in texts]
        every = [window for parts in pieces for window in parts]
        with ThreadPoolExecutor(_CONCURRENCY) as pool:
            rows = list(pool.map(lambda batch: self._embedded(batch, side), _batches(every)))
        if len({block.shape[1] for block in rows}) > 1:
            raise self._wrong("embeddings of different lengths")
        return np.split(np.concatenate(rows), np.cumsum([len(parts) for parts in pieces])[:-1])

    def _windows(self, text: str) -> list[str]:
        """The text in parts that the model reads whole; endpoints refuse one that is blank."""
        size = int(_SAFE_SHARE * _most_tokens(self._model))
        if len(text.encode()) <= size:  # a token has a byte at least
            return [text if text.strip() else _BLANK]
        starts = get_tokenizer(_TOKENIZER).starts(text)
        parts = windows(text, starts, size, min(WINDOW_OVERLAP, size // 2))
        return [text[part.start : part.end] for part in parts if text[part.start : part.end].strip()] or [
            _BLANK
        ]

    def _side(self, side: TextSide) -> dict[str, str]:
        for start, (name, values) in _SIDES.items():
            if self._model.startswith(start):
                return {name: values[side]}
        return {}

    def _embedded(self, batch: Sequence[str], side: TextSide) -> NDArray[np.float32]:
        """Shape (texts, dimensions), with retries."""
        tried = 0
        while True:
            tried += 1
            reply = self._attempt(batch, side)
            if not isinstance(reply, Fault):
                return self._rows(reply, len(batch))
            wait = self._patience.wait_s(reply, tried)
            if wait is None:
                raise self._failed(reply, tried)
            time.sleep(wait)

    def _attempt(self, batch: Sequence[str], side: TextSide) -> list[dict[str, Any]] | Fault:
        litellm = import_litellm()
        litellm.DEFAULT_MAX_RETRIES = 0  # it takes max_retries=0 below for unset
        started = time.perf_counter()
        try:
            reply = litellm.embedding(
                model=self._model,
                input=list(batch),
                encoding_format="float",
                timeout=self._patience.timeout_s,
                drop_params=True,  # litellm knows which provider takes no encoding_format
                num_retries=0,
                max_retries=0,
                **self._side(side),
            )
        # litellm wraps most failures, yet lets some of its providers' own through: ValueError, KeyError, ...
        except Exception as error:
            return fault_of_exception(error, time.perf_counter() - started, secrets_in(os.environ))
        return [dict(item) for item in reply.data or []]

    def _rows(self, data: list[dict[str, Any]], expected: int) -> NDArray[np.float32]:
        """A reply's embeddings in the order of the texts, each scaled to length 1."""
        if len(data) != expected:
            raise self._wrong(f"{len(data)} embeddings for {expected} texts")
        in_order = sorted(data, key=lambda item: item.get("index") or 0)
        try:
            rows = np.array([item["embedding"] for item in in_order], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            raise self._wrong("embeddings that are no lists of numbers of one length") from None
        lengths = np.linalg.norm(rows, axis=1) if rows.ndim == 2 else np.zeros(1)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._wrong("an embedding that is empty, zero or not finite")
        return (rows / lengths[:, None]).astype(np.float32)

    def _failed(self, fault: Fault, tried: int) -> ReaderConfigError | StrategyError:
        said = failure(fault, tried).reason.rstrip(".")
        if fault.status in (401, 403):
            return ReaderConfigError(f"{self._model} refuses to embed: {said}.", "Check its key.")
        return StrategyError(
            f"{self._model} could not embed: {said}.", "Try again later: what it finished is kept."
        )

    def _wrong(self, what: str) -> StrategyError:
        return StrategyError(f"{self._model} answered with {what}.", "Is it an embedding model?")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts in order, as many together as every provider takes."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = math.ceil(len(text.encode()) / 2)  # an upper bound for most scripts
        if batch and (len(batch) == _BATCH_TEXTS or tokens + size > _BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch


def _most_tokens(model: str) -> int:
    """What the model reads at once, from litellm's own table; asking a provider would be network."""
    costs = import_litellm().model_cost
    for name in (model, model.partition("/")[2]):
        known = costs.get(name) or {}
        limit = known.get("max_input_tokens") or known.get("max_tokens")
        if isinstance(limit, int) and limit > 0:
            return limit
    return _UNKNOWN_LIMIT
