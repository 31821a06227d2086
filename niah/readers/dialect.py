"""The request body of a completion, in the dialect that an endpoint understands. Pure; no I/O.

OpenAI's reasoning models take ``max_completion_tokens`` and no ``temperature``; strict endpoints know no
``seed``; some chat templates know no system message; some endpoints take a JSON schema, some any JSON object,
some neither. The model's name does not say which: the endpoint's own complaint decides, once.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from niah.readers.outcomes import Fault
from niah.readers.reader import Request, Response

# Where a message need not be about the request at all, or a name is an English word as well.
_COMPLAINT = re.compile(
    r"unsupported|support|unrecognized|unknown|unexpected|permitted|allowed|invalid|deprecated|accept|available"
    r"|\bonly\b|must|cannot|extra|removed|disabled|not enabled",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"max_completion_tokens|unsupported|not support|unrecogni|unknown|unexpected|permitted|extra|deprecated",
    re.IGNORECASE,
)
_WORDS = ("stop", "seed", "thinking")
_OF_THE_CALLER = frozenset({401, 402, 403, 407, 429})
_NO_PARAMETERS = {"model", "messages", "prompt", "response_format", "max_completion_tokens"}
# "chat_template is not supported for Mistral tokenizers."
_ALSO_CALLED = {"chat_template_kwargs": ("chat_template",)}
# "'response_format.type' must be 'json_schema' or 'text'" (LM Studio), "This response_format type is
# unavailable now" (DeepSeek): a request loses so little by doing without that any mention will do.
_ABOUT_FORMAT = re.compile(
    r"response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]outputs?|grammar", re.IGNORECASE
)
_FORMATS = ("json_schema", "json_object")
_CUE = "Answer:"
"""Without it, a base model would go on with the question."""
# "System role not supported", "Conversation roles must alternate", "messages[0].role does not support
# 'system'", "Developer instruction is not enabled for models/gemma-3-27b-it".
_ABOUT_SYSTEM = re.compile(
    r"\b(system|developer)['\"`]?[ _](role|message|prompt|instruction)|\.role\b|\broles? (is|are|must)\b"
    r"|\brole\W{1,3}(system|developer)\b|['\"`](system|developer)['\"`]|\bsystem is not\b",
    re.IGNORECASE,
)


def request_body(model: str, request: Request, rejected: frozenset[str]) -> dict[str, Any]:
    """The body, without what the endpoint rejected before; a limit of thoughts is the caller's to add."""
    asked = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
        "top_p": request.top_p,
        "stop": list(request.stop) or None,
        "reasoning_effort": request.reasoning_effort or None,
    }
    if "max_tokens" in rejected:
        asked["max_completion_tokens"] = request.max_tokens
    text: dict[str, Any] = {"messages": chat_messages(request, rejected)}
    if is_plain(request):
        text = {"prompt": plain_text(request)}
    body: dict[str, Any] = {"model": model, **text, **_response_format(request, rejected)}
    body |= {key: value for key, value in asked.items() if value is not None} | dict(request.extra_body)
    return {key: value for key, value in body.items() if key not in rejected}


def is_plain(request: Request) -> bool:
    """Whether the prompt is plain text to be gone on with, and no message of a chat."""
    return request.mode == "completion"


def template_switch(request: Request) -> dict[str, Any]:
    """The switch for thinking of chat templates (vLLM, SGLang, llama.cpp); {} where nothing is asked for."""
    if request.thinking_tokens is None or is_plain(request):
        return {}
    thinks = request.thinking_tokens > 0
    return {"chat_template_kwargs": {"enable_thinking": thinks, "thinking": thinks}}


def thinking_budget(request: Request) -> dict[str, Any]:
    """The budget of thoughts as Anthropic has it, which litellm translates for others; empty without one."""
    if request.thinking_tokens is None:
        return {}
    return {"thinking": {"type": "enabled", "budget_tokens": request.thinking_tokens}}


