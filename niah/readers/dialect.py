"""The body of a completion, in the dialect that an endpoint understands: its own complaints decide, once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from niah.readers.outcomes import Fault
from niah.readers.reader import Request

# Where a message need not be about the request at all, or a name is an English word as well.
_COMPLAINT = re.compile(
    r"(?i)support|unrecognized|unknown|unexpected|permitted|allowed|invalid|deprecated|accept|available"
    r"|\bonly\b|must|cannot|extra|removed|disabled|not enabled"
)
_UNKNOWN = re.compile(
    r"(?i)max_completion|unsupported|not support|unrecogni|unknown|unexpected|permitted|extra|deprecated"
)
# A request loses so little by doing without these that any mention of them will do:
# "'response_format.type' must be 'json_schema' or 'text'" (LM Studio); "System role not supported",
# "Conversation roles must alternate", "messages[0].role does not support 'system'".
_FORMAT = re.compile(r"(?i)response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]output|grammar")
_ROLE = re.compile(
    r"(?i)\b(system|developer)['\"`]?[ _](role|message|prompt|instruction)|\.role\b|\broles? (is|are|must)\b"
    r"|\brole\W{1,3}(system|developer)\b|['\"`](system|developer)['\"`]|\bsystem is not\b"
)
_WORDS = ("stop", "seed", "thinking")
_NO_PARAMETERS = {"model", "messages", "prompt", "response_format", "max_completion_tokens"}
_MOVED = {"max_tokens", "system", "thinking"}  # what an endpoint gets in another form instead
_NAMED = {
    **dict.fromkeys(("json_schema", "json_object"), "response_format"),
    "chat_template_kwargs": "thinking_tokens",
}


def request_body(
    model: str, request: Request, rejected: frozenset[str], thinking: Literal["", "template", "budget"] = ""
) -> dict[str, Any]:
    """The body without what the endpoint rejected before; ``thinking`` is its way to limit thoughts."""
    limit, is_plain = request.thinking_tokens, request.mode == "completion"
    asked: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "max_completion_tokens": request.max_tokens if "max_tokens" in rejected else None,
        "temperature": request.temperature,
        "seed": request.seed,
        "top_p": request.top_p,
        "stop": list(request.stop) or None,
        "reasoning_effort": request.reasoning_effort or None,
        "prompt_cache_key": None if thinking else request.prefix_key or None,
    }
    if is_plain:
        text = f"{request.system}\n\n{request.prompt}" if request.system else request.prompt
        # Without "Answer:", a base model would go on with the question.
        asked["prompt"] = text if text.rstrip().endswith(":") else f"{text.rstrip()}\n\nAnswer:"
    else:
        asked["messages"] = _messages(request, rejected)
        asked["tools"] = list(request.tools) or None
    if request.schema and "json_schema" not in rejected:
        schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.schema and "json_object" not in rejected:
        asked["response_format"] = {"type": "json_object"}
    if limit is not None and thinking == "template" and not is_plain:
        asked["chat_template_kwargs"] = {"enable_thinking": limit > 0, "thinking": limit > 0}
    if limit is not None and thinking == "budget":
        asked["thinking"] = {"type": "enabled", "budget_tokens": limit}
    body = {"model": model} | {key: value for key, value in asked.items() if value is not None}
    return {key: value for key, value in (body | dict(request.extra_body)).items() if key not in rejected}


def _messages(request: Request, rejected: frozenset[str]) -> list[dict[str, Any]]:
    """The system message, if there is one, and the others; in the first where the endpoint takes none."""
    texts, roles = request.turns or (request.prompt,), ("user", "assistant")
    messages: list[dict[str, Any]] = [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]
    if request.tools and "tools" not in rejected:
        messages = [dict(each) for each in request.messages]
    if request.system and "system" in rejected:
        messages[0]["content"] = f"{request.system}\n\n{messages[0]['content']}"
    if request.breakpoint:
        text = messages[0]["content"]
        end = request.breakpoint + len(text) - len(request.prompt)
        parts = [{"type": "text", "text": part} for part in (text[:end], text[end:]) if part.strip()]
        messages[0]["content"] = [parts[0] | {"cache_control": {"type": "ephemeral"}}, *parts[1:]]
    own_message = request.system and "system" not in rejected
    return [{"role": "system", "content": request.system}, *messages] if own_message else messages


def rejected_parameter(fault: Fault, request: Request, rejected: frozenset[str]) -> str | None:
    """What a fault complains of, if it was sent (not in ``rejected``) and can be left out."""
    status, said = fault.status or 0, fault.message
    if status < 400 or status in (401, 402, 403, 407, 429) or fault.outcome != "reader_error":
        return None
    complains, places = _COMPLAINT.search(said), {}
    sent = request_body("", request, rejected).keys() - _NO_PARAMETERS
    if request.thinking_tokens is not None:
        sent |= {"thinking", "chat_template_kwargs"} - rejected
    silent = {"tools"} & sent if status < 500 else ()  # what only breaks once is asked again as it was
    for name in sent if complains or status in (400, 422) else silent:
        if name == "max_tokens" and not _UNKNOWN.search(said):
            continue  # too large, which is no wonder
        called = re.escape(name).replace("_", "[_ -]?")
        if name == "tools":  # '"auto" tool choice requires --enable-auto-tool-choice'
            called = r"(?:function|tool)s?(?:[_ -]?(?:choice|use|call\w*))?"
        if name == "chat_template_kwargs":  # "chat_template is not supported for Mistral tokenizers."
            called = rf"{called}|chat[_ -]?template"
        if not complains and name in _WORDS:
            called = rf"['\"`]({called})['\"`]"
        if found := re.search(rf"(?<![\w-])({called})(?![\w-])", said, re.I):
            places[name] = found.start()
    if places:
        return min(places, key=lambda name: places[name])
    mentioned = ["json_schema", "json_object"] if request.schema and _FORMAT.search(said) else []
    mentioned += ["system"] if request.system and _ROLE.search(said) else []
    return next((name for name in mentioned if name not in rejected), None)


def not_taken_line(name: str, settings: Mapping[str, str | int]) -> str:
    """That a model was asked without what its endpoint does not take, one line; "" for nothing."""
    left_out = {*str(settings.get("not_sent", "")).split(", ")} - _MOVED - {""}
    names = sorted({_NAMED.get(each, each) for each in left_out})
    return f"{name} does not take {', '.join(names)}: it was asked without." if names else ""
