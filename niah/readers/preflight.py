"""What is asked of an endpoint before any work: whether it is there, has the model, and how much that holds.

What cannot be known (no list of models, no reply, a reply that takes long) is no mistake.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies

from niah.errors import ReaderConfigError, did_you_mean
from niah.readers.credentials import LOOPBACK
from niah.readers.fatal import is_unknown_model
from niah.readers.outcomes import Fault, fault_in_reply, one_line
from niah.readers.redaction import logs_redacted, redact, without_credentials

_CONNECT_S = 10.0
_LONGEST_S = 5.0
_BETWEEN_BYTES_S = 3.0
_LARGEST_REPLY = 4 * 2**20
_POSSIBLE_WINDOW = range(256, 10**9)


def checked_address(address: str, what: str, example: str) -> str:
    """An address of the web, without spaces around it. Raises ReaderConfigError, which names ``what``."""
    clean = address.strip()
    try:
        parts = urlsplit(clean)
        parts.port  # noqa: B018 - raises when it is no number
        # urlsplit overlooks line breaks, and what comes after one may be taken for another header.
        whole = (
            parts.scheme in ("http", "https") and parts.hostname and clean.isprintable() and " " not in clean
        )
    except ValueError:
        whole = False
    if whole:
        return clean
    start, at, rest = address.partition("?")[0].rpartition("@")
    shown = f"***{at}{rest}" if start else rest  # it may hold a password
    remedy = f"Give the endpoint's address with its scheme, such as {example}."
    raise ReaderConfigError(f"{what} {shown!r} is no web address.", remedy)


def why_nothing_listens(address: str) -> str | None:
    """Why no connection is made, in words; None where one is made, and behind a proxy, which hides it."""
    parts = urlsplit(address)
    if getproxies() and not is_loopback(address):
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_CONNECT_S).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def is_loopback(address: str) -> bool:
    """Whether the address is of this very machine."""
    return urlsplit(address).hostname in LOOPBACK


@dataclass(frozen=True)
class ServedWindow:
    """A model's window in tokens, prompt and answer together; ``source`` is an address or a table's name."""

    tokens: int
    source: str


@runtime_checkable
class Served(Protocol):
    """A reader whose endpoint can be asked about its model, as ``Preflight`` does."""

    def served_window(self) -> ServedWindow | None:
        """The window that the endpoint states; None where it states none. Asked once."""

    def check_model(self) -> str:
        """What is odd about the model, "" for nothing; ReaderConfigError where there is none of that name."""


# Where servers state a window: path, key of the list ("" for llama.cpp's settings), names of an entry's name
# and of its window.
_WINDOWS = (
    ("{v1}/models", "data", ("id",), ("max_model_len", "context_length", "context_window")),  # vLLM, SGLang
    ("/props", "", (), ("n_ctx",)),  # llama.cpp
    ("/api/v0/models", "data", ("id",), ("loaded_context_length",)),  # LM Studio
    ("/api/ps", "models", ("name", "model"), ("context_length",)),  # Ollama
)


@dataclass(frozen=True)
class Preflight:
    """Short questions to one endpoint; no message holds the ``secrets``, should it echo them."""

    api_base: str
    model: str
    headers: Mapping[str, str]
    secrets: Collection[str]

    def check_model(self) -> str:
        """A line where the endpoint answers though the model is not on its list, "" otherwise.

        A list of models alone proves nothing: llama.cpp's server takes any name, and gateways list a part of
        what they have. So a model that is not listed is asked one short question. Raises ReaderConfigError
        where the endpoint has no such model, or nothing at that address.
        """
        shown = without_credentials(self.api_base)
        status, body = self._ask(f"{self._path}/models")
        names = models_in(body) if status == 200 else None
        if self.model in (names or ()) or (names is None and status != 404):
            return ""
        fault, listed = self._refusal(), redact(one_line(did_you_mean(self.model, names or ())), self.secrets)
        if fault and (is_unknown_model(fault) or (names is None and fault.status == 404)):
            says = one_line(redact(fault.message, self.secrets)).rstrip(".")
            problem = f"{shown} has no model {self.model!r}: HTTP {fault.status}: {says}."
            raise ReaderConfigError(problem, listed or "Correct its name, or the address: most end in /v1.")
        if fault or not names:
            return ""
        return f"{shown} answers to {self.model!r}, which is not on its list of models. {listed}"

    def window(self) -> ServedWindow | None:
        """The window that the server states, or None; not the one that the model was trained for."""
        for form, under, called, names in _WINDOWS:
            path = form.format(v1=self._path)
            status, body = self._ask(path)
            if not status:  # nothing answers, and will not for the next question
                return None
            entries = self._entries(body, under, called) if status == 200 else []
            for tokens in (entry.get(name) for entry in entries for name in names):
                if type(tokens) is int and tokens in _POSSIBLE_WINDOW:
                    return ServedWindow(tokens, self._address(path, query=False))
        return None

    def _entries(self, body: object, under: str, called: Sequence[str]) -> list[Mapping[str, Any]]:
        """The entries of a list that are of the model; llama.cpp's only one where there is no list."""
        held = body.get(under or "default_generation_settings") if isinstance(body, Mapping) else None
        entries = [e for e in (held if isinstance(held, list) else [held]) if isinstance(e, Mapping)]
        if not under:
            return entries
        names = (self.model, f"{self.model}:latest")
        return [e for name in names for e in entries if name in (e.get(key) for key in called)]

    def _refusal(self) -> Fault | None:
        """What the endpoint has against a short question to the model; None where it answers, or nothing."""
        messages = [{"role": "user", "content": "Say OK."}]
        asked = {"model": self.model, "messages": messages, "max_tokens": 16}
        status, body = self._ask(f"{self._path}/chat/completions", asked)
        return fault_in_reply(status, body) if status >= 300 else None

    @property
    def _path(self) -> str:
        return urlsplit(self.api_base).path.rstrip("/")

    def _address(self, path: str, *, query: bool) -> str:
        parts = urlsplit(self.api_base)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, path, parts.query if query else "", ""))

    def _ask(self, path: str, question: object = None) -> tuple[int, Any]:
        """Status and body of a reply, as JSON or text; (0, None) where none comes, or a far too long one."""
        import httpx

        address, text = self._address(path, query=True), b""
        method, until = "POST" if question else "GET", time.monotonic() + _LONGEST_S
        proxied = not is_loopback(address)
        try:
            with (
                logs_redacted(self.secrets),
                httpx.Client(trust_env=proxied, timeout=_BETWEEN_BYTES_S, headers=self.headers) as client,
                client.stream(method, address, json=question) as reply,
            ):
                for part in reply.iter_bytes():
                    text += part
                    if len(text) > _LARGEST_REPLY or time.monotonic() > until:
                        return reply.status_code, None
        except httpx.HTTPError:
            return 0, None
        try:
            return reply.status_code, json.loads(text)
        except (ValueError, RecursionError):
            return reply.status_code, text.decode(errors="replace")


def models_in(body: object) -> list[str] | None:
    """The names in a reply to ``GET /models``; None where it is no list of models."""
    listed = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(listed, list):
        return None
    return [each["id"] for each in listed if isinstance(each, Mapping) and isinstance(each.get("id"), str)]
