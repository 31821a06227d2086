"""Answers on disk: which are kept, and a file that is none. What changes a key: tests/data/values.yaml."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from niah.event_loop import in_thread
from niah.readers.reader import Answer, Usage
from niah.retrieval.user import system_code
from niah.runs.execution.cache import ResponseCache

ANSWER = Answer("Paris 50317" * 1000, Usage(700, 3, None), 1.5)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))


def test_a_file_that_is_no_database_is_no_harm() -> None:
    (path := ResponseCache().path).write_bytes(b"no database " * 1000)
    with ResponseCache() as cache:
        cache.put("k", ANSWER)
        assert cache.get("k") is None
    assert path.read_bytes() == b"no database " * 1000


def test_above_its_limit_it_loses_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.runs.execution.cache._LIMIT_MIB", 1)
    with ResponseCache() as cache:
        for day in range(100):
            monkeypatch.setattr("niah.runs.execution.cache.today", lambda day=day: day)
            cache.put(f"{day}", ANSWER)
            assert in_thread(partial(cache.get, "0"), "another").result(9)
    with ResponseCache() as cache:
        assert [cache.get(key) is None for key in ("0", "1", "99")] == [True, True, False]


def test_an_edited_application_is_asked_anew(in_folder: Path) -> None:
    """A cached answer's key has the digest of the file, which a process reads once."""
    digests = set()
    for answer in ("yes", "no"):
        Path("my_engine.py").write_text(f"def answer(question, document):\n    return {answer!r}\n")
        system_code.cache_clear()
        digests |= {system_code("py:my_engine.py:answer"), system_code("http://127.0.0.1:9/answer")}
    assert len(digests - {""}) == 2
