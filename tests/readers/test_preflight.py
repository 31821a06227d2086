"""How many tokens a model holds, as servers say it in their own ways, and what is no word of theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from niah.errors import ReaderConfigError
from niah.readers.openai_compatible import OpenAICompatibleReader, ServedWindow
from tests.loopback import serving

KEY = "sk-planted-0123456789"


@contextmanager
def telling(said: dict[str, Any]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server that says so at these paths; its address, and what it was asked with which key."""
    asked: list[tuple[str, str]] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["Authorization"]))
            body = said.get(self.path)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Server) as address:
        yield address, asked


def told(address: str, path: str = "/v1") -> ServedWindow | None:
    return OpenAICompatibleReader("m", f"{address}{path}", KEY).served_window()


@pytest.mark.parametrize(
    ("where", "body"),
    [
        ("/v1/models", {"data": [{"id": "m", "max_model_len": 4096}]}),  # vLLM
        ("/api/v0/models", {"data": [{"id": "m", "loaded_context_length": 4096}]}),  # LM Studio
        ("/api/ps", {"models": [{"name": "m:latest", "context_length": 4096}]}),  # Ollama
    ],
)
def test_servers_say_it_in_their_own_ways(where: str, body: Any) -> None:
    with telling({where: body}) as (address, _):
        assert told(address) == ServedWindow(4096, f"{address}{where}")


def test_llama_cpp_says_what_it_was_started_with_and_not_what_the_model_was_trained_for() -> None:
    own = {"id": "m", "meta": {"n_ctx_train": 131_072}}
    says = {"/v1/models": {"data": [own]}, "/props": {"default_generation_settings": {"n_ctx": 2048}}}
    with telling(says) as (address, asked):
        assert told(address) == ServedWindow(2048, f"{address}/props")
    assert asked == [("/v1/models", f"Bearer {KEY}"), ("/props", f"Bearer {KEY}")]


@pytest.mark.parametrize(
    "body",
    [{"data": [{"id": "m", "max_model_len": value}]} for value in (True, -1, 0, 4096.0, "4096", 10**12, None)]
    + [{"data": [{"id": "n", "max_model_len": 4096}]}, {"data": 7}, [], 7, b"", b"<html>", b"[" * 100_000]
    + [b'{"data": [{"id": "m", "max_model_len": 4096}]}' + b" " * (4 * 2**20)],
)
def test_what_is_no_window_is_none(body: object) -> None:
    with telling({"/v1/models": body}) as (address, _):
        assert told(address) is None


def test_an_address_with_nothing_at_it_is_a_mistake() -> None:
    with telling({}) as (address, _), pytest.raises(ReaderConfigError, match=r"HTTP 404: .*/v1"):
        OpenAICompatibleReader("m", address, KEY).check_model()
