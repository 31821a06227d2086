"""What endpoints of two protocols are sent, what becomes of their replies, what is known of them before."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any
from unittest.mock import Mock

import pytest

from niah.readers.litellm_reader import LiteLLMReader
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.reader import Answer, Failure, Patience, Request, Response, Usage
from tests.loopback import Post, Reply, claude_message, completion, serving
from tests.readers.conftest import KEY, ask, reason

QUICK = Patience(attempts=2, timeout_s=60.0, first_wait_s=0.01, gone_s=0)


def read(body: object, status: int = 200, **headers: str) -> tuple[Response, list[Post]]:
    reply = Reply(body, status, {key.replace("_", "-"): value for key, value in headers.items()})
    question = Request("Capital of France?", 50)
    reading, posts, _ = ask(
        lambda address: OpenAICompatibleReader("m", f"{address}/v1", KEY, patience=QUICK), reply, question
    )
    return reading, posts


def test_a_reply_of_too_many_bytes_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.readers.openai_compatible.LARGEST_BODY", 2**20)
    assert "the reply has more than 1 MiB" in reason(read(b" " * (2**20 + 1))[0])


def test_no_encoding_is_asked_for_and_bombs_are_not_unpacked() -> None:
    reading, posts = read(gzip.compress(b" " * 2**20), Content_Encoding="gzip")
    assert posts[0].headers["Accept-Encoding"] == "identity"
    assert reason(reading).startswith("after 2 attempts: no reply: the reply is encoded as 'gzip', which was")


def test_no_redirect_is_followed() -> None:
    reading, posts = read(b"", 307, Location="http://user:pw@elsewhere.example/v1/chat/completions?key=1")
    assert "points to 'http://elsewhere.example/v1/chat/completions'" in reason(reading)
    assert len(posts) == 1


def test_a_proxy_does_not_stand_before_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert isinstance(read(completion("Paris"))[0], Answer)


NO_LISTS: list[object] = [{"data": 7}, {"data": [7]}, [], b"<html>", b"[" * 100_000, b" " * 2**23]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"data": [{"id": "m"}, {"id": "mistral"}]}, ""),
        ({"data": [{"id": "mm"}]}, "has no 'm' on its list of models. Did you mean 'mm'?"),
        *((reply, "") for reply in NO_LISTS),
    ],
)
def test_a_model_that_is_not_on_the_list_is_said(body: Any, said: str) -> None:
    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, format: str, *args: object) -> None: ...

    with serving(Server) as address:
        line = OpenAICompatibleReader("m", f"{address}/v1", KEY).check_model()
    assert said in line
    assert bool(line) == bool(said)


@pytest.mark.parametrize("status", [200, 400])
def test_limits_are_heard_in_every_reply(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.readers.limits.limits_in", limits := Mock(return_value={}))
    read(completion("Paris"), status, X_Ratelimit_Limit_Tokens="100")
    assert limits.call_args.args[0]["x-ratelimit-limit-tokens"] == "100"


Read = tuple[Response, list[Post], dict[str, str | int]]
PARIS = claude_message("Paris.", {"input_tokens": 12, "output_tokens": 3, "cache_read_input_tokens": 5})


def read_claude(monkeypatch: pytest.MonkeyPatch, model: str, body: object, request: Request) -> Read:
    variable = f"{model.partition('/')[0].upper()}_API_BASE"
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def opened(address: str) -> LiteLLMReader:
        monkeypatch.setenv(variable, address)
        return LiteLLMReader(model, patience=QUICK)

    return ask(opened, body if isinstance(body, Reply) else Reply(body), request)


def test_an_answer_and_none(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    model = "anthropic/claude-3-5-haiku-latest"
    reading, (post,), _ = read_claude(monkeypatch, model, PARIS, Request("Capital of France?", 50))
    assert isinstance(reading, Answer)
    assert (reading.text, reading.usage) == ("Paris.", Usage(17, 3, 5, 0))
    assert post.headers["x-api-key"] == KEY
    assert (post.body["max_tokens"], post.body["temperature"]) == (50, 0)
    busy = Reply({"error": {"message": f"busy {KEY}"}}, 503)
    reading, posts, _ = read_claude(monkeypatch, "hosted_vllm/m", busy, Request("?", 50))
    assert "busy ***" in reason(reading)
    assert len(posts) == 2  # our attempts alone
    assert LiteLLMReader._open_readers == 0  # the last one closes litellm's clients
    assert capfd.readouterr() == ("", "")


def test_a_broken_ending_that_litellm_calls_stop_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = {"message": {"role": "assistant", "content": "Par"}, "finish_reason": "network_error"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    reading, _, _ = read_claude(monkeypatch, "hosted_vllm/m", body, Request("?", 50))
    assert isinstance(reading, Failure)
    assert (reading.outcome, reading.reason) == ("reader_error", "finish_reason network_error")


def test_a_budget_of_thoughts_for_claude(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts = {"type": "thinking", "thinking": "The map says so, twice.", "signature": "s"}
    reply = PARIS | {"content": [thoughts, *PARIS["content"]]}
    more = {"top_k": 5, "api_base": "http://127.0.0.1:9"}
    request = Request("?", 4146, thinking_tokens=4096, extra_body=more)
    reading, (post,), settings = read_claude(monkeypatch, "anthropic/claude-sonnet-4-5", reply, request)
    assert isinstance(reading, Answer)
    assert reading.text == "Paris."
    assert 0 < (reading.usage.thinking_tokens or 0) <= 3
    assert post.body["thinking"] == {"type": "enabled", "budget_tokens": 4096}
    assert (post.body["max_tokens"], post.body["top_k"]) == (4146, 5)
    assert not {"temperature", "api_base"} & post.body.keys()  # thinking takes no other temperature than 1
    assert settings["not_sent"] == "api_base, seed, temperature"


def test_tools_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = {"type": "object", "properties": {}}
    function = {"name": "search", "description": "Search.", "parameters": parameters}
    asked = {"name": "search", "arguments": '{"pattern": "a"}'}
    call = {"id": "call00001", "type": "function", "function": asked}
    messages = (
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call00001", "content": "[1] A."},
    )
    request = Request("Where?", 50, tools=({"type": "function", "function": function},), messages=messages)
    used = {"type": "tool_use", "id": "t1", "name": "search", "input": {"pattern": "b"}}
    reply = PARIS | {"content": [used], "stop_reason": "tool_use"}
    reading, (post,), _ = read_claude(monkeypatch, "anthropic/claude-3-5-haiku-latest", reply, request)
    assert isinstance(reading, Answer)
    assert (reading.by_tools, reading.text) == (True, '{"name": "search", "arguments": {"pattern": "b"}}')
    assert post.body["tools"][0]["name"] == "search"
    kinds = [
        part["type"] for each in post.body["messages"] for part in each["content"] if isinstance(part, dict)
    ]
    assert [kind for kind in kinds if kind != "text"] == ["tool_use", "tool_result"]
