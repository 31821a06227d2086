"""Another provider's protocol (Anthropic's), spoken by a loopback endpoint, read through litellm."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from niah.readers import Answer, Failure, Request, Response, Usage
from niah.readers.litellm_reader import LiteLLMReader
from niah.readers.patience import Patience

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[..., AbstractAsyncContextManager[Any]]
Says = Callable[..., Handler]
AskClaude = Callable[..., tuple[Response, Any]]

MODEL = "anthropic/claude-3-5-haiku-latest"
QUICK = Patience(attempts=3, timeout_s=5.0, first_wait_s=0.01, longest_wait_s=2.0, gone_s=0)


def message(text: str = "Paris.", stop_reason: str = "end_turn") -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "usage": {"input_tokens": 12, "output_tokens": 3, "cache_read_input_tokens": 5},
    }


def error(kind: str, said: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": said}}


@pytest.fixture
def ask(serve: Serve, monkeypatch: pytest.MonkeyPatch, key: str) -> AskClaude:
    """Read once through litellm from an endpoint that speaks as Anthropic's does."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)

    def run(*handlers: Handler, patience: Patience = QUICK) -> tuple[Response, Any]:
        async def main() -> tuple[Response, Any]:
            async with serve(*handlers) as endpoint:
                monkeypatch.setenv("ANTHROPIC_API_BASE", endpoint.url)
                async with LiteLLMReader(MODEL, patience=patience) as reader:
                    reading = await reader.read(Request("Capital of France?", 50))
                    assert key not in repr(reader) + repr(reading) + repr(reader.settings)
                    return reading, endpoint

        return asyncio.run(main())

    return run


def test_an_answer(ask: AskClaude, says: Says, key: str) -> None:
    reading, endpoint = ask(says(message()))
    assert isinstance(reading, Answer)
    assert (reading.text, reading.usage) == ("Paris.", Usage(17, 3, 5, 0))
    assert endpoint.headers[0]["x-api-key"] == key
    assert endpoint.bodies[0]["max_tokens"] == 50
    assert endpoint.bodies[0]["temperature"] == 0


def test_a_broken_ending_that_litellm_calls_stop_is_no_answer(
    serve: Serve, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = {"message": {"role": "assistant", "content": "Par"}, "finish_reason": "network_error"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}

    async def main() -> Response:
        async with serve(says(body)) as endpoint:
            monkeypatch.setenv("HOSTED_VLLM_API_BASE", endpoint.url)
            async with LiteLLMReader("hosted_vllm/m") as reader:
                return await reader.read(Request("?", 50))

    reading = asyncio.run(main())
    assert isinstance(reading, Failure)
    assert (reading.outcome, reading.reason) == ("reader_error", "finish_reason network_error")


def test_a_budget_of_thoughts_for_claude(
    serve: Serve, says: Says, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    thought = {"type": "thinking", "thinking": "The map says so, twice.", "signature": "s"}
    reply = message() | {"content": [thought, *message()["content"]]}
    asked = Request(
        "?", 4146, thinking_tokens=4096, extra_body={"top_k": 5, "api_base": "http://127.0.0.1:9"}
    )

    async def main() -> None:
        async with serve(says(reply)) as endpoint:
            monkeypatch.setenv("ANTHROPIC_API_BASE", endpoint.url)
            async with LiteLLMReader("anthropic/claude-sonnet-4-5") as reader:
                reading = await reader.read(asked)
                assert isinstance(reading, Answer)
                assert reading.text == "Paris."
                assert 0 < (reading.usage.thinking_tokens or 0) <= 3
                body = endpoint.bodies[0]
                assert body["thinking"] == {"type": "enabled", "budget_tokens": 4096}
                assert (body["max_tokens"], body["top_k"]) == (4146, 5)
                assert "temperature" not in body  # thinking takes no other than 1
                assert "api_base" not in body
                assert reader.settings["not_sent"] == "api_base, seed, temperature"

    asyncio.run(main())