def rejected_parameter(fault: Fault, request: Request, rejected: frozenset[str]) -> str | None:
    """What a fault complains of, if it was sent (not in ``rejected``) and can be left out."""
    status, said = fault.status or 0, fault.message
    if status < 400 or status in _OF_THE_CALLER or fault.outcome != "reader_error":
        return None
    complains = _COMPLAINT.search(said)
    if complains or status in (400, 422):
        places = {}
        sent = request_body("", request, rejected).keys() - _NO_PARAMETERS
        sent |= set() if request.thinking_tokens is None else {"thinking", "chat_template_kwargs"} - rejected
        for name in sent:
            called = "|".join(map(re.escape, (name, *_ALSO_CALLED.get(name, ())))).replace("_", "[_ -]?")
            if name == "max_tokens" and not _UNKNOWN.search(said):
                continue  # too large, which is no wonder
            quoted = called if complains or name not in _WORDS else rf"['\"`]({called})['\"`]"
            if found := re.search(rf"(?<![\w-])({quoted})(?![\w-])", said, re.IGNORECASE):
                places[name] = found.start()
        if places:
            return min(places, key=lambda name: places[name])
    if _ABOUT_FORMAT.search(said) and (kind := _format(request, rejected)):
        return kind
    if request.system and "system" not in rejected and _ABOUT_SYSTEM.search(said):
        return "system"
    return None


def plain_text(request: Request) -> str:
    """System and prompt as one text that an answer goes on from."""
    text = f"{request.system}\n\n{request.prompt}" if request.system else request.prompt
    return text if text.rstrip().endswith(":") else f"{text.rstrip()}\n\n{_CUE}"


def chat_messages(request: Request, rejected: frozenset[str]) -> list[dict[str, str]]:
    """The system message, if there is one, and the others; in the first where the endpoint takes none."""
    first, *others = request.turns or (request.prompt,)
    if request.system and "system" in rejected:
        first = f"{request.system}\n\n{first}"
    roles = ("assistant" if number % 2 == 0 else "user" for number in range(len(others)))
    messages = [{"role": "user", "content": first}]
    messages += [{"role": role, "content": text} for role, text in zip(roles, others, strict=True)]
    if request.system and "system" not in rejected:
        return [{"role": "system", "content": request.system}, *messages]
    return messages


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


_MOVED = {"max_tokens", "system", "thinking"}
"""What an endpoint gets in another form in place of this one."""
_NAMED = {
    "json_schema": "response_format",
    "json_object": "response_format",
    "chat_template_kwargs": "thinking_tokens",
}


def not_taken_line(name: str, settings: Mapping[str, str | int]) -> str:
    """That a model was asked without what its endpoint does not take, one line; "" for nothing."""
    left_out = {*str(settings.get("not_sent", "")).split(", ")} - _MOVED - {""}
    names = sorted({_NAMED.get(each, each) for each in left_out})
    return f"{name} does not take {', '.join(names)}: it was asked without." if names else ""


Attempt = Callable[[Request, frozenset[str]], Awaitable[Response | Fault]]


class Negotiation:
    """What one endpoint has rejected so far."""

    def __init__(self) -> None:
        self._rejected: frozenset[str] = frozenset()

    @property
    def settings(self) -> dict[str, str | int]:
        """``not_sent`` names what the endpoint turned out to reject; empty while it has rejected nothing."""
        return {"not_sent": ", ".join(sorted(self._rejected))} if self._rejected else {}

    def leave_out(self, names: Iterable[str]) -> None:
        """Ask without these from now on: they are known not to be taken."""
        self._rejected |= set(names)

    async def ask(self, attempt: Attempt, request: Request) -> Response | Fault:
        """One attempt, repeated at once while the endpoint rejects one more field; what helped stays out."""
        sent = self._rejected
        while True:
            result = await attempt(request, sent)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                break
            sent |= {parameter} | self._rejected  # others that ask at the same time may have learnt more
        if not isinstance(result, Fault) or result.outcome == "overflow":
            self._rejected |= sent
        return result
