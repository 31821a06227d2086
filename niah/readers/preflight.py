"""What is asked of an endpoint before any work: whether it is there, has the model, and how much that holds.

Asked with what Python brings, since no client is loaded for it. What cannot be known (no list of models, no
reply, a reply that takes long) is no mistake.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from http.client import HTTPException
from typing import Any, Protocol, runtime_checkable
from urllib.error import HTTPError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener, getproxies

from niah.errors import ReaderConfigError
from niah.readers.fatal import is_unknown_model
from niah.readers.outcomes import Fault, fault_in_reply, one_line
from niah.readers.redaction import redact, without_credentials

_CONNECT_S = 10.0
_LONGEST_S = 5.0
_BETWEEN_BYTES_S = 3.0
_LARGEST_REPLY = 4 * 2**20
_LARGEST_FAULT = 2**16
_SHOWN_MODELS = 5
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_POSSIBLE_WINDOW = range(256, 10**9)


def checked_address(address: str, what: str, example: str) -> str:
    """An address of the web, without spaces around it. Raises ReaderConfigError, which names ``what``."""
    try:
        parts = urlsplit(address.strip())
        parts.port  # noqa: B018 - raises when it is no number
        # urlsplit overlooks line breaks, and what comes after one may be taken for another header.
        clean = address.strip().isprintable() and " " not in address.strip()
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and clean
    except ValueError:
        whole = False
    if not whole:
        start, at, rest = address.partition("?")[0].rpartition("@")
        shown = f"***{at}{rest}" if start else rest  # it may hold a password
        remedy = f"Give the endpoint's address with its scheme, such as {example}."
        raise ReaderConfigError(f"{what} {shown!r} is no web address.", remedy)
    return address.strip()


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
    return urlsplit(address).hostname in _LOOPBACK


@dataclass(frozen=True)
class ServedWindow:
    """A model's window in tokens, prompt and answer together; ``source`` is an address or a table's name."""

    tokens: int
    source: str


@runtime_checkable
class Served(Protocol):
    """A reader whose endpoint can be asked about its model."""

    def served_window(self) -> ServedWindow | None:
        """The window that the endpoint states; None where it states none, or does not answer. Asked once."""
        ...

    def check_model(self) -> str:
        """What is odd about the model, "" for nothing; ReaderConfigError where there is none of that name."""
        ...


class Preflight:
    """Short questions to one endpoint.

    Args:
        api_base: up to and with ``/v1``; user and password in it are not sent, a query is.
        model: as the endpoint knows it.
        headers: that go with every request.
        secrets: what no message may hold, should the endpoint echo it.
    """

    def __init__(
        self, api_base: str, model: str, headers: Mapping[str, str], secrets: Collection[str]
    ) -> None:
        parts = urlsplit(api_base)
        self._parts = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
        self._path = parts.path.rstrip("/")
        self._shown, self._model = without_credentials(api_base), model
        self._headers, self._secrets = dict(headers), secrets
        proxies = [ProxyHandler({})] if is_loopback(api_base) else []
        self._opener = build_opener(*proxies, _NoRedirects)

    def check_model(self) -> str:
        """A line where the endpoint answers though the model is not on its list, "" otherwise.

        A list of models alone proves nothing: llama.cpp's server takes any name, and gateways list a part of
        what they have. So a model that is not listed is asked one short question. Raises ReaderConfigError
        where the endpoint has no such model, or is not there but at ``/v1`` below.
        """
        try:
            names = self._listed(self._path)
            if names is None:
                self._look_below()
            elif self._model not in names:
                fault = self._refusal()
                listed = redact(told_models(self._model, names), self._secrets)
                if fault and is_unknown_model(fault):
                    says = one_line(redact(fault.message, self._secrets)).rstrip(".")
                    problem = f"{self._shown} has no model {self._model!r}: HTTP {fault.status}: {says}."
                    raise ReaderConfigError(
                        problem, f"It has: {listed}" if names else "Correct the model's name."
                    )
                if fault is None and names:
                    asked = f"{self._shown} answers to {self._model!r}"
                    return f"{asked}, which is not on its list of models: {listed}"
        except (OSError, HTTPException):
            pass
        return ""

    def window(self) -> ServedWindow | None:
        """The window that the endpoint, or the server that it belongs to, states; None where neither does.

        vLLM and SGLang have it in the list of models, llama.cpp in ``/props``, LM Studio and Ollama in lists
        of their own. What a model was trained for says nothing of the memory that it was given.
        """
        model = self._model
        places = (
            (f"{self._path}/models", "data", "id", ("max_model_len", "context_length", "context_window")),
            ("/props", "", "", ("n_ctx",)),
            ("/api/v0/models", "data", "id", ("loaded_context_length",)),
            ("/api/ps", "models", "name model", ("context_length",)),
        )
        for path, under, called, names in places:
            try:
                body = self._json(path)
            except HTTPError:
                continue
            except (OSError, HTTPException):  # nothing answers, and will not for the next question
                return None
            entries = _entries(body, under, called.split(), (model, f"{model}:latest"))
            found = [entry.get(name) for entry in entries for name in names]
            for tokens in found:
                if type(tokens) is int and tokens in _POSSIBLE_WINDOW:
                    return ServedWindow(tokens, urlunsplit(self._parts._replace(path=path, query="")))
        return None

    def _look_below(self) -> None:
        """Raise ReaderConfigError where the address lacks its ``/v1``."""
        below = f"{self._path}/v1"
        if self._listed(below) is not None and (fault := self._refusal()) and fault.status == 404:
            address = without_credentials(urlunsplit(self._parts._replace(path=below)))
            problem = f"{self._shown} answers HTTP 404, and {address} is an OpenAI-compatible endpoint."
            raise ReaderConfigError(problem, "Add /v1 to the address.")

    def _listed(self, base: str) -> list[str] | None:
        """The models that are listed there; None where none are. Raises OSError where nothing replies."""
        try:
            return models_in(self._json(f"{base}/models"))
        except HTTPError:
            return None

    def _refusal(self) -> Fault | None:
        """What the endpoint has against a short question to the model; None where it answers it."""
        question = {
            "model": self._model,
            "messages": [{"role": "user", "content": "Say OK."}],
            "max_tokens": 16,
        }
        try:
            self._json(f"{self._path}/chat/completions", question)
        except HTTPError as error:
            text = error.read(_LARGEST_FAULT)
            try:
                return fault_in_reply(error.code, json.loads(text))
            except (ValueError, RecursionError):
                return fault_in_reply(error.code, text.decode(errors="replace"))
        return None

    def _json(self, path: str, question: object = None) -> Any:
        """The JSON of a reply; None of what is none, is far too long, or takes too long.

        Raises HTTPError for a reply that is no success, OSError or HTTPException for none at all.
        """
        address = urlunsplit(self._parts._replace(path=path))
        body = None if question is None else json.dumps(question).encode()
        request = Request(address, body, {**self._headers, "Content-Type": "application/json"})
        until, text = time.monotonic() + _LONGEST_S, b""
        with self._opener.open(request, timeout=_BETWEEN_BYTES_S) as reply:
            while part := reply.read1(2**16):
                text += part
                if len(text) > _LARGEST_REPLY or time.monotonic() > until:
                    return None
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None


class _NoRedirects(HTTPRedirectHandler):
    """The key is for this address."""

    def redirect_request(self, *request: object) -> None:
        return None


def models_in(body: object) -> list[str] | None:
    """The names in a reply to ``GET /models``; None where it is no list of models."""
    listed = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(listed, list):
        return None
    return [each["id"] for each in listed if isinstance(each, Mapping) and isinstance(each.get("id"), str)]


def told_models(model: str, names: Sequence[str]) -> str:
    """The first of an endpoint's models, and the nearest of all: "qwen3, smol; did you mean 'smol'?"."""
    more = ", ..." if len(names) > _SHOWN_MODELS else ""
    meant = [f"did you mean {near!r}?" for near in get_close_matches(model, names, n=1)]
    return one_line("; ".join([", ".join(names[:_SHOWN_MODELS]) + more, *meant]))


def _entries(
    body: object, under: str, called: Sequence[str], names: Sequence[str]
) -> Iterator[Mapping[str, Any]]:
    """The entries of a list that are of the model; llama.cpp's only one where there is no list."""
    if not isinstance(body, Mapping):
        return
    if not under:
        settings = body.get("default_generation_settings")
        yield settings if isinstance(settings, Mapping) else {}
        return
    listed = body.get(under)
    for name in names:
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, Mapping) and name in (entry.get(key) for key in called):
                yield entry
