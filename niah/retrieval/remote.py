"""Models of any provider, through litellm: embeddings (OpenAI, Voyage, Cohere, Gemini, ...) and rerankers."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from hashlib import blake2b
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from niah.errors import UserError
from niah.readers.credentials import load_dotenv_here, secrets_in
from niah.readers.litellm_reader import LiteLLMReader, fault_of_exception, import_litellm, provider_addresses
from niah.readers.outcomes import Fault
from niah.readers.reader import Failure, Patience, asked_with
from niah.readers.retry import Endpoint
from niah.retrieval.dense import best_of_parts
from niah.text.chunks import windows
from niah.text.embedding import WINDOW_OVERLAP, Encoder, TextSide, run_watched
from niah.text.tokenizer import count, get_tokenizer

Vectors = NDArray[np.float32]
_Reply = TypeVar("_Reply")

# What providers that tell queries from passages call the two. The others get texts alone.
_SIDES = {
    "bedrock/cohere.": ("input_type", "search_query", "search_document"),
    "cohere/": ("input_type", "search_query", "search_document"),
    "gemini/": ("task_type", "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"),
    "jina_ai/jina-embeddings-v3": ("task", "retrieval.query", "retrieval.passage"),
    "jina_ai/jina-embeddings-v4": ("task", "retrieval.query", "retrieval.passage"),
    "nvidia_nim/": ("input_type", "query", "passage"),
    "vertex_ai/": ("task_type", "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"),
    "voyage/": ("input_type", "query", "document"),
}

_CONCURRENCY = 4
# Providers count with tokenizers of their own, most of which split English finer than cl100k by less than
# a third, and cut in silence what is over.
_TOKENIZER, _SAFE_SHARE, _UNKNOWN_LIMIT = "cl100k", 0.7, 512
_PATIENCE = Patience(timeout_s=120.0, gone_s=0.0)


class _Refused(UserError):
    """A request that would be refused again, and may be too large."""


class _ProviderModel:
    """A model that litellm asks; keys and addresses are those of the environment or of a ``.env`` file."""

    does: str  # for messages ("embed")
    most_texts: int  # in one request

    def __init__(self, name: str) -> None:
        """Raises UserError where litellm is missing, does not know the provider, or a key is not set."""
        load_dotenv_here()
        LiteLLMReader(name).check()
        self.name = name
        self._accepted = sys.maxsize  # texts of one request: the provider has refused more
        # The model and, where it is not the provider's own, the address.
        provider = name.partition("/")[0] if "/" in name else "openai"
        addresses = sorted(address.rstrip("/") for address in provider_addresses(provider).values())
        digest = blake2b(chr(0).join(addresses).encode(), digest_size=8).hexdigest()
        self.identity = f"litellm {name} {digest}"

    def read_all(
        self, every: Sequence[str], read: Callable[[Sequence[str]], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """What ``read`` gives for all pieces of texts, in one array, some batches side by side."""
        size = self.most_texts
        batches = [every[start : start + size] for start in range(0, len(every), size)]
        with ThreadPoolExecutor(_CONCURRENCY) as pool:
            # Each in this thread's context: whoever watches it may stop them all.
            jobs = [pool.submit(copy_context().run, self._in_parts, batch, read) for batch in batches]
            blocks = [job.result() for job in jobs]
        if len({block.shape[1:] for block in blocks}) > 1:
            raise self.wrong("embeddings of different lengths")
        return np.concatenate(blocks)

    def _in_parts(
        self, texts: Sequence[str], read: Callable[[Sequence[str]], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """A batch that is refused is asked again in halves, and no later batch is larger."""
        if len(texts) <= self._accepted:
            try:
                return read(texts)
            except _Refused:
                if len(texts) == 1:
                    raise
                self._accepted = min(self._accepted, (len(texts) + 1) // 2)
        size = self._accepted
        parts = (texts[start : start + size] for start in range(0, len(texts), size))
        return np.concatenate([self._in_parts(part, read) for part in parts])

    def parts(self, text: str, query: str = "") -> list[str]:
        """The text in parts that the model reads whole with ``query``; endpoints refuse a blank one."""
        # By litellm's own table, since asking a provider would be network.
        costs, names = import_litellm().model_cost, (self.name, self.name.partition("/")[2])
        known = (costs.get(name) or {} for name in names)
        limits = (each.get("max_input_tokens") or each.get("max_tokens") for each in known)
        most = next((limit for limit in limits if isinstance(limit, int) and limit > 0), _UNKNOWN_LIMIT)
        size = int(_SAFE_SHARE * most)
        tokenizer = get_tokenizer(_TOKENIZER)
        if query:
            size = max(size // 2, size - count(tokenizer, query))
        if len(text.encode()) <= size:  # a token has a byte at least
            return [text if text.strip() else "."]
        chunks = windows(text, tokenizer.starts(text), size, min(WINDOW_OVERLAP, size // 2))
        parts = [text[chunk.start : chunk.end] for chunk in chunks]
        return [part for part in parts if part.strip()] or ["."]

    def ask(self, call: Callable[..., _Reply]) -> _Reply:
        """What ``call`` of litellm, and of the arguments that limit a request, returns by the one loop.
        Raises UserError for a refused key, UserError for what fails in spite of retries."""
        litellm = import_litellm()
        litellm.DEFAULT_MAX_RETRIES = 0  # it takes max_retries=0 below for unset
        patience = replace(_PATIENCE, **asked_with.get())
        limits = {"timeout": patience.timeout_s, "num_retries": 0, "max_retries": 0}

        async def attempt() -> _Reply | Fault:
            try:
                return call(litellm, limits)
            # litellm wraps most failures, yet lets some of its providers' own through: ValueError, ...
            except Exception as error:
                return fault_of_exception(error, secrets_in(os.environ))

        endpoint = Endpoint("", replace(patience, timeout_s=math.inf), 1, attempt)
        reply = run_watched(endpoint.ask(attempt))
        if not isinstance(reply, Failure):
            return reply
        fault, why = endpoint.last_fault, reply.reason.rstrip(".")
        if fault.status in (401, 403):
            raise UserError(f"{self.name} refuses to {self.does}: {why}.", "Check its key.")
        problem = f"{self.name} could not {self.does}: {why}."
        if fault.transient:
            raise UserError(problem, "Try again later: what it finished is kept.")
        may_be_long = fault.status in (400, 413, 422) or fault.outcome == "overflow"
        remedy = "It would refuse this again: see whether the model's name and what it is sent are right."
        raise (_Refused if may_be_long else UserError)(problem, remedy)

    def wrong(self, what: str) -> UserError:
        """The error that the provider's reply makes no sense."""
        return UserError(f"{self.name} answered with {what}.", f"Is it a model that can {self.does}?")


