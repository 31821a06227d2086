"""Embeddings of any provider, through litellm: OpenAI, Voyage, Cohere, Gemini, Bedrock, ..."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.readers.http.retries.patience import Patience
from niah.retrieval.provider_model import ProviderModel, batches
from niah.text.embedding.sentence_encoder import TextSide

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

# Cohere takes 96 texts at once, others more.
_BATCH_TEXTS = 96
_CONCURRENCY = 4

_REMEDY = "Is it an embedding model?"


class LiteLLMEncoder:
    """Embeds with a model of any provider that litellm knows.

    Args:
        model: litellm's name, ``provider/model``; see ``ProviderModel``.
        patience: limits of retries and time of one request.
    """

    block_bytes = 1_000_000
    """Some four requests side by side."""

    def __init__(self, model: str, patience: Patience | None = None) -> None:
        self._model = ProviderModel(model, "embed", patience)

    @property
    def identity(self) -> str:
        """See ``ProviderModel``."""
        return self._model.identity

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
        self._model.check()

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), rows of length 1.

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses the texts, or gives no embeddings in spite of retries, or wrong ones.
        """
        pieces = [self._model.parts(text) for text in texts]
        every = [window for parts in pieces for window in parts]
        with ThreadPoolExecutor(_CONCURRENCY) as pool:
            # Each in this thread's context: whoever watches it may stop them all.
            asked = [(copy_context(), batch) for batch in batches(every, _BATCH_TEXTS)]
            read = partial(self._embedded, side=side)
            rows = list(pool.map(lambda job: job[0].run(self._model.in_batches, job[1], read), asked))
        if len({block.shape[1] for block in rows}) > 1:
            raise self._model.wrong("embeddings of different lengths", _REMEDY)
        return np.split(np.concatenate(rows), np.cumsum([len(parts) for parts in pieces])[:-1])

    def _side(self, side: TextSide) -> dict[str, str]:
        for start, (name, values) in _SIDES.items():
            if self._model.name.startswith(start):
                return {name: values[side]}
        return {}

    def _embedded(self, batch: Sequence[str], side: TextSide) -> NDArray[np.float32]:
        """Shape (texts, dimensions), with retries."""
        reply = self._model.ask(
            lambda litellm, limits: litellm.embedding(
                model=self._model.name,
                input=list(batch),
                encoding_format="float",
                drop_params=True,  # litellm knows which provider takes no encoding_format
                **limits,
                **self._side(side),
            )
        )
        return self._rows([dict(item) for item in reply.data or []], len(batch))

    def _rows(self, data: list[dict[str, Any]], expected: int) -> NDArray[np.float32]:
        """A reply's embeddings in the order of the texts, each scaled to length 1."""
        if len(data) != expected:
            raise self._model.wrong(f"{len(data)} embeddings for {expected} texts", _REMEDY)
        in_order = sorted(data, key=lambda item: item.get("index") or 0)
        try:
            rows = np.array([item["embedding"] for item in in_order], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            raise self._model.wrong(
                "embeddings that are no lists of numbers of one length", _REMEDY
            ) from None
        lengths = np.linalg.norm(rows, axis=1) if rows.ndim == 2 else np.zeros(1)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._model.wrong("an embedding that is empty, zero or not finite", _REMEDY)
        return (rows / lengths[:, None]).astype(np.float32)
