"""Another provider's protocol (Anthropic's), spoken by a loopback endpoint, read through litellm."""

from __future__ import annotations

from typing import Any

import pytest

from niah.readers.litellm_reader import LiteLLMReader
from niah.readers.reader import Answer, Failure, Request, Response, Usage
from niah.readers.retry import Patience
from tests.loopback import Post, Reply
from tests.readers.conftest import KEY, ask

QUICK = Patience(attempts=2, timeout_s=5.0, first_wait_s=0.01, gone_s=0)
Read = tuple[Response, list[Post], dict[str, str | int]]


def message(*thoughts: dict[str, str]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [*thoughts, {"type": "text", "text": "Paris."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 12, "output_tokens": 3, "cache_read_input_tokens": 5},
    }


def read(monkeypatch: pytest.MonkeyPatch, model: str, body: object, request: Request) -> Read:
    variable = f"{model.partition('/')[0].upper()}_API_BASE"
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def opened(address: str) -> LiteLLMReader:
        monkeypatch.setenv(variable, address)
        return LiteLLMReader(model, patience=QUICK)

    return ask(opened, Reply(body), request)


def test_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    model = "anthropic/claude-3-5-haiku-latest"
    reading, (post,), _ = read(monkeypatch, model, message(), Request("Capital of France?", 50))
    assert isinstance(reading, Answer)
    assert (reading.text, reading.usage) == ("Paris.", Usage(17, 3, 5, 0))
    assert post.headers["x-api-key"] == KEY
    assert (post.body["max_tokens"], post.body["temperature"]) == (50, 0)


def test_a_broken_ending_that_litellm_calls_stop_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = {"message": {"role": "assistant", "content": "Par"}, "finish_reason": "network_error"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    reading, _, _ = read(monkeypatch, "hosted_vllm/m", body, Request("?", 50))
    assert isinstance(reading, Failure)
    assert (reading.outcome, reading.reason) == ("reader_error", "finish_reason network_error")


def test_a_budget_of_thoughts_for_claude(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = message({"type": "thinking", "thinking": "The map says so, twice.", "signature": "s"})
    more = {"top_k": 5, "api_base": "http://127.0.0.1:9"}
    request = Request("?", 4146, thinking_tokens=4096, extra_body=more)
    reading, (post,), settings = read(monkeypatch, "anthropic/claude-sonnet-4-5", reply, request)
    assert isinstance(reading, Answer)
    assert reading.text == "Paris."
    assert 0 < (reading.usage.thinking_tokens or 0) <= 3
    assert post.body["thinking"] == {"type": "enabled", "budget_tokens": 4096}
    assert (post.body["max_tokens"], post.body["top_k"]) == (4146, 5)
    assert not {"temperature", "api_base"} & post.body.keys()  # thinking takes no other temperature than 1
    assert settings["not_sent"] == "api_base, seed, temperature"


def test_tools_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    function = {
        "name": "search",
        "description": "Search.",
        "parameters": {"type": "object", "properties": {}},
    }
    call = {
        "id": "call00001",
        "type": "function",
        "function": {"name": "search", "arguments": '{"pattern": "a"}'},
    }
    messages = (
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call00001", "content": "[1] A."},
    )
    request = Request("Where?", 50, tools=({"type": "function", "function": function},), messages=messages)
    used = {"type": "tool_use", "id": "t1", "name": "search", "input": {"pattern": "b"}}
    reply = message() | {"content": [used], "stop_reason": "tool_use"}
    reading, (post,), _ = read(monkeypatch, "anthropic/claude-3-5-haiku-latest", reply, request)
    assert isinstance(reading, Answer)
    assert (reading.by_tools, reading.text) == (True, '{"name": "search", "arguments": {"pattern": "b"}}')
    assert post.body["tools"][0]["name"] == "search"
    kinds = [
        part["type"] for each in post.body["messages"] for part in each["content"] if isinstance(part, dict)
    ]
    assert [kind for kind in kinds if kind != "text"] == ["tool_use", "tool_result"]
