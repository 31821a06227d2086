"""The request body of a completion, in the dialect that an endpoint understands. Pure; no I/O.

OpenAI's reasoning models take ``max_completion_tokens`` and no ``temperature``; strict endpoints know no
``seed``; some chat templates know no system message; some endpoints take a JSON schema, some any JSON object,
some neither. The model's name does not say which: the endpoint's own complaint decides, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from niah.readers.outcomes import Fault
from niah.readers.reader import Request

# Where a message need not be about the request at all, or a name is an English word as well.
_COMPLAINT = re.compile(
    r"unsupported|support|unrecognized|unknown|unexpected|permitted|allowed|invalid|deprecated|accept|available"
    r"|\bonly\b|must|cannot|extra|removed|disabled|not enabled",
    re.I,
)
_UNKNOWN = re.compile(
    r"max_completion_tokens|unsupported|not support|unrecogni|unknown|unexpected|permitted|extra|deprecated",
    re.I,
)
# A request loses so little by doing without these that any mention of them will do.
_MENTIONS = (
    # "'response_format.type' must be 'json_schema' or 'text'" (LM Studio), "This response_format type is
    # unavailable now" (DeepSeek)
    (
        ("json_schema", "json_object"),
        r"response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]outputs?|grammar",
    ),
    # "System role not supported", "Conversation roles must alternate", "messages[0].role does not support
    # 'system'", "Developer instruction is not enabled for models/gemma-3-27b-it".
    (
        ("system",),
        r"\b(system|developer)['\"`]?[ _](role|message|prompt|instruction)|\.role\b|\broles? (is|are|must)\b"
        r"|\brole\W{1,3}(system|developer)\b|['\"`](system|developer)['\"`]|\bsystem is not\b",
    ),
)
_WORDS = ("stop", "seed", "thinking")
_OF_THE_CALLER = frozenset({401, 402, 403, 407, 429})
_NO_PARAMETERS = {"model", "messages", "prompt", "response_format", "max_completion_tokens"}
_MOVED = {"max_tokens", "system", "thinking"}
"""What an endpoint gets in another form in place of this one."""
_NAMED = {
    "json_schema": "response_format",
    "json_object": "response_format",
    "chat_template_kwargs": "thinking_tokens",
}
_CUE = "Answer:"
"""Without it, a base model would go on with the question."""


def request_body(model: str, request: Request, rejected: frozenset[str]) -> dict[str, Any]:
    """The body, without what the endpoint rejected before; a limit of thoughts is the caller's to add."""
    asked: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "max_completion_tokens": request.max_tokens if "max_tokens" in rejected else None,
        "temperature": request.temperature,
        "seed": request.seed,
        "top_p": request.top_p,
        "stop": list(request.stop) or None,
        "reasoning_effort": request.reasoning_effort or None,
        "messages": None if is_plain(request) else _messages(request, rejected),
        "prompt": _plain_text(request) if is_plain(request) else None,
    }
    if request.schema and "json_schema" not in rejected:
        schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.schema and "json_object" not in rejected:
        asked["response_format"] = {"type": "json_object"}
    body = {"model": model} | {key: value for key, value in asked.items() if value is not None}
    return {key: value for key, value in (body | dict(request.extra_body)).items() if key not in rejected}


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
            if name == "max_tokens" and not _UNKNOWN.search(said):
                continue  # too large, which is no wonder
            called = re.escape(name).replace("_", "[_ -]?")
            if name == "chat_template_kwargs":  # "chat_template is not supported for Mistral tokenizers."
                called = rf"{called}|chat[_ -]?template"
            if not complains and name in _WORDS:
                called = rf"['\"`]({called})['\"`]"
            if found := re.search(rf"(?<![\w-])({called})(?![\w-])", said, re.I):
                places[name] = found.start()
        if places:
            return min(places, key=lambda name: places[name])
    for names, words in _MENTIONS:
        asked = request.system if names == ("system",) else request.schema
        left = [name for name in names if asked and name not in rejected]
        if left and re.search(words, said, re.I):
            return left[0]
    return None


def _plain_text(request: Request) -> str:
    """System and prompt as one text that an answer goes on from."""
    text = f"{request.system}\n\n{request.prompt}" if request.system else request.prompt
    return text if text.rstrip().endswith(":") else f"{text.rstrip()}\n\n{_CUE}"


def _messages(request: Request, rejected: frozenset[str]) -> list[dict[str, str]]:
    """The system message, if there is one, and the others; in the first where the endpoint takes none."""
    first, *others = request.turns or (request.prompt,)
    in_first = request.system and "system" in rejected
    texts = [f"{request.system}\n\n{first}" if in_first else first, *others]
    messages = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
    own_message = request.system and not in_first
    return [{"role": "system", "content": request.system}, *messages] if own_message else messages


def not_taken_line(name: str, settings: Mapping[str, str | int]) -> str:
    """That a model was asked without what its endpoint does not take, one line; "" for nothing."""
    left_out = {*str(settings.get("not_sent", "")).split(", ")} - _MOVED - {""}
    names = sorted({_NAMED.get(each, each) for each in left_out})
    return f"{name} does not take {', '.join(names)}: it was asked without." if names else ""
