"""What an endpoint is sent, what becomes of its replies, and what is known of it before."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from niah.readers.dialect import rejected_parameter
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.outcomes import Fault
from niah.readers.reader import Answer, Failure, Request, Response
from niah.readers.retry import Patience
from tests.loopback import Post, Reply, completion, serving
from tests.readers.conftest import KEY, ask

QUICK = Patience(attempts=2, timeout_s=5.0, first_wait_s=0.01, gone_s=0)


def read(body: object, status: int = 200, **headers: str) -> tuple[Response, list[Post]]:
    reply = Reply(body, status, {key.replace("_", "-"): value for key, value in headers.items()})
    question = Request("Capital of France?", 50)
    reading, posts, _ = ask(
        lambda address: OpenAICompatibleReader("m", f"{address}/v1", KEY, patience=QUICK), reply, question
    )
    return reading, posts


def reason(reading: Response) -> str:
    assert isinstance(reading, Failure)
    assert reading.outcome == "reader_error"
    return reading.reason


def test_a_reply_of_too_many_bytes_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.readers.openai_compatible.LARGEST_BODY", 2**20)
    assert "the reply has more than 1 MiB" in reason(read(b" " * (2**20 + 1))[0])


def test_no_encoding_is_asked_for_and_bombs_are_not_unpacked() -> None:
    reading, posts = read(gzip.compress(b" " * 2**20), Content_Encoding="gzip")
    assert posts[0].headers["Accept-Encoding"] == "identity"
    assert "'gzip', which was not asked for" in reason(reading)


def test_no_redirect_is_followed() -> None:
    reading, posts = read(b"", 307, Location="http://user:pw@elsewhere.example/v1/chat/completions?key=1")
    assert "points to 'http://elsewhere.example/v1/chat/completions'" in reason(reading)
    assert len(posts) == 1


def test_a_proxy_does_not_stand_before_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert isinstance(read(completion("Paris"))[0], Answer)


def test_an_address_is_shown_without_its_password_and_the_end_that_questions_have() -> None:
    reader = OpenAICompatibleReader("m", "https://user:pass@host:8000/v1/chat/completions?token=t")
    assert reader.settings == {"provider": "openai-compatible", "api_base": "https://host:8000/v1"}


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


@pytest.mark.parametrize(
    ("status", "message", "parameters"),
    [
        (429, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.", []),
        (400, "'max_tokens' is too large: 20000. It supports at most 16384 completion tokens.", []),
        (400, "model 'x' is not supported", []),
        (400, "This response_format type is unavailable now", ["json_schema", "json_object"]),
        (400, "'response_format.type' must be 'json_schema' or 'text'", ["json_schema", "json_object"]),
        (400, "failed to parse grammar", ["json_schema", "json_object"]),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set', ["tools"]),
        (400, "registry.ollama.ai/library/gemma does not support tools", ["tools"]),
        (500, "tools param requires --jinja flag", ["tools"]),
        (404, "No endpoints found that support tool use.", ["tools"]),
    ],
)
def test_what_is_left_out_one_by_one(status: int, message: str, parameters: list[str]) -> None:
    request = Request("Why?", 50, system="Reply in JSON.", schema={"type": "object"}, tools=({},))
    rejected = frozenset[str]()
    for parameter in parameters:
        assert rejected_parameter(Fault(message, status), request, rejected) == parameter
        rejected |= {parameter}
    assert rejected_parameter(Fault(message, status), request, rejected) is None
