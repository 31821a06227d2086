"""Whether an endpoint has a model, asked before any work, so that a mistyped name costs no trial.

A list of models alone proves nothing: llama.cpp's server takes any name, and gateways list a part of what
they have. A model that is not on the list is asked one short question, and what the endpoint says of that
counts.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from http.client import HTTPException
from typing import Any, Protocol, runtime_checkable
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlunsplit
from urllib.request import OpenerDirector, Request

from niah.errors import ReaderConfigError
from niah.readers.endpoint.plain_http import json_reply, opener_for, parts_without_user
from niah.readers.http.lasting import is_unknown_model
from niah.readers.http.outcomes import Fault, fault_in_reply, one_line
from niah.readers.redaction import redact, without_credentials

_SHOWN_MODELS = 5
_LARGEST_FAULT = 2**16
_NOT_FOUND = 404


@runtime_checkable
class ChecksModel(Protocol):
    """A reader whose endpoint can be asked whether it has the model."""

    def check_model(self) -> str:
        """What is odd about the model, "" for nothing; ReaderConfigError where there is none of that name."""
        ...


def models_in(body: object) -> list[str] | None:
    """The names in a reply to ``GET /models``; None where it is no list of models."""
    listed = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(listed, list):
        return None
    return [each["id"] for each in listed if isinstance(each, Mapping) and isinstance(each.get("id"), str)]


def told_models(model: str, names: Sequence[str]) -> str:
    """The first of an endpoint's models, and which of all is meant: "qwen3, smol; did you mean 'smol'?"."""
    more = ", ..." if len(names) > _SHOWN_MODELS else ""
    meant = [f"did you mean {near!r}?" for near in get_close_matches(model, names, n=1)]
    return one_line("; ".join([", ".join(names[:_SHOWN_MODELS]) + more, *meant]))


def refuse_unknown_model(
    api_base: str, model: str, headers: Mapping[str, str], secrets: Collection[str]
) -> str:
    """Raise ReaderConfigError where an endpoint has no such model, or is not there but at ``/v1`` below.

    Returns a line where it answers though the model is not on its list, "" otherwise.

    What cannot be told (no list of models, no reply, a reply that takes long) is no mistake.

    Args:
        api_base: up to and with ``/v1``; user and password in it are not sent, a query is.
        model: as the endpoint knows it.
        headers: that go with every request.
        secrets: what no message may hold, should the endpoint echo it.
    """
    parts, opener = parts_without_user(api_base), opener_for(api_base)
    shown = without_credentials(api_base)
    try:
        names = _listed(opener, parts, headers)
        if names is not None and model not in names:
            fault = _refusal(opener, parts, model, headers)
            if fault and is_unknown_model(fault):
                says = one_line(redact(fault.message, secrets)).rstrip(".")
                problem = f"{shown} has no model {model!r}: HTTP {fault.status}: {says}."
                raise ReaderConfigError(problem, redact(_remedy(model, names), secrets))
            if fault is None and names:
                listed = redact(told_models(model, names), secrets)
                return f"{shown} answers to {model!r}, which is not on its list of models: {listed}"
        below = parts._replace(path=f"{parts.path.rstrip('/')}/v1")
        if names is None and _listed(opener, below, headers) is not None:
            fault = _refusal(opener, parts, model, headers)
            if fault and fault.status == _NOT_FOUND:
                address = without_credentials(urlunsplit(below))
                problem = f"{shown} answers HTTP 404, and {address} is an OpenAI-compatible endpoint."
                raise ReaderConfigError(problem, "Add /v1 to the address.")
    except (OSError, HTTPException):
        pass
    return ""


def _remedy(model: str, names: Sequence[str]) -> str:
    return f"It has: {told_models(model, names)}" if names else "Correct the model's name."


def _listed(opener: OpenerDirector, parts: SplitResult, headers: Mapping[str, str]) -> list[str] | None:
    """The models that are listed there; None where none are. Raises OSError where nobody replies."""
    try:
        return models_in(json_reply(opener, _request(parts, "/models", headers)))
    except HTTPError:
        return None


def _refusal(
    opener: OpenerDirector, parts: SplitResult, model: str, headers: Mapping[str, str]
) -> Fault | None:
    """What the endpoint has against a short question to the model; None where it answers it."""
    question = {"model": model, "messages": [{"role": "user", "content": "Say OK."}], "max_tokens": 16}
    try:
        json_reply(opener, _request(parts, "/chat/completions", headers, question))
    except HTTPError as error:
        return fault_in_reply(error.code, _decoded(error.read(_LARGEST_FAULT)))
    return None


def _request(
    parts: SplitResult, path: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None
) -> Request:
    address = urlunsplit(parts._replace(path=parts.path.rstrip("/") + path))
    if body is None:
        return Request(address, headers=dict(headers))
    return Request(address, json.dumps(body).encode(), {**headers, "Content-Type": "application/json"})


def _decoded(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.decode(errors="replace")
