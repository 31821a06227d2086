"""Models of any provider, through litellm: embeddings (OpenAI, Voyage, Cohere, Gemini, ...) and rerankers."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from niah.errors import ReaderConfigError, StrategyError
from niah.readers.credentials import load_dotenv_here, missing_key
from niah.readers.litellm_reader import LiteLLMReader, fault_of_exception, import_litellm, provider_addresses
from niah.readers.outcomes import Fault
from niah.readers.patience import Patience, asked_with
from niah.readers.reader import Failure
from niah.readers.redaction import secrets_in
from niah.readers.retry import Endpoint
from niah.text.chunks import windows
from niah.text.embedding import run_watched
from niah.text.encoders import WINDOW_OVERLAP, TextSide
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.text.encoders import Vectors

_Reply = TypeVar("_Reply")
_Number = TypeVar("_Number", np.float32, np.float64)

# Variables that litellm reads and its own check does not know; one of them is enough.
_KEYS = {
    "azure_ai/": ("AZURE_AI_API_KEY",),
    "jina_ai/": ("JINA_AI_API_KEY", "JINA_AI_TOKEN"),
}

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
_RERANKED_TEXTS = 100
_CONCURRENCY = 4

# OpenAI takes 300,000 tokens at once, Voyage 120,000.
_BATCH_TOKENS = 60_000
_FEW_TEXTS = 5
"""A smaller number in a refusal is hardly the size of a batch."""

# Providers count with tokenizers of their own, most of which split English finer than cl100k by less than
# a third, and cut in silence what is over.
_TOKENIZER = "cl100k"
_SAFE_SHARE = 0.7
_UNKNOWN_LIMIT = 512

_BLANK = "."

_USUAL_TIMEOUT_S = 120.0


class _Refused(StrategyError):
    """A request that would be refused again, and may be too large.

    Args:
        message: what was wrong, one line.
        remedy: what to do about it, one line.
        said: in the provider's words.
    """

    def __init__(self, message: str, remedy: str, said: str) -> None:
        super().__init__(message, remedy)
        self.said = said


class _ProviderModel:
    """A model that litellm asks.

    Keys come from the environment or from a ``.env`` file in the working folder, addresses from the variables
    that litellm reads (``OPENAI_API_BASE``, ``VOYAGE_API_BASE``, ...).

    Args:
        name: litellm's, ``provider/model``.
        patience: limits of retries and time of one request; what ``asking_with`` says without it.
    """

    does: str
    """What it is asked to do, for messages ("embed")."""

    def __init__(self, name: str, patience: Patience | None = None) -> None:
        load_dotenv_here()
        self.name = name
        self._own_patience = patience
        self._most_texts = sys.maxsize
        """Of one request, as far as the provider has refused larger ones."""

    @property
    def _patience(self) -> Patience:
        said = asked_with.get()
        timeout_s, gone_s = said.timeout_s or _USUAL_TIMEOUT_S, said.wait_s or 0.0
        return self._own_patience or replace(said.patience, timeout_s=timeout_s, gone_s=gone_s)

    @property
    def identity(self) -> str:
        """The model and, where it is not the provider's own, the address."""
        provider = self.name.partition("/")[0] if "/" in self.name else "openai"
        addresses = "\0".join(
            sorted(address.rstrip("/") for address in provider_addresses(provider).values())
        )
        return f"litellm {self.name} {blake2b(addresses.encode(), digest_size=8).hexdigest()}"

    def check(self) -> None:
        """Raise ReaderConfigError where litellm does not know the provider, or a key is not set."""
        LiteLLMReader(self.name).check()
        for start, names in _KEYS.items():
            if self.name.startswith(start) and not any(os.environ.get(name) for name in names):
                missing_key(self.name, names[0], f"Set {names[0]} in the environment or in a .env file here.")

    def ask(self, call: Callable[..., _Reply]) -> _Reply:
        """What ``call`` returns, with retries; a limit ("429") is waited out and uses up no attempt.

        Args:
            call: is given litellm, and the arguments that limit a request.

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses otherwise, or fails in spite of retries.
        """
        litellm = import_litellm()
        litellm.DEFAULT_MAX_RETRIES = 0  # it takes max_retries=0 below for unset
        patience, faults = self._patience, list[Fault]()
        limits = {"timeout": patience.timeout_s, "num_retries": 0, "max_retries": 0}

        async def attempt() -> tuple[_Reply] | Fault:
            started = time.perf_counter()
            try:
                return (call(litellm, limits),)
            # litellm wraps most failures, yet lets some of its providers' own through: ValueError, ...
            except Exception as error:
                fault = fault_of_exception(error, time.perf_counter() - started, secrets_in(os.environ))
                faults.append(fault)
                return fault

        endpoint = Endpoint("", replace(patience, timeout_s=math.inf), 1, attempt)
        reply = run_watched(endpoint.ask(attempt))
        if isinstance(reply, Failure):
            raise self._failed(faults[-1], reply)
        return reply[0]

    def in_batches(
        self, texts: Sequence[str], read: Callable[[Sequence[str]], NDArray[_Number]]
    ) -> NDArray[_Number]:
        """What ``read`` gives for all texts together, in order.

        A batch that is refused is asked again in parts of the size that the refusal names, else in halves; no
        later batch is larger.
        """
        size = min(len(texts), self._most_texts)
        if size == len(texts):
            try:
                return read(texts)
            except _Refused as error:
                if size == 1:
                    raise
                named = [int(number) for number in re.findall(r"\b\d{1,3}\b", error.said)]
                size = max((n for n in named if _FEW_TEXTS <= n < size), default=(size + 1) // 2)
                self._most_texts = min(self._most_texts, size)
        parts = (texts[start : start + size] for start in range(0, len(texts), size))
        return np.concatenate([self.in_batches(part, read) for part in parts])

    def parts(self, text: str, beside: str = "") -> list[str]:
        """The text in parts that the model reads whole; endpoints refuse one that is blank.

        Args:
            text: to be read.
            beside: what is read with each part.
        """
        size = int(_SAFE_SHARE * most_tokens(self.name))
        if beside:
            size = max(size // 2, size - count(get_tokenizer(_TOKENIZER), beside))
        if len(text.encode()) <= size:  # a token has a byte at least
            return [text if text.strip() else _BLANK]
        starts = get_tokenizer(_TOKENIZER).starts(text)
        parts = windows(text, starts, size, min(WINDOW_OVERLAP, size // 2))
        return [text[part.start : part.end] for part in parts if text[part.start : part.end].strip()] or [
            _BLANK
        ]

    def wrong(self, what: str) -> StrategyError:
        """The error that the provider's reply makes no sense."""
        return StrategyError(f"{self.name} answered with {what}.", f"Is it a model that can {self.does}?")

    def _failed(self, fault: Fault, failure: Failure) -> ReaderConfigError | StrategyError:
        said = failure.reason.rstrip(".")
        if fault.status in (401, 403):
            return ReaderConfigError(f"{self.name} refuses to {self.does}: {said}.", "Check its key.")
        problem = f"{self.name} could not {self.does}: {said}."
        if fault.transient:
            return StrategyError(problem, "Try again later: what it finished is kept.")
        remedy = "It would refuse this again: see whether the model's name and what it is sent are right."
        if fault.status in (400, 413, 422) or fault.outcome == "overflow":
            return _Refused(problem, remedy, fault.message)
        return StrategyError(problem, remedy)


def batches(texts: Sequence[str], most_texts: int) -> Iterator[list[str]]:
    """Texts in order, as many together as every provider takes, at most ``most_texts``."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = math.ceil(len(text.encode()) / 2)  # an upper bound for most scripts
        if batch and (len(batch) == most_texts or tokens + size > _BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch


def most_tokens(model: str) -> int:
    """What the model reads at once, from litellm's own table; asking a provider would be network."""
    costs = import_litellm().model_cost
    for name in (model, model.partition("/")[2]):
        known = costs.get(name) or {}
        limit = known.get("max_input_tokens") or known.get("max_tokens")
        if isinstance(limit, int) and limit > 0:
            return limit
    return _UNKNOWN_LIMIT


class RemoteEncoder(_ProviderModel):
    """Embeds with a model of any provider that litellm knows."""

    does = "embed"
    block_bytes = 1_000_000
    """Some four requests side by side."""

    def load(self) -> None:
        """Nothing to do: litellm is imported by the check."""

    @property
    def reads_tokens(self) -> None:
        """Chunks are embedded whole: most models of providers read thousands of tokens."""

    def mark(self, side: TextSide) -> str:
        """The parameter that tells the provider which side it is."""
        return " ".join(f"{name}={value}" for name, value in self._side(side).items())

    def encode(self, texts: Sequence[str], side: TextSide) -> list[Vectors]:
        """For each text its windows' embeddings: float32, shape (windows, dimensions), rows of length 1.

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses the texts, or gives no embeddings in spite of retries, or wrong ones.
        """
        pieces = [self.parts(text) for text in texts]
        every = [window for parts in pieces for window in parts]
        with ThreadPoolExecutor(_CONCURRENCY) as pool:
            # Each in this thread's context: whoever watches it may stop them all.
            asked = [(copy_context(), batch) for batch in batches(every, _BATCH_TEXTS)]
            rows = list(
                pool.map(
                    lambda job: job[0].run(
                        self.in_batches, job[1], lambda batch: self._embedded(batch, side)
                    ),
                    asked,
                )
            )
        if len({block.shape[1] for block in rows}) > 1:
            raise self.wrong("embeddings of different lengths")
        return np.split(np.concatenate(rows), np.cumsum([len(parts) for parts in pieces])[:-1])

    def _side(self, side: TextSide) -> dict[str, str]:
        for start, (name, values) in _SIDES.items():
            if self.name.startswith(start):
                return {name: values[side]}
        return {}

    def _embedded(self, batch: Sequence[str], side: TextSide) -> NDArray[np.float32]:
        """Shape (texts, dimensions), with retries."""
        reply = self.ask(
            lambda litellm, limits: litellm.embedding(
                model=self.name,
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
            raise self.wrong(f"{len(data)} embeddings for {expected} texts")
        in_order = sorted(data, key=lambda item: item.get("index") or 0)
        try:
            rows = np.array([item["embedding"] for item in in_order], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            raise self.wrong("embeddings that are no lists of numbers of one length") from None
        lengths = np.linalg.norm(rows, axis=1) if rows.ndim == 2 else np.zeros(1)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self.wrong("an embedding that is empty, zero or not finite")
        return (rows / lengths[:, None]).astype(np.float32)


class RemoteReranker(_ProviderModel):
    """Scores with a reranker of any provider that litellm knows."""

    does = "rerank"
    block_texts = _RERANKED_TEXTS

    @property
    def identity(self) -> str:
        """See ``_ProviderModel``."""
        return f"{super().identity} reranker"

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),).

        Raises:
            ReaderConfigError: the provider refuses the key.
            StrategyError: it refuses the texts, or gives no scores in spite of retries, or wrong ones.
        """
        pieces = [self.parts(text, beside=query) for text in texts]
        every = [part for parts in pieces for part in parts]
        blocks = [
            self.in_batches(batch, lambda batch: self._scores(query, batch))
            for batch in batches(every, _RERANKED_TEXTS)
        ]
        firsts = np.cumsum([0, *(len(parts) for parts in pieces[:-1])])
        best: NDArray[np.float64] = np.maximum.reduceat(np.concatenate(blocks), firsts)
        return best

    def _scores(self, query: str, batch: Sequence[str]) -> NDArray[np.float64]:
        """Shape (texts,), with retries."""
        reply = self.ask(
            lambda litellm, limits: litellm.rerank(
                model=self.name,
                query=query,
                documents=list(batch),
                top_n=len(batch),
                return_documents=False,
                **limits,
            )
        )
        return self._in_order(reply.results or [], len(batch))

    def _in_order(self, results: Sequence[Any], expected: int) -> NDArray[np.float64]:
        """A reply's scores in the order of the texts."""
        try:
            found = {int(each["index"]): float(each["relevance_score"]) for each in results}
        except (ValueError, TypeError, KeyError):
            raise self.wrong("results that have no index and score") from None
        if sorted(found) != list(range(expected)) or len(results) != expected:
            raise self.wrong(f"other results than one for each of {expected} texts")
        scores = np.array([found[i] for i in range(expected)])
        if not np.isfinite(scores).all():
            raise self.wrong("a score that is not finite")
        return scores