class RemoteEncoder(_ProviderModel, Encoder):
    """Embeds with a model of any provider that litellm knows."""

    does = "embed"
    most_texts = 96  # Cohere; others take more
    block_bytes = 1_000_000  # some four requests side by side

    def mark(self, side: TextSide) -> str:
        """The parameter that tells the provider which side it is."""
        return " ".join(f"{name}={value}" for name, value in self._side(side).items())

    def _side(self, side: TextSide) -> dict[str, str]:
        for start, (name, query, passage) in _SIDES.items():
            if self.name.startswith(start):
                return {name: query if side == "query" else passage}
        return {}

    def _windows(self, text: str, side: TextSide) -> list[str]:
        return self.parts(text)

    def _rows(self, windows: list[str], side: TextSide) -> Vectors:
        """Shape (windows, dimensions), rows of length 1."""
        return self.read_all(windows, lambda batch: self._embedded(batch, side)).astype(np.float32)

    def _embedded(self, batch: Sequence[str], side: TextSide) -> NDArray[np.float64]:
        """Shape (texts, dimensions): each of length 1, in the order of the texts."""
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
        data = [dict(item) for item in reply.data or []]
        if len(data) != len(batch):
            raise self.wrong(f"{len(data)} embeddings for {len(batch)} texts")
        try:
            in_order = sorted(data, key=lambda item: item.get("index") or 0)
            rows = np.array([item["embedding"] for item in in_order], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            raise self.wrong("embeddings that are no lists of numbers of one length") from None
        lengths = np.linalg.norm(rows, axis=-1)
        if rows.ndim != 2 or not np.isfinite(lengths).all() or not lengths.all():
            raise self.wrong("an embedding that is empty, zero or not finite")
        unit: NDArray[np.float64] = rows / lengths[:, None]
        return unit


class RemoteReranker(_ProviderModel):
    """Scores with a reranker of any provider that litellm knows."""

    does = "rerank"
    most_texts = block_texts = 100

    def relevance(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),)."""
        pieces = [self.parts(text, query=query) for text in texts]
        every = [part for parts in pieces for part in parts]
        return best_of_parts(self.read_all(every, lambda batch: self._scores(query, batch)), pieces)

    def _scores(self, query: str, batch: Sequence[str]) -> NDArray[np.float64]:
        """Shape (texts,): a reply's scores in the order of the texts."""
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
        try:
            found = [(int(each["index"]), float(each["relevance_score"])) for each in reply.results or []]
        except (ValueError, TypeError, KeyError):
            raise self.wrong("results that have no index and score") from None
        if sorted(index for index, _ in found) != list(range(len(batch))):
            raise self.wrong(f"other results than one for each of {len(batch)} texts")
        scores = np.array([score for _, score in sorted(found)])
        if not np.isfinite(scores).all():
            raise self.wrong("a score that is not finite")
        return scores
