"""How servers of models speak that cannot be installed here, behind a loopback address.

Each is what its server's documentation shows: the fields of a completion, the error of a prompt that is too
long, the list of models. The answers are always the same, and the window has 4,096 tokens. What is
got, and not posted, has no body.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import completion, serving

WINDOW = 4096
ANSWER = "Three lanterns."
_LETTERS_PER_TOKEN = 4

Body = dict[str, Any]
Says = tuple[int, Any]
"""Status and body of a reply."""
NOT_FOUND: Says = (404, {"error": "not found"})


def _prompt_tokens(body: Body) -> int:
    return len(json.dumps(body.get("messages") or body.get("contents") or "")) // _LETTERS_PER_TOKEN


def _room(body: Body) -> int:
    settings = body.get("generationConfig") or body
    asked = (
        settings.get(key)
        for key in ("max_tokens", "max_completion_tokens", "maxOutputTokens", "max_output_tokens")
    )
    return next((room for room in asked if room), 10**6)


def _ending(body: Body, whole: str, cut: str) -> tuple[str, str]:
    """The answer and why it ends: in less room than it takes, it is cut."""
    return (ANSWER, whole) if _room(body) >= 4 else (ANSWER[:6], cut)


def _openai(body: Body, **more: Any) -> Body:
    text, reason = _ending(body, "stop", "length")
    return completion(text, _prompt_tokens(body), 4, finish_reason=reason) | more


def vllm(path: str, body: Body) -> Says:
    """vLLM with a reasoning parser: thoughts in ``reasoning``, its window in the list of models."""
    if path == "/v1/models":
        return 200, {"object": "list", "data": [{"id": "m", "object": "model", "max_model_len": WINDOW}]}
    if not body:
        return NOT_FOUND
    asked = _prompt_tokens(body) + _room(body)
    if asked > WINDOW and _prompt_tokens(body) > WINDOW:
        message = (
            f"This model's maximum context length is {WINDOW} tokens. However, you requested {asked} tokens. "
            "Please reduce the length of the messages or completion."
        )
        return 400, {"error": {"message": message, "type": "BadRequestError", "param": None, "code": 400}}
    reply = _openai(body, prompt_logprobs=None, kv_transfer_params=None)
    message = reply["choices"][0]["message"]
    message |= {"reasoning_content": "They ask how many.", "tool_calls": [], "function_call": None}
    reply["choices"][0] |= {"stop_reason": None, "logprobs": None}
    reply["usage"]["completion_tokens"] = 10
    reply["usage"]["prompt_tokens_details"] = None
    return 200, reply


def lm_studio(path: str, body: Body) -> Says:
    """LM Studio: statistics beside the completion, errors that are plain text."""
    if path == "/v1/models":
        return 200, {
            "object": "list",
            "data": [{"id": "m", "object": "model", "owned_by": "organization_owner"}],
        }
    if path == "/api/v0/models":
        own = {"id": "m", "object": "model", "type": "llm", "arch": "llama", "state": "loaded"}
        return 200, {"data": [own | {"max_context_length": 131072, "loaded_context_length": WINDOW}]}
    if not body:
        return NOT_FOUND
    if _prompt_tokens(body) > WINDOW:
        message = (
            f"The number of tokens to keep from the initial prompt is greater than the context length "
            f"(n_keep: {_prompt_tokens(body)}>= n_ctx: {WINDOW})."
        )
        return 400, {"error": message}
    return 200, _openai(body, stats={}, system_fingerprint="m")


def ollama(path: str, body: Body) -> Says:
    """Ollama: what is longer than the window is cut in silence; usage counts what was read."""
    if path == "/v1/models":
        return 200, {"object": "list", "data": [{"id": "m", "object": "model", "owned_by": "library"}]}
    if path == "/api/ps":
        return 200, {"models": [{"name": "m:latest", "model": "m:latest", "context_length": WINDOW}]}
    if not body:
        return NOT_FOUND
    reply = _openai(body, system_fingerprint="fp_ollama")
    reply["usage"]["prompt_tokens"] = min(_prompt_tokens(body), WINDOW)
    return 200, reply


def anthropic(path: str, body: Body) -> Says:
    """Anthropic's messages."""
    if _prompt_tokens(body) > WINDOW:
        message = f"prompt is too long: {_prompt_tokens(body)} tokens > {WINDOW} maximum"
        return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
    text, reason = _ending(body, "end_turn", "max_tokens")
    return 200, {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": _prompt_tokens(body), "output_tokens": 4, "cache_read_input_tokens": 0},
    }


def gemini(path: str, body: Body) -> Says:
    """Gemini's generateContent, with a part that is a thought."""
    if _prompt_tokens(body) > WINDOW:
        message = (
            f"The input token count ({_prompt_tokens(body)}) exceeds the maximum number of tokens allowed "
            f"({WINDOW})."
        )
        return 400, {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}
    text, reason = _ending(body, "STOP", "MAX_TOKENS")
    parts = [{"text": "They ask how many.", "thought": True}, {"text": text}]
    return 200, {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": _prompt_tokens(body),
            "candidatesTokenCount": 4,
            "thoughtsTokenCount": 6,
            "totalTokenCount": _prompt_tokens(body) + 10,
        },
        "modelVersion": "gemini-2.5-flash",
    }


Speaks = Callable[[str, Body], Says]
DIALECTS: Mapping[str, Speaks] = {
    "vLLM": vllm,
    "LM Studio": lm_studio,
    "Ollama": ollama,
    "Anthropic": anthropic,
    "Gemini": gemini,
}


@contextmanager
def speaking(speaks: Speaks) -> Iterator[str]:
    """Serve a dialect; the address, without a slash at its end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply(*speaks(self.path, {}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._reply(*speaks(self.path, body))

        def _reply(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        yield address
