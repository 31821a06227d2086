"""A real loopback endpoint that misbehaves; every way of it has its reading."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from niah.readers import Answer, Failure, Response, Usage
from niah.readers.openai_compatible import OpenAICompatibleReader

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[..., AbstractAsyncContextManager[Any]]
Ask = Callable[..., tuple[Response, Any]]
Says = Callable[..., Handler]
Completion = Callable[..., dict[str, Any]]


def test_a_reply_without_end_is_broken_off(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    async def flood(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json"})
        await response.prepare(request)
        while True:
            await response.write(b" " * 2**18)

    monkeypatch.setattr("niah.readers.body_limit.LARGEST_BODY", 2**20)
    reading, _ = ask(flood)
    assert isinstance(reading, Failure)
    assert (reading.outcome, reading.usage) == ("reader_error", Usage())
    assert "the reply has more than 1 MiB" in reading.reason


def sends(data: bytes, **headers: str) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        kind = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        return web.Response(body=data, headers=kind)

    return handler


def test_no_encoding_is_asked_for_and_bombs_are_not_unpacked(ask: Ask, completion: Completion) -> None:
    for encoding, data in (("gzip", gzip.compress(b" " * 2**20)), ("zstd", b"\x28\xb5\x2f\xfd")):
        reading, endpoint = ask(sends(data, Content_Encoding=encoding))
        assert endpoint.headers[0]["Accept-Encoding"] == "identity"
        assert isinstance(reading, Failure)
        assert f"'{encoding}', which was not asked for" in reading.reason


def test_no_redirect_is_followed(ask: Ask, says: Says, completion: Completion) -> None:
    moved = says("", 307, {"Location": "http://user:pw@elsewhere.example/v1/chat/completions?key=1"})
    reading, endpoint = ask(moved, says(completion()))
    assert isinstance(reading, Failure)
    assert reading.outcome == "reader_error"
    assert "points to 'http://elsewhere.example/v1/chat/completions'" in reading.reason
    assert len(endpoint.bodies) == 1


@pytest.mark.parametrize("status", [200, 401, 503])
@pytest.mark.parametrize("json", [True, False])
def test_a_key_that_the_endpoint_echoes_is_cut_out(
    ask: Ask, says: Says, key: str, status: int, json: bool
) -> None:
    echo = f"Incorrect API key provided: {key}."
    reading, _ = ask(says({"error": {"message": echo}} if json else echo, status))
    assert isinstance(reading, Failure)
    assert "Incorrect API key provided: ***" in reading.reason
    assert key not in repr(reading)


def test_a_proxy_does_not_stand_before_this_machine(
    ask: Ask, says: Says, completion: Completion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    reading, _ = ask(says(completion()))
    assert isinstance(reading, Answer)


def test_an_address_with_a_password_is_shown_without() -> None:
    reader = OpenAICompatibleReader("m", "https://user:pass@host:8000/v1?token=t")
    assert reader.settings == {"provider": "openai-compatible", "api_base": "https://host:8000/v1"}
    assert "pass" not in repr(reader)
