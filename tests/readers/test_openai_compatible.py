"""What one request sends, keeps to itself and makes of odd replies; a whole run meets the rest of them."""

from __future__ import annotations

import gzip

import pytest

from niah.readers import Answer, Failure, Request, Response
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.readers.retry import Patience
from tests.loopback import Post, Reply, completion
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


@pytest.mark.parametrize("status", [200, 401, 503])
@pytest.mark.parametrize("json", [True, False])
def test_a_key_that_the_endpoint_echoes_is_cut_out(status: int, json: bool) -> None:
    echo = f"Incorrect API key provided: {KEY}."
    reading, _ = read({"error": {"message": echo}} if json else echo.encode(), status)
    assert "Incorrect API key provided: ***" in reason(reading)


def test_a_proxy_does_not_stand_before_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert isinstance(read(completion("Paris"))[0], Answer)


def test_an_address_with_a_password_is_shown_without() -> None:
    reader = OpenAICompatibleReader("m", "https://user:pass@host:8000/v1/chat/completions?token=t")
    assert reader.settings["provider"] == "openai-compatible"
    assert "pass" not in repr(reader) + str(reader.settings)
    reader = OpenAICompatibleReader("m", "https://host:8000/v1/chat/completions")
    assert reader.settings["api_base"] == "https://host:8000/v1"
