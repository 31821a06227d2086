"""How many tokens a model behind an endpoint holds, as the endpoint says it: prompt and answer together.

OpenAI's list of models has no field for it. Servers have their own: vLLM and SGLang ``max_model_len`` in that
list, llama.cpp's ``n_ctx`` in ``/props``, LM Studio and Ollama the length that a model was loaded with, in
lists of their own; gateways call it ``context_length`` or ``context_window``. What a model was trained for
(``n_ctx_train``, ``max_context_length``) says nothing of the memory that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Protocol, TypeGuard, runtime_checkable
from urllib.error import HTTPError
from urllib.parse import urlunsplit
from urllib.request import Request

from niah.readers.endpoint.plain_http import json_reply, opener_for, parts_without_user

_POSSIBLE = range(256, 10**9)


@dataclass(frozen=True)
class ServedWindow:
    """What somebody says of a model's window.

    Attributes:
        tokens: of prompt and answer together.
        source: who says it: an address without secrets, or the name of a table.
    """

    tokens: int
    source: str


@runtime_checkable
class SaysWindow(Protocol):
    """A reader whose endpoint can be asked."""

    def served_window(self) -> ServedWindow | None:
        """What the endpoint says; None where it does not, or does not answer. It is asked once."""
        ...


def ask_window(api_base: str, model: str, headers: Mapping[str, str]) -> ServedWindow | None:
    """Ask an endpoint, and the server that it belongs to; None where neither says it.

    Args:
        api_base: up to and with ``/v1``; user and password in it are not sent, a query is.
        model: as the endpoint knows it.
        headers: that go with every request.
    """
    parts, opener = parts_without_user(api_base), opener_for(api_base)
    own = parts.path.rstrip("/")
    for path, read in ((f"{own}/models", _of_models), *_OTHERS):
        address = urlunsplit(parts._replace(path=path))
        try:
            body = json_reply(opener, Request(address, headers=dict(headers)))
        except HTTPError:
            continue
        except (OSError, HTTPException):  # nobody is there, and will not be for the next question
            return None
        tokens = next((each for each in read(body, model) if _is_window(each)), None)
        if tokens is not None:
            return ServedWindow(tokens, urlunsplit(parts._replace(path=path, query="")))
    return None


def _is_window(value: object) -> TypeGuard[int]:
    return type(value) is int and value in _POSSIBLE


def _field(body: object, *names: str) -> object:
    """What stands under the names, one inside the other."""
    for name in names:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def _entries(body: object, under: str, model: str, *called: str) -> Iterator[object]:
    """The entries of a list that are of the model."""
    listed = _field(body, under)
    for entry in listed if isinstance(listed, list) else ():
        if model in (_field(entry, name) for name in called):
            yield entry


def _of_models(body: object, model: str) -> Iterator[object]:
    for entry in _entries(body, "data", model, "id"):
        for name in ("max_model_len", "context_length", "context_window"):
            yield _field(entry, name)


def _of_llama_cpp(body: object, model: str) -> Iterator[object]:
    yield _field(body, "default_generation_settings", "n_ctx")


def _of_lm_studio(body: object, model: str) -> Iterator[object]:
    for entry in _entries(body, "data", model, "id"):
        yield _field(entry, "loaded_context_length")


def _of_ollama(body: object, model: str) -> Iterator[object]:
    for name in (model, f"{model}:latest"):
        for entry in _entries(body, "models", name, "name", "model"):
            yield _field(entry, "context_length")


_OTHERS: tuple[tuple[str, Callable[[object, str], Iterator[object]]], ...] = (
    ("/props", _of_llama_cpp),
    ("/api/v0/models", _of_lm_studio),
    ("/api/ps", _of_ollama),
)
