"""Answers kept across runs; which are taken is in tests/faults/test_reuse.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from niah.readers.reader import Answer, Reader, Request, Usage
from niah.runs.execution.cache import ResponseCache, is_repeatable, request_key

ANSWER = Answer("Paris 50317", Usage(700, 3, None), 1.5)
REQUEST = Request("Capital of France?", 50)


def reader(name: str = "m", **settings: str | int) -> Reader:
    facts: dict[str, str | int] = {"provider": "openai-compatible", "api_base": "http://a/v1"}
    return cast(Reader, SimpleNamespace(name=name, settings=facts | settings))


def test_everything_that_changes_the_answer_changes_the_key() -> None:
    keys = [
        request_key(reader(), REQUEST, 0),
        request_key(reader("other"), REQUEST, 0),
        request_key(reader(api_base="http://b/v1"), REQUEST, 0),
        request_key(reader(context=512), REQUEST, 0),
        request_key(reader(), REQUEST, 1),
        request_key(reader(), replace(REQUEST, prompt="Capital of France? "), 0),
        request_key(reader(), replace(REQUEST, max_tokens=51), 0),
        request_key(reader(), replace(REQUEST, temperature=1.0), 0),
        request_key(reader(), replace(REQUEST, seed=1), 0),
        request_key(reader(), replace(REQUEST, system="Be brief."), 0),
        request_key(reader(), replace(REQUEST, schema={"type": "object"}), 0),
        # The border between the two texts counts.
        request_key(reader(), replace(REQUEST, system="Capital", prompt=" of France?"), 0),
        request_key(reader(), replace(REQUEST, system="Capital of", prompt=" France?"), 0),
    ]
    assert len(set(keys)) == len(keys)


def test_only_what_is_asked_at_temperature_0_is_kept() -> None:
    assert is_repeatable(reader(), REQUEST)
    assert is_repeatable(reader(not_sent="seed"), REQUEST)
    assert not is_repeatable(reader(), replace(REQUEST, temperature=0.7))
    assert not is_repeatable(reader(not_sent="max_tokens, temperature"), REQUEST)


def test_a_file_that_is_no_database_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    path = ResponseCache("answers").path
    path.write_bytes(b"no database " * 1000)
    with ResponseCache("answers") as cache:
        cache.put("k", ANSWER)
        assert cache.get("k") is None
    assert path.read_bytes() == b"no database " * 1000
