"""The request body of a chat completion, in the dialect that an endpoint understands. Pure; no I/O.

Endpoints disagree on three parameters: OpenAI's reasoning models take ``max_completion_tokens`` in place
of ``max_tokens`` and no ``temperature``, and strict endpoints know no ``seed``. None can be told from the
model's name for sure, so the endpoint's own complaint decides, once.
"""

from __future__ import annotations

import re
from typing import Any

from niah.readers.outcomes import Fault
from niah.readers.reader import Request

_NEGOTIABLE = ("max_tokens", "temperature", "seed")
_COMPLAINT = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown|unexpected|not permitted|not allowed",
    re.IGNORECASE,
)


def chat_body(model: str, request: Request, rejected: frozenset[str]) -> dict[str, Any]:
    """The body, without the parameters that the endpoint rejected before."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "user", "content": request.prompt}],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
    }
    if "max_tokens" in rejected:
        body["max_completion_tokens"] = request.max_tokens
    return {key: value for key, value in body.items() if key not in rejected}


def rejected_parameter(fault: Fault) -> str | None:
    """The parameter that a fault complains of, if it is one that can be done without."""
    if fault.status not in (400, 422) or not _COMPLAINT.search(fault.message):
        return None
    return next((name for name in _NEGOTIABLE if re.search(rf"\b{name}\b", fault.message)), None)
