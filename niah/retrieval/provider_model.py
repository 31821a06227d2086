"""A model of any provider that embeds or reranks, asked through litellm, and given what it can read."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from niah.errors import ReaderConfigError, StrategyError
from niah.readers.credentials import load_dotenv_here, missing_key
from niah.readers.http.outcomes import Fault
from niah.readers.http.retries.patience import Patience, Waits
from niah.readers.litellm_reader import LiteLLMReader, fault_of_exception, import_litellm, provider_addresses
from niah.readers.redaction import secrets_in
from niah.readers.transport import asked_with
from niah.text.chunks import windows
from niah.text.embedding.sentence_encoder import WINDOW_OVERLAP
from niah.text.embedding.watch import sleep_watched
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Reply = TypeVar("_Reply")
_Number = TypeVar("_Number", np.float32, np.float64)

# Variables that litellm reads and its own check does not know; one of them is enough.
_KEYS = {
    "azure_ai/": ("AZURE_AI_API_KEY",),
    "jina_ai/": ("JINA_AI_API_KEY", "JINA_AI_TOKEN"),
}

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
# Once all attempts are used up, an endpoint that is gone is asked so often.
_BETWEEN_S = 15.0


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


class ProviderModel:
    """A model that litellm asks.

    Keys come from the environment or from a ``.env`` file in the working folder, addresses from the variables
    that litellm reads (``OPENAI_API_BASE``, ``VOYAGE_API_BASE``, ...).

    Args:
        name: litellm's, ``provider/model``.
        does: what it is asked to do, for messages ("embed").
        patience: limits of retries and time of one request; what ``asking_with`` says without it.
    """

    def __init__(self, name: str, does: str, patience: Patience | None = None) -> None:
        load_dotenv_here()
        self.name = name
        self._does = does
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
        patience, first_fault = self._patience, 0.0
        limits = {"timeout": patience.timeout_s, "num_retries": 0, "max_retries": 0}
        waits = Waits(patience)
        while True:
            started = time.perf_counter()
            try:
                return call(litellm, limits)
            # litellm wraps most failures, yet lets some of its providers' own through: ValueError, ...
            except Exception as error:
                fault = fault_of_exception(error, time.perf_counter() - started, secrets_in(os.environ))
            wait = waits.after(fault)
            first_fault = first_fault or started
            if wait is None and fault.transient and not fault.limited:  # it may be restarted meanwhile
                left = patience.gone_s - (time.perf_counter() - first_fault)
                wait = min(left, _BETWEEN_S) if left > 0 else None
            if wait is None:
                raise self._failed(fault, waits)
            sleep_watched(wait)

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

    def wrong(self, what: str, remedy: str) -> StrategyError:
        """The error that the provider's reply makes no sense."""
        return StrategyError(f"{self.name} answered with {what}.", remedy)

    def _failed(self, fault: Fault, waits: Waits) -> ReaderConfigError | StrategyError:
        said = waits.failure(fault).reason.rstrip(".")
        if fault.status in (401, 403):
            return ReaderConfigError(f"{self.name} refuses to {self._does}: {said}.", "Check its key.")
        problem = f"{self.name} could not {self._does}: {said}."
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
