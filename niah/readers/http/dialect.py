"""The request body of a chat completion, in the dialect that an endpoint understands. Pure; no I/O.

Endpoints disagree. OpenAI's reasoning models take ``max_completion_tokens`` in place of ``max_tokens`` and
no ``temperature``; strict endpoints know no ``seed``; some chat templates know no system message; some
endpoints take a JSON schema for the reply, some only "any JSON object", some neither. None can be told from
the model's name for sure, so the endpoint's own complaint decides, once.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from niah.readers.http.outcomes import Fault
from niah.readers.reader import Request, Response

_COMPLAINT = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown|unexpected|not permitted|not allowed",
    re.IGNORECASE,
)
_PARAMETERS = ("max_tokens", "temperature", "seed")
# "'response_format.type' must be 'json_schema' or 'text'" (LM Studio), "This response_format type is
# unavailable now" (DeepSeek): a request loses so little by doing without that any mention will do.
_ABOUT_FORMAT = re.compile(
    r"response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]outputs?|grammar", re.IGNORECASE
)
_FORMATS = ("json_schema", "json_object")
# "System role not supported", "Conversation roles must alternate", "messages[0].role does not support
# 'system'", "Developer instruction is not enabled for models/gemma-3-27b-it".
_ABOUT_SYSTEM = re.compile(
    r"\b(system|developer)['\"]? (role|message|prompt|instruction)|\.role\b|\broles? (is|are|must)\b",
    re.IGNORECASE,
)


def chat_body(model: str, request: Request, rejected: frozenset[str]) -> dict[str, Any]:
    """The body, without what the endpoint rejected before."""
    body: dict[str, Any] = {
        "model": model,
        "messages": _messages(request, rejected),
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
    } | _response_format(request, rejected)
    if "max_tokens" in rejected:
        body["max_completion_tokens"] = request.max_tokens
    return {key: value for key, value in body.items() if key not in rejected}


def rejected_parameter(fault: Fault, request: Request, rejected: frozenset[str]) -> str | None:
    """What a fault complains of, if it was sent and can be done without.

    Args:
        fault: the endpoint's reply.
        request: what was asked.
        rejected: what the endpoint had rejected before it was sent.
    """
    if fault.status not in (400, 422):
        return None
    if _COMPLAINT.search(fault.message):
        for name in _PARAMETERS:
            if re.search(rf"\b{name}\b", fault.message):
                return name if name not in rejected else None
    if _ABOUT_FORMAT.search(fault.message) and (kind := _format(request, rejected)):
        return kind
    if request.system and "system" not in rejected and _ABOUT_SYSTEM.search(fault.message):
        return "system"
    return None


def _messages(request: Request, rejected: frozenset[str]) -> list[dict[str, str]]:
    """The system message, if there is one, and the user's; in one where the endpoint takes no system's."""
    if not request.system:
        return [{"role": "user", "content": request.prompt}]
    if "system" in rejected:
        return [{"role": "user", "content": f"{request.system}\n\n{request.prompt}"}]
    return [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}]


def _response_format(request: Request, rejected: frozenset[str]) -> dict[str, Any]:
    """The ``response_format`` entry of a body: the request's schema, else "a JSON object", else none."""
    kind = _format(request, rejected)
    if kind != "json_schema":
        return {"response_format": {"type": kind}} if kind else {}
    schema = {"name": "reply", "strict": True, "schema": dict(request.schema or {})}
    return {"response_format": {"type": kind, "json_schema": schema}}


def _format(request: Request, rejected: frozenset[str]) -> str | None:
    """The most of ``_FORMATS`` that the endpoint may take; None for free text."""
    return next((kind for kind in _FORMATS if request.schema and kind not in rejected), None)


Attempt = Callable[[Request, frozenset[str]], Awaitable[Response | Fault]]


class Negotiation:
    """What one endpoint has rejected so far."""

    def __init__(self) -> None:
        self._rejected: frozenset[str] = frozenset()

    @property
    def settings(self) -> dict[str, str | int]:
        """``not_sent`` names what the endpoint turned out to reject; empty while it has rejected nothing."""
        return {"not_sent": ", ".join(sorted(self._rejected))} if self._rejected else {}

    async def ask(self, attempt: Attempt, request: Request) -> Response | Fault:
        """One attempt, repeated at once while the endpoint rejects one more dispensable thing."""
        while True:
            sent = self._rejected  # others that ask at the same time may learn something meanwhile
            result = await attempt(request, sent)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                return result
            self._rejected |= {parameter}
